import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFiles, type Files } from './files.ts';

let folder: string;
let files: Files;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'italk-files-'));
  files = openFiles(join(folder, 'store'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('keeps bytes under their key until they are removed', async () => {
  const bytes = Uint8Array.from([0, 255, 10, 13, 0]);
  await files.put('photos/a.webp', bytes);
  expect(Uint8Array.from(await files.get('photos/a.webp'))).toEqual(bytes);
  await files.remove('photos/a.webp');
  expect(await files.has('photos/a.webp')).toBe(false);
  await expect(files.get('photos/a.webp')).rejects.toThrow('photos/a.webp');
});

it('refuses keys that leave the storage', async () => {
  for (const key of ['../outside', 'a/../../outside', 'nul\0byte']) {
    await expect(files.put(key, Uint8Array.of(1))).rejects.toThrow(/key|characters|traversal/i);
  }
  expect(await readdir(folder)).toEqual(['store']);
});

it('says whether it can be written, and leaves nothing behind', async () => {
  expect(await Promise.all(Array.from({ length: 50 }, () => files.ready()))).not.toContain(false);
  expect(await readdir(join(folder, 'store', 'probe'))).toEqual([]);
});
