import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOf, isSolution, proofBits, solutionAmong } from './rules.ts';

const expected = (text: string) => createHash('sha256').update(text, 'ascii').digest();

test('digests are those of SHA-256, as the machine has it', () => {
  for (let length = 0; length <= 55; length++) {
    const text = 'Psalm 34:18, a heart that is broken, a spirit that is crushed.'.slice(0, length);
    expect(Buffer.from(wordsToBytes(digestOf(text)))).toEqual(expected(text));
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 55 }), (text) => {
      expect(Buffer.from(wordsToBytes(digestOf(text)))).toEqual(expected(text));
    }),
  );
});

test('a text of more than one block is refused, not digested wrongly', () => {
  expect(() => digestOf('x'.repeat(56))).toThrow(RangeError);
});

test('a solution is found within a few slices, and by the machine’s own digest it is one', () => {
  const challenge = '019a0000-0000-7000-8000-000000000001';
  let solution: number | null = null;
  for (let from = 1; solution === null; from += 4_000) solution = solutionAmong(challenge, from, 4_000);
  expect(isSolution(challenge, solution)).toBe(true);
  expect(expected(`${challenge}:${solution}`).readUInt32BE(0) >>> (32 - proofBits)).toBe(0);
  // Another form's isn't one for this.
  expect(isSolution('019a0000-0000-7000-8000-000000000002', solution)).toBe(false);
});

test('the longest number that is accepted still fits', () => {
  expect(() => isSolution('019a0000-0000-7000-8000-000000000001', 2 ** 40)).not.toThrow();
});

function wordsToBytes(words: Uint32Array): Uint8Array {
  return Uint8Array.from([...words].flatMap((word) => [word >>> 24, word >>> 16, word >>> 8, word]));
}
