import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Returns what a document says under a heading, up to the next one. */
export function sectionOf(document: string, heading: string): string {
  const parts = read(document).split(/^#+ (.*)$/m);
  const at = parts.findIndex((part, index) => index % 2 === 1 && part === heading);
  if (at === -1) throw new Error(`${document} has no heading '${heading}'`);
  return parts[at + 1]!;
}

/** Returns the rows of the table under a heading, without its head. */
export function rowsUnder(document: string, heading: string): string[][] {
  const lines = sectionOf(document, heading).split('\n');
  const rows = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|').slice(1, -1));
  return rows.slice(2).map((cells) => cells.map((cell) => cell.trim()));
}

/** Reads a number that a source file sets by this name. */
export function numberIn(path: string, name: string): number {
  const [, digits] = new RegExp(`\\b${name}(?: = |: )([\\d_]+)`).exec(read(path)) ?? [];
  if (digits === undefined) throw new Error(`${path} sets no ${name}`);
  return Number(digits.replaceAll('_', ''));
}

const words: Readonly<Record<number, string>> = { 4: 'four', 5: 'five', 8: 'eight' };

/** Matches a number as documents write it, in digits or as a word. */
export function written(number: number): RegExp {
  const digits = number.toLocaleString('en-US');
  return new RegExp(`\\b(?:${[digits, words[number]].filter(Boolean).join('|')})\\b`);
}
