import { expect, test } from 'vitest';
import { testServer } from '../support/server.ts';

const started: string[] = [];
const opened = Promise.withResolvers<void>();
const server = await testServer({
  config: { trustedProxies: 1 },
  async render({ url }) {
    const { pathname } = new URL(url);
    started.push(pathname);
    if (pathname.startsWith('/slow')) await opened.promise;
    return new Response('a page');
  },
});

const get = (path: string, network: string, signal: AbortSignal | null = null) =>
  fetch(`http://localhost:${server.port}${path}`, { headers: { 'x-forwarded-for': network }, signal });
const slow = () => started.filter((path) => path.startsWith('/slow'));

test('renders eight pages at once for one network, skipping those nobody waits for', async () => {
  const [crowd, other] = ['203.0.113.5', '198.51.100.7'];
  const eight = Array.from({ length: 8 }, (_, index) => get(`/slow/${index}`, crowd));
  await expect.poll(slow).toHaveLength(8);
  const leaver = new AbortController();
  const left = get('/slow/left', crowd, leaver.signal).catch(() => null);
  const queued = get('/slow/queued', crowd);
  expect((await get('/quick', other)).status).toBe(200);
  expect((await get('/healthz', crowd)).status).toBe(200);
  expect(slow()).toHaveLength(8);

  leaver.abort();
  await left;
  expect((await get('/healthz', crowd)).status).toBe(200);
  opened.resolve();
  for (const answer of [...eight, queued]) expect((await answer).status).toBe(200);
  expect(slow()).toHaveLength(9);
});
