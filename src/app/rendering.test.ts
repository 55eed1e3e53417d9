import type { EntryContext, ServerBuild } from 'react-router';
import { createContext } from 'react-router';
import { expect, test } from 'vitest';
import { pagesOf } from './rendering.ts';
import type { PageRequest } from './web/contexts.ts';

/** Pages whose rendering ends when it is told, with its number as text. */
function manualPages() {
  const ends: (() => void)[] = [];
  const build = {
    entry: {
      module: {
        pageRequest: createContext<PageRequest>(),
        default: async (_request: Request, status: number, headers: Headers, _entry: EntryContext) => {
          const { promise, resolve } = Promise.withResolvers<void>();
          const text = `rendering ${ends.push(resolve)}`;
          await promise;
          headers.set('content-type', 'text/html');
          return new Response(text, { status, headers });
        },
      },
    },
    routes: { root: { id: 'root', path: '*', module: { default: () => null } } },
    assets: { routes: {}, version: '1', url: '', entry: { module: '', imports: [] } },
    basename: '/',
    publicPath: '/',
    future: {},
    prerender: [],
    ssr: true,
    isSpaMode: false,
    routeDiscovery: { mode: 'initial' },
    assetsBuildDirectory: '',
  } as unknown as ServerBuild;
  const pages = pagesOf({
    load: () => Promise.resolve(build),
    worker: null,
    assets: () => Promise.resolve(null),
  });
  const page = { closed: null, report: () => undefined } as unknown as PageRequest;
  const read = async (path: string) => {
    const response = await pages.render(new Request(`https://italk.test${path}`), page);
    return response.text();
  };
  return { pages, read, ends };
}

test('renders a page once for all guests who come before it is cached', async () => {
  const { read, ends } = manualPages();
  const guests = Array.from({ length: 20 }, () => read('/faq'));
  await expect.poll(() => ends.length).toBe(1);
  const late = Array.from({ length: 20 }, () => read('/faq'));
  ends[0]!();
  expect(new Set(await Promise.all([...guests, ...late]))).toEqual(new Set(['rendering 1']));
  expect(ends).toHaveLength(1);
});

test('renders it again after an edit, even for those who came during the first rendering', async () => {
  const { pages, read, ends } = manualPages();
  const before = read('/faq');
  await expect.poll(() => ends.length).toBe(1);
  pages.forget();
  const after = read('/faq');
  ends[0]!();
  expect(await before).toBe('rendering 1');
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!();
  expect(await after).toBe('rendering 2');
});
