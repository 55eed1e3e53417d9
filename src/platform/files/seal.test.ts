import { describe, expect, test } from 'vitest';
import { arriving } from '../../../tests/support/bytes.ts';
import { newFileKey, opened, sealed, sealedRange } from './seal.ts';

const piece = 64 * 1024;
const box = piece + 16;
const unreadable = /sealed bytes were (?:changed|cut off)/;

/** Bytes with no repetition between chunks. */
function anything(size: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) % 256));
}

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const chunk of chunks) found.push(chunk);
  return Buffer.concat(found);
}

async function sealing(plain: Uint8Array, pieces = 10_000): Promise<{ key: Buffer; bytes: Buffer }> {
  const key = newFileKey();
  return { key, bytes: await all(sealed(key, arriving(plain, pieces))) };
}

/** Decrypts a range as if read from disk. */
function open(
  key: Buffer,
  bytes: Uint8Array,
  { size, range = { start: 0, end: size - 1 } }: { size: number; range?: { start: number; end: number } },
): Promise<Buffer> {
  const { start, end } = sealedRange(range);
  return all(opened(key, arriving(bytes.subarray(start, end + 1), 7_000), { size, range }));
}

describe('sealed bytes', () => {
  test.each([1, piece - 1, piece, piece + 1, 2 * piece, 3 * piece + 5])(
    'of %i round-trip in any chunks, reading only the requested range',
    async (size) => {
      const plain = anything(size);
      for (const pieces of [size, 1_000, piece, piece + 1]) {
        const { key, bytes } = await sealing(plain, pieces);
        expect(bytes.length).toBe(size + 16 * Math.ceil(size / piece));
        expect((await open(key, bytes, { size })).equals(plain)).toBe(true);
        for (const [start, end] of [
          [0, 0],
          [size - 1, size - 1],
          [Math.floor(size / 2), size - 1],
          [Math.max(0, size - piece - 2), Math.max(0, size - 3)],
        ] as const) {
          const range = { start, end };
          expect((await open(key, bytes, { size, range })).equals(plain.subarray(start, end + 1))).toBe(true);
        }
      }
    },
  );

  test('reveal neither their content nor equal files', async () => {
    const plain = Buffer.from('Naomi Weiss writes that she sleeps badly. '.repeat(5_000));
    const [first, second] = [await sealing(plain), await sealing(plain)];
    expect(first.bytes.includes('Naomi')).toBe(false);
    expect(first.bytes.subarray(0, box).equals(second.bytes.subarray(0, box))).toBe(false);
  });

  const size = 3 * piece + 500;
  const plain = anything(size);
  const swapped = (bytes: Buffer, one: number, other: number): Buffer => {
    const boxes = [0, 1, 2, 3].map((at) => bytes.subarray(at * box, (at + 1) * box));
    [boxes[one], boxes[other]] = [boxes[other]!, boxes[one]!];
    return Buffer.concat(boxes);
  };
  test.each([
    ['with a byte changed at the beginning', (bytes: Buffer) => flipped(bytes, 0)],
    ['with a byte changed in the middle', (bytes: Buffer) => flipped(bytes, box + 77)],
    ['with a byte changed in a seal', (bytes: Buffer) => flipped(bytes, 2 * box - 1)],
    ['with the last byte changed', (bytes: Buffer) => flipped(bytes, bytes.length - 1)],
    ['cut off in a piece', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
    ['cut off behind a piece', (bytes: Buffer) => bytes.subarray(0, 3 * box)],
    ['that are missing', () => Buffer.alloc(0)],
    ['whose pieces have changed places', (bytes: Buffer) => swapped(bytes, 0, 1)],
    ['in which a piece stands twice', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, box), bytes])],
  ])('%s are rejected', async (_, change) => {
    const { key, bytes } = await sealing(plain);
    await expect(open(key, change(Buffer.from(bytes)), { size })).rejects.toThrow(unreadable);
  });

  test('rejects truncated bytes, even with a smaller declared size', async () => {
    const { key, bytes } = await sealing(plain);
    await expect(open(key, bytes.subarray(0, 3 * box), { size: 3 * piece })).rejects.toThrow(unreadable);
  });

  test('of another file, or of the same one resealed, are rejected', async () => {
    const [one, other] = [await sealing(plain), await sealing(plain)];
    await expect(open(one.key, other.bytes, { size })).rejects.toThrow(unreadable);
  });

  test('are rejected from the changed chunk on, after reading intact ones', async () => {
    const { key, bytes } = await sealing(plain);
    const changed = flipped(Buffer.from(bytes), 2 * box);
    const range = { start: 100, end: 2 * piece - 1 };
    expect((await open(key, changed, { size, range })).equals(plain.subarray(100, 2 * piece))).toBe(true);
    await expect(open(key, changed, { size, range: { start: 100, end: 2 * piece } })).rejects.toThrow(
      unreadable,
    );
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  bytes[at]! ^= 1;
  return bytes;
}
