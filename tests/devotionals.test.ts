import { expect, test } from 'vitest';
import { verseText } from '../scripts/verses.ts';
import { testDatabase } from './support/database.ts';

const { db } = await testDatabase();
const rows = await db.selectFrom('devotionals').selectAll().orderBy('day').execute();
const form = /^(.+) (\d+):(\d+)(?:-(\d+))?$/;

const leapYear = Array.from({ length: 366 }, (_, days) =>
  Temporal.PlainDate.from('2024-01-01').add({ days }).toString().slice(5),
);

test('has 366 days of World English Bible text in every new installation', { tags: ['long'] }, async () => {
  expect(rows.map(({ day }) => day)).toEqual(leapYear);
  for (const { day, reference, text } of rows) expect([day, text]).toEqual([day, await verseText(reference)]);
});

test('repeats no verse, title, thought or prayer', async () => {
  const verses = rows.flatMap(({ reference }) => {
    const [, chapter, verse, first, last = first] = form.exec(reference)!;
    const count = Number(last) - Number(first) + 1;
    expect(count, reference).toBeLessThanOrEqual(4);
    return Array.from({ length: count }, (_, index) => `${chapter} ${verse}:${Number(first) + index}`);
  });
  expect(verses.filter((one, index) => verses.indexOf(one) !== index)).toEqual([]);
  for (const part of ['title', 'thought', 'prayer'] as const) {
    const all = rows.map((row) => row[part].toLowerCase());
    expect(all.filter((one, index) => all.indexOf(one) !== index)).toEqual([]);
  }
});

test('draws short passages from the whole Bible', async () => {
  const books = new Set(rows.map(({ reference }) => form.exec(reference)![1]!));
  expect(books.size).toBeGreaterThan(55);
  for (const { day, text, title, thought, prayer } of rows) {
    const lengths = [text, title, thought, prayer].map(({ length }) => length);
    for (const [index, max] of [560, 40, 160, 110].entries()) {
      expect(lengths[index], day).toBeLessThanOrEqual(max);
      expect(lengths[index], day).toBeGreaterThan(3);
    }
    expect(text, day).not.toMatch(/[<>{}[\]|]|\s\s|^\s|\s$/);
  }
});
