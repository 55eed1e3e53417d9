import { directionControls, oneLine } from '#/kernel/text.ts';

/** In letters; longer words are ignored. */
const longestWord = 24;
/** Words this long may contain two typos. */
const longWord = 8;
const shortestCorrected = 4;
const maxTerms = 8;
/** Maximum matches counted and ranked. */
export const maxFound = 1_001;

function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length <= longestWord);
}

/** Returns words worth keeping for typo correction, sorted so that row locks follow one order. */
export function indexableWords(text: string): string[] {
  return wordsOf(text)
    .filter((word) => word.length >= shortestCorrected)
    .toSorted();
}

export function termsOf(search: string): string[] {
  return wordsOf(search)
    .filter((word) => word.length > 1)
    .slice(0, maxTerms);
}

function wrongLetters(word: string): number {
  if (word.length < shortestCorrected) return 0;
  return word.length < longWord ? 1 : 2;
}

/**
 * Returns the word and all variants with up to `wrongLetters` letters deleted. Words within that edit distance share a
 * variant, so an array overlap finds typo candidates (SymSpell's deletion index).
 */
export function tracesOf(word: string): string[] {
  let last = new Set([word]);
  const all = new Set(last);
  for (let taken = wrongLetters(word); taken > 0; taken--) {
    const next = new Set<string>();
    for (const trace of last) {
      for (let index = 0; index < trace.length; index++)
        next.add(trace.slice(0, index) + trace.slice(index + 1));
    }
    for (const trace of next) all.add(trace);
    last = next;
  }
  return [...all];
}

/** Damerau–Levenshtein distance: insertions, deletions, substitutions and swaps of neighboring letters. */
function distance(from: string, to: string): number {
  const [a, b] = [[...from], [...to]];
  let before: number[] = [];
  let above = b.map((_, index) => index).concat(b.length);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(row[j - 1]! + 1, above[j]! + 1, changed);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, before[j - 2]! + 1);
      }
      row.push(least);
    }
    [before, above] = [above, row];
  }
  return above[b.length]!;
}

/** Returns the term itself if known, otherwise also its nearest known words. */
export function meantBy(term: string, known: readonly string[]): string[] {
  if (known.includes(term)) return [term];
  const near = known
    .map((word) => ({ word, off: distance(term, word) }))
    .filter(({ off, word }) => off <= Math.min(wrongLetters(term), wrongLetters(word)));
  const least = Math.min(...near.map(({ off }) => off));
  return [
    term,
    ...near
      .filter(({ off }) => off === least)
      .map(({ word }) => word)
      .toSorted()
      .slice(0, 5),
  ];
}

/** Normalizes a search query to a line that the server accepts; empty if nothing of it is visible. */
export function searchLine(typed: string, longest: number): string {
  const line = typed
    .toWellFormed()
    .replaceAll(directionControls, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()
    .trim();
  return oneLine.test(line) ? line : '';
}
