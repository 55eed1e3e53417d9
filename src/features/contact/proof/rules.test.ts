import { expect, test } from 'vitest';
import { digestBytes } from '#/platform/tokens.ts';
import { sampleOf } from '../../../../tests/support/prove.ts';
import { isSolution, findSolution } from './rules.ts';

/** Leading zero bits according to Node's SHA-256. */
const zeroBits = (text: string) => Math.clz32(digestBytes(Buffer.from(text, 'ascii')).readUInt32BE(0));
const challenge = '019a0000-0000-7000-8000-000000000001';

/** Searches in slices, like the browser. */
function solved(of: string): number {
  let solution: number | null = null;
  for (let from = 1; solution === null; from += 4_000) solution = findSolution(of, from, 4_000);
  return solution;
}

test('matches Node’s first solution for a challenge of any length', { tags: ['long'] }, () => {
  for (const length of sampleOf([1, 2, 3, 7, 19, 36, 40], 2)) {
    const of = 'a heart that is broken, a spirit that is crushed'.slice(0, length);
    const solution = solved(of);
    let first = 1;
    while (zeroBits(`${of}:${first}`) < 15) first += 1;
    expect(solution, `${length} letters`).toBe(first);
    expect(isSolution(of, solution)).toBe(true);
  }
});

test('rejects another form’s solution', () => {
  expect(isSolution('019a0000-0000-7000-8000-000000000002', solved(challenge))).toBe(false);
});

test('accepts the longest allowed number and rejects longer ones', () => {
  expect(() => isSolution(challenge, 2 ** 40)).not.toThrow();
  expect(() => isSolution('x'.repeat(60), 1)).toThrow(RangeError);
});
