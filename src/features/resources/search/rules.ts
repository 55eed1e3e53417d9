/** Letters of the longest word that is looked up; longer ones are no words. */
const longestWord = 24;
/** From so many letters on, two of them may be wrong. */
const longWord = 8;
const shortestCorrected = 4;
const mostTerms = 8;
/** As many as are counted and ranked; who finds more has to say more. */
export const mostFound = 1_001;

/** The words of a text as they are searched for, small and without marks, each once. */
function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length <= longestWord);
}

/** The words of a text that are kept to be found when they are mistyped; always in one order. */
export function rememberedWords(text: string): string[] {
  return wordsOf(text)
    .filter((word) => word.length >= shortestCorrected)
    .toSorted();
}

/** The words that a person searches for, in their order: the first few are enough. */
export function termsOf(search: string): string[] {
  return wordsOf(search)
    .filter((word) => word.length > 1)
    .slice(0, mostTerms);
}

/** How many letters of a word may be wrong. */
function wrongLetters(word: string): number {
  if (word.length < shortestCorrected) return 0;
  return word.length < longWord ? 1 : 2;
}

/**
 * What is left of a word when as many letters as may be wrong are taken out of it, and the word itself. Two words that
 * are so many changes apart share a trace, so that the database finds one by the other's.
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

/** How many letters have to be put in, taken out, changed or swapped with their neighbour to turn one word into another. */
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

/** The known words that a term most likely stands for: itself alone where it is known, else its nearest. */
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

/** What is typed into a search box, or stands in an address, as the server takes it: one line of at most so many characters. */
export function searchLine(typed: string, longest: number): string {
  return typed
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()
    .trim();
}
