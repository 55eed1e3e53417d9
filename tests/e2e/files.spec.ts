import type { APIResponse, Page } from '@playwright/test';
import { pdf, png } from '../support/bytes.ts';
import { call, expect, reauthenticate, signIn, someone, test } from './support/fixtures.ts';

interface Stored {
  id: string;
  name: string;
  size: number;
  contentType: string;
  path: string;
}

const stored = async (answer: APIResponse): Promise<Stored> => {
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as Stored;
};

/** Sends bytes as the person of this page. */
function send(page: Page, origin: string, path: string, data: Uint8Array): Promise<APIResponse> {
  return page.request.post(path, {
    data: Buffer.from(data),
    headers: { origin, 'content-type': 'application/octet-stream' },
  });
}

test('storage: one’s own files are uploaded, updated, moved, copied, signed, listed, told of and removed', async ({
  page,
  open,
  product,
}) => {
  await signIn(page, someone('files'));
  const file = await stored(await send(page, product.url, '/api/files?name=letter.pdf', pdf(10_000)));
  expect(file).toMatchObject({ name: 'letter.pdf', contentType: 'application/pdf', size: 10_000 });
  await stored(await send(page, product.url, `/api/files/bytes?id=${file.id}`, png));
  await call(page, `/api/files/${file.id}/move`, { name: 'picture.png' });
  const copy = await call<Stored>(page, `/api/files/${file.id}/copy`, { name: 'again.png' });
  const info = await stored(await page.request.get(`/api/files/${file.id}`));
  expect(info).toMatchObject({ name: 'picture.png', contentType: 'image/png', size: png.length });
  const list = (await (await page.request.get('/api/files')).json()) as Stored[];
  expect(list.map(({ name }) => name)).toEqual(['again.png', 'picture.png']);

  const stranger = await open();
  await signIn(stranger, someone('stranger'));
  expect((await stranger.request.get(info.path)).status()).toBe(404);
  expect((await stranger.request.get(`/api/files/${file.id}`)).status()).toBe(404);
  const { path } = await call<{ path: string }>(page, `/api/files/${file.id}/link`, { seconds: 60 });
  const signed = await stranger.request.get(path);
  expect([signed.status(), (await signed.body()).equals(png)]).toEqual([200, true]);

  for (const id of [file.id, copy.id]) {
    const gone = await page.request.post(`/api/files/${id}/remove`, { headers: { origin: product.url } });
    expect(gone.ok()).toBe(true);
  }
  expect(await (await page.request.get('/api/files')).json()).toEqual([]);
  expect((await stranger.request.get(path)).status()).toBe(404);
});

test('storage lists 100 files at most, from the first on, by name ascending, unless asked for otherwise', async ({
  page,
  product,
}) => {
  await signIn(page, someone('lists'));
  const names = Array.from({ length: 102 }, (_, at) => `${String(at).padStart(3, '0')}.png`);
  // The last first, so that the order isn't that of their coming.
  for (const name of names.toReversed())
    await stored(await send(page, product.url, `/api/files?name=${name}`, png));
  const listed = async (query: string) =>
    ((await (await page.request.get(`/api/files${query}`)).json()) as Stored[]).map(({ name }) => name);
  expect(await listed('')).toEqual(names.slice(0, 100));
  expect(await listed('?offset=100')).toEqual(names.slice(100));
  expect(await listed('?limit=2&offset=1')).toEqual(names.slice(1, 3));
});

test('a stored file may be kept by a browser for 3600 seconds, and is sent in the parts that are asked for', async ({
  page,
  product,
}) => {
  await signIn(page, someone('parts'));
  const { path } = await stored(await send(page, product.url, '/api/files?name=letter.pdf', pdf(10_000)));
  const whole = await page.request.get(path);
  expect(whole.headers()).toMatchObject({
    'cache-control': 'private, max-age=3600',
    'accept-ranges': 'bytes',
  });
  const part = await page.request.get(path, { headers: { range: 'bytes=-500' } });
  expect([part.status(), part.headers()['content-range']]).toEqual([206, 'bytes 9500-9999/10000']);
  expect((await part.body()).equals((await whole.body()).subarray(9_500))).toBe(true);
  const known = await page.request.get(path, { headers: { 'if-none-match': whole.headers().etag! } });
  expect(known.status()).toBe(304);
});

test('storage: buckets are made, read, listed, changed, emptied and deleted by administrators alone', async ({
  page,
  open,
  product,
}) => {
  await signIn(page, 'admin');
  await reauthenticate(page);
  const letters = { id: 'letters', readableBy: 'owner', maxBytes: 1_000, contentTypes: ['image/png'] };
  await call(page, '/api/buckets', letters);
  await call(page, '/api/buckets/letters', { maxBytes: 2_000 });
  expect(await (await page.request.get('/api/buckets/letters')).json()).toEqual({
    ...letters,
    maxBytes: 2_000,
  });
  const ids = ((await (await page.request.get('/api/buckets')).json()) as { id: string }[]).map(
    ({ id }) => id,
  );
  expect(ids).toEqual([
    'applications',
    'attachments',
    'documents',
    'exports',
    'letters',
    'photos',
    'resources',
  ]);

  const client = await open();
  await signIn(client, 'client');
  expect((await client.request.get('/api/buckets')).status()).toBe(403);
  const headers = { origin: product.url };
  expect((await client.request.post('/api/buckets/letters/remove', { headers })).status()).toBe(403);

  for (const act of ['empty', 'remove'])
    expect((await page.request.post(`/api/buckets/letters/${act}`, { headers })).ok(), act).toBe(true);
  expect((await page.request.get('/api/buckets/letters')).status()).toBe(404);
});
