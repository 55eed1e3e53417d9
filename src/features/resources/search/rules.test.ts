import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { line } from '#/features/access/contract.ts';
import { meantBy, searchLine, termsOf, tracesOf } from './rules.ts';

/** Textbook definition of optimal string alignment distance. */
function apart(a: string, b: string, known = new Map<string, number>()): number {
  if (a === '' || b === '') return a.length + b.length;
  const key = `${a} ${b}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const [c, d] = [a.slice(0, -1), b.slice(0, -1)];
  const swapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  const least = Math.min(
    apart(c, b, known) + 1,
    apart(a, d, known) + 1,
    apart(c, d, known) + (a.at(-1) === b.at(-1) ? 0 : 1),
    swapped ? apart(a.slice(0, -2), b.slice(0, -2), known) + 1 : Infinity,
  );
  known.set(key, least);
  return least;
}

/** Typos allowed by word length. */
const mistakes = (word: string) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

describe('an unknown word', () => {
  it('matches a known one within the typos both allow', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 10 });
    let near = 0;
    fc.assert(
      fc.property(word, word, (typed, known) => {
        const meant = apart(typed, known) <= Math.min(mistakes(typed), mistakes(known));
        if (meant) near++;
        expect(meantBy(typed, [known]).includes(known)).toBe(meant);
      }),
      { seed: 20_260_302, numRuns: 3_000 },
    );
    expect(near).toBeGreaterThan(20);
  });

  it('counts two swapped letters as one typo', () => {
    expect(meantBy('greif', ['grief'])).toContain('grief');
    expect(meantBy('payer', ['prayer'])).toContain('prayer');
    expect(meantBy('kitten', ['sitting'])).not.toContain('sitting');
  });
});

describe('n-grams', () => {
  it('are shared by any two words within the allowed distance', () => {
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

  it('stay few for any word length', () => {
    expect(tracesOf('god')).toEqual(['god']);
    expect(tracesOf('a'.repeat(24))).toHaveLength(3);
    expect(tracesOf('abcdefghijklmnopqrstuvwx').length).toBe(1 + 24 + (24 * 23) / 2);
  });
});

describe('search words', () => {
  it('are lowercase, without diacritics, unique and limited in number', () => {
    expect(termsOf('Grief: grief, GRIEF! God’s peace')).toEqual(['grief', 'god', 'peace']);
    expect(termsOf('a b\u0000\u001b[31m --; drop')).toEqual(['31m', 'drop']);
    expect(termsOf(`'); & | ! :* <-> \\`)).toEqual([]);
    expect(termsOf('x'.repeat(10_000))).toEqual([]);
    expect(termsOf(Array.from({ length: 100 }, (_, i) => `word${i}`).join(' '))).toHaveLength(8);
  });

  it('match themselves if known, otherwise the nearest known words too', () => {
    expect(meantBy('grief', ['grief', 'brief'])).toEqual(['grief']);
    expect(meantBy('greif', ['grief', 'brief', 'reef'])).toEqual(['greif', 'grief']);
    expect(meantBy('forgivnes', ['forgiveness', 'forgives'])).toEqual(['forgivnes', 'forgives']);
    expect(meantBy('dog', ['god'])).toEqual(['dog']);
    expect(meantBy('xyzzy', [])).toEqual(['xyzzy']);
  });
});

describe('a search in an address', () => {
  it('becomes a line that the server accepts', () => {
    expect(searchLine(' a\u202eb\u0000\nc ', 9)).toBe('ab c');
    for (const unseen of ['\u202e', '\u200f', ' \u200b ', '\u2800']) expect(searchLine(unseen, 9)).toBe('');
    const units = fc.string({ unit: fc.integer({ max: 0xffff }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(units, (typed) => {
        const found = searchLine(typed, 9);
        return found === '' || line.max(9).safeParse(found).data === found;
      }),
    );
  });
});
