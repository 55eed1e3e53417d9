import type { Config } from '@react-router/dev/config';
import { compressAssets } from './scripts/compress-assets.ts';

const folder = process.env.BUILD_FOLDER ?? 'build';

export default {
  appDirectory: 'src/app/web',
  buildDirectory: folder,
  ssr: true,
  // The first page's manifest has every route, so no /__manifest endpoint is needed.
  routeDiscovery: { mode: 'initial' },
  buildEnd: () => compressAssets(`${folder}/client`),
} satisfies Config;
