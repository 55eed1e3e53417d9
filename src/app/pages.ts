import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ServerBuild } from 'react-router';
import { openAssets } from '#/platform/http/assets.ts';
import { release } from '#/platform/release.ts';
import { pagesOf, type Pages } from './rendering.ts';

const buildFolder = new URL('build/', release);

export async function builtPages(): Promise<Pages> {
  const build = (await import(new URL('server/index.js', buildFolder).href)) as ServerBuild;
  return pagesOf({
    load: () => Promise.resolve(build),
    assets: await openAssets(fileURLToPath(new URL('client/', buildFolder))),
    worker: await readFile(new URL('src/app/web/offline/worker.mjs', release), 'utf8'),
  });
}

export async function developedPages(): Promise<Pages> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    server: { middlewareMode: true },
    appType: 'custom',
  });
  return pagesOf({
    load: async () => (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild,
    assets: () => Promise.resolve(null),
    worker: null,
    develop: (request, response, next) => vite.middlewares(request, response, next),
  });
}
