import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distance, meantBy, termsOf, tracesOf, wordsOf } from './rules.ts';

/** The textbook's definition, slow and plain: the optimal string alignment distance. */
function bySearch(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const same = a.at(-1) === b.at(-1);
  const swapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return Math.min(
    bySearch(a.slice(0, -1), b) + 1,
    bySearch(a, b.slice(0, -1)) + 1,
    bySearch(a.slice(0, -1), b.slice(0, -1)) + (same ? 0 : 1),
    swapped ? bySearch(a.slice(0, -2), b.slice(0, -2)) + 1 : Infinity,
  );
}

describe('how far two words are apart', () => {
  it('is what the definition says', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(distance(a, b)).toBe(bySearch(a, b));
      }),
      { seed: 20_260_302, numRuns: 400 },
    );
  });

  it('counts two letters that changed places as one mistake', () => {
    expect(distance('greif', 'grief')).toBe(1);
    expect(distance('prayer', 'payer')).toBe(1);
    expect(distance('kitten', 'sitting')).toBe(3);
  });
});

describe('traces', () => {
  it('are shared by every two words that are as near as they may be', () => {
    const letters = fc.constantFrom(...'abcde');
    const word = fc.string({ unit: letters, minLength: 4, maxLength: 10 });
    fc.assert(
      fc.property(
        word,
        fc.nat(),
        letters,
        fc.constantFrom('put', 'take', 'change', 'swap'),
        (from, at, letter, how) => {
          const i = at % (from.length - 1);
          const to = {
            put: from.slice(0, i) + letter + from.slice(i),
            take: from.slice(0, i) + from.slice(i + 1),
            change: from.slice(0, i) + letter + from.slice(i + 1),
            swap: from.slice(0, i) + from[i + 1]! + from[i]! + from.slice(i + 2),
          }[how];
          const known = new Set(tracesOf(from));
          fc.pre(to.length >= 4);
          expect(tracesOf(to).some((trace) => known.has(trace))).toBe(true);
        },
      ),
      { seed: 20_260_302, numRuns: 500 },
    );
  });

  it('stay few, however long the word', () => {
    expect(tracesOf('god')).toEqual(['god']);
    expect(tracesOf('a'.repeat(24))).toHaveLength(3);
    expect(tracesOf('abcdefghijklmnopqrstuvwx').length).toBe(1 + 24 + (24 * 23) / 2);
  });
});

describe('the words of a search', () => {
  it('are small, without marks, each once, and a handful', () => {
    expect(wordsOf('Grief: grief, GRIEF! God’s peace')).toEqual(['grief', 'god', 's', 'peace']);
    expect(termsOf('a b\u0000\u001b[31m --; drop')).toEqual(['31m', 'drop']);
    expect(termsOf(`'); & | ! :* <-> \\`)).toEqual([]);
    expect(termsOf('x'.repeat(10_000))).toEqual([]);
    expect(termsOf(Array.from({ length: 100 }, (_, i) => `word${i}`).join(' '))).toHaveLength(8);
  });

  it('stand for themselves where they are known, else also for the nearest that are', () => {
    expect(meantBy('grief', ['grief', 'brief'])).toEqual(['grief']);
    expect(meantBy('greif', ['grief', 'brief', 'reef'])).toEqual(['greif', 'grief']);
    expect(meantBy('forgivnes', ['forgiveness', 'forgives'])).toEqual(['forgivnes', 'forgives']);
    expect(meantBy('dog', ['god'])).toEqual(['dog']);
    expect(meantBy('xyzzy', [])).toEqual(['xyzzy']);
  });
});
