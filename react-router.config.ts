import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'src/app/web',
  buildDirectory: 'build',
  ssr: true,
  // Every route is in the first page's manifest, so there is no /__manifest endpoint.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
