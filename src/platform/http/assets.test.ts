import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compressAssets } from '../../../scripts/compress-assets.ts';
import { openAssets } from './assets.ts';

const script = `export const verse = ${JSON.stringify('Bear one another’s burdens. '.repeat(200))};`;
let root: string;
let serve: Awaited<ReturnType<typeof openAssets>>;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'italk-assets-'));
  const folder = join(root, 'client');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await mkdir(join(root, '.git'));
  await writeFile(join(root, '.git/HEAD'), 'ref: refs/heads/main');
  await writeFile(join(folder, 'assets/entry-abc.js'), script);
  await writeFile(join(folder, 'icon.png'), Buffer.from([137, 80, 78, 71]));
  await compressAssets(folder);
  serve = await openAssets(folder);
});
afterAll(() => rm(root, { recursive: true }));

async function get(path: string, accepted: string | null, method = 'GET') {
  const headers = accepted === null ? {} : { 'accept-encoding': accepted };
  const answer = await serve(new Request(`https://italk.example${path}`, { method, headers }));
  return answer && { headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
}

test('serves scripts in the smallest encoding that the browser accepts', async () => {
  const plain = (body: Buffer) => body;
  const sizes: number[] = [];
  for (const [accepted, encoding, decode] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, GZIP;q=0.5', 'gzip', gunzipSync],
    ['identity', null, plain],
    ['gzip;q=0, br; q=0.0', null, plain],
    [null, null, plain],
  ] as const) {
    const answer = (await get('/assets/entry-abc.js', accepted))!;
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('accept-encoding');
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(Number(answer.headers.get('content-length'))).toBe(answer.body.byteLength);
    expect(decode(answer.body).toString()).toBe(script);
    sizes.push(answer.body.byteLength);
  }
  expect(sizes[0]).toBeLessThan(sizes[1]!);
  expect(sizes[1]).toBeLessThan(sizes[3]! / 5);
});

test('serves nothing from outside its folder, such as source history', async () => {
  for (const path of ['/.git/HEAD', '/../.git/HEAD', '/%2e%2e/.git/HEAD', '/..%2f.git/HEAD', '/.gitignore'])
    expect(await get(path, null), path).toBeNull();
});

test('serves images as they are, and the compressed files under no address of their own', async () => {
  const image = (await get('/icon.png', 'br, gzip'))!;
  expect(image.headers.get('content-encoding')).toBeNull();
  expect(image.headers.get('cache-control')).not.toContain('immutable');
  for (const path of ['/assets/entry-abc.js.br', '/assets/entry-abc.js.gz', '/assets', '/../package.json'])
    expect(await get(path, 'br')).toBeNull();
  expect((await get('/assets/entry-abc.js', 'br', 'HEAD'))!.body.byteLength).toBe(0);
});
