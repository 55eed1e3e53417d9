/** Generates a year of Scripture: `devotionals.ts > the inserts of migrations/0015_devotionals.sql`. */
import { readFile } from 'node:fs/promises';
import { verseText } from './verses.ts';

export interface Day {
  /** MM-DD, including 02-29. */
  day: string;
  reference: string;
  text: string;
  title: string;
  thought: string;
  prayer: string;
}

/** Returns 366 days from `devotionals.txt`, with World English Bible text. */
export async function yearOfScripture(): Promise<Day[]> {
  const source = await readFile(new URL('devotionals.txt', import.meta.url), 'utf8');
  return Promise.all(
    source
      .trimEnd()
      .split('\n')
      .map(async (line) => {
        const parts = line.split('|');
        if (parts.length !== 5) throw new Error(`Not day|reference|title|thought|prayer: ${line}`);
        const [day, reference, title, thought, prayer] = parts as [string, string, string, string, string];
        return { day, reference, title, thought, prayer, text: await verseText(reference) };
      }),
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

if (import.meta.main) {
  const rows = (await yearOfScripture()).map(
    ({ day, reference, text, title, thought, prayer }) =>
      `  (${[day, reference, text, title, thought, prayer].map(quoted).join(', ')})`,
  );
  console.log(
    `insert into devotionals (day, reference, text, title, thought, prayer) values\n${rows.join(',\n')};`,
  );
}
