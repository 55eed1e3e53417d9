import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { keysOf } from '../keyring.ts';
import { seal, sealingKey, unseal, UnusableBox } from './box.ts';

const folder = mkdtempSync(join(tmpdir(), 'italk-box-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'one');
const ring = (id: string) => keysOf(`${id}:${randomBytes(32).toString('base64url')}`);
const keys = ring('b1');
const plain = randomBytes(5 * 64 * 1024 + 17);

async function* inPieces(bytes: Buffer, size = 10_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function opened(purpose = 'backup', by = keys): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of unseal(path, { keys: by, purpose })) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UnusableBox);
  return (error as UnusableBox).fault;
}

/** Seals a file, then tampers with its bytes. */
async function changed(change: (bytes: Buffer) => Buffer): Promise<void> {
  await seal(path, { keys, purpose: 'backup' }, inPieces(plain));
  writeFileSync(path, change(readFileSync(path)));
}

const headLength = (bytes: Buffer) => bytes.indexOf('\n') + 1;
const boxBytes = 64 * 1024 + 16;

describe('a sealed file', () => {
  test('decrypts to its content, is readable only by its owner and leaves no partial file', async () => {
    for (const bytes of [plain, plain.subarray(0, 1), plain.subarray(0, 2 * 64 * 1024)]) {
      await seal(path, { keys, purpose: 'backup' }, inPieces(bytes));
      expect((await opened()).equals(bytes)).toBe(true);
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['one']);
    expect(await sealingKey(path)).toBe('b1');
    expect(await sealingKey(join(folder, 'none'))).toBeNull();
  });

  test('opens with a rotated key and no other', async () => {
    await changed((bytes) => bytes);
    const later = new Map([...ring('b2'), ...keys]);
    expect((await opened('backup', later)).equals(plain)).toBe(true);
    expect(await faultOf(opened('backup', ring('b2')))).toBe('unknown_key');
    expect(await faultOf(opened('backup', ring('b1')))).toBe('wrong_key');
  });

  test('opens only for the purpose it was sealed for', async () => {
    await changed((bytes) => bytes);
    expect(await faultOf(opened('file 7'))).toBe('wrong_key');
  });

  test.each([
    ['with one bit changed', (b: Buffer) => ((b[b.length >> 1]! ^= 1), b), 'damaged'],
    ['with its last bit changed', (b: Buffer) => ((b[b.length - 1]! ^= 1), b), 'damaged'],
    ['cut off in a piece', (b: Buffer) => b.subarray(0, b.length - 100), 'damaged'],
    ['cut off between pieces', (b: Buffer) => b.subarray(0, headLength(b) + 3 * boxBytes), 'damaged'],
    ['without any piece', (b: Buffer) => b.subarray(0, headLength(b)), 'damaged'],
    ['with more behind it', (b: Buffer) => Buffer.concat([b, Buffer.alloc(50)]), 'damaged'],
    [
      'with two pieces in each other’s place',
      (b: Buffer) => {
        const at = (n: number) => headLength(b) + n * boxBytes;
        return Buffer.concat([
          b.subarray(0, at(1)),
          b.subarray(at(2), at(3)),
          b.subarray(at(1), at(2)),
          b.subarray(at(3)),
        ]);
      },
      'damaged',
    ],
    ['with another first line', (b: Buffer) => ((b[0] = 120), b), 'not_ours'],
    ['that is empty', () => Buffer.alloc(0), 'not_ours'],
  ])('%s is rejected', async (_, change, fault) => {
    await changed(change);
    expect(await faultOf(opened())).toBe(fault);
  });

  test('isn’t created if its source fails, and an existing one stays unchanged', async () => {
    await changed((bytes) => bytes);
    async function* failing(): AsyncGenerator<Buffer> {
      yield* inPieces(plain);
      throw new Error('gone');
    }
    await expect(seal(path, { keys, purpose: 'backup' }, failing())).rejects.toThrow('gone');
    expect((await opened()).equals(plain)).toBe(true);
    expect(readdirSync(folder)).toEqual(['one']);
  });
});
