import { expect, test } from 'vitest';
import { writeCursor, finder, readCursor } from './rules.ts';

test('requires every word in any order, ignoring case and diacritics', () => {
  expect(finder('cafe')('Wir sahen uns im CAFÉ.')).toBe(true);
  expect(finder('CAFÉ')('im cafe\u0301')).toBe(true);
  expect(finder('thursday walk')('A walk, every Thursday')).toBe(true);
  expect(finder('thursday run')('A walk, every Thursday')).toBe(false);
  expect(finder('.*')('anything')).toBe(false);
  expect(finder('שלום')('שָׁלוֹם')).toBe(true);
});

test('round-trips a cursor, and rejects malformed ones', () => {
  const cursor = { at: 1_767_000_000_123, id: '019a0000-0000-7000-8000-000000000001' };
  expect(readCursor(writeCursor(cursor))).toEqual(cursor);
  for (const odd of [
    '',
    '1',
    '~',
    `x~${cursor.id}`,
    `1~${cursor.id}x`,
    `-1~${cursor.id}`,
    `1e5~${cursor.id}`,
  ])
    expect(readCursor(odd)).toBeNull();
});
