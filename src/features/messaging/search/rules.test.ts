import { expect, test } from 'vitest';
import { cursorOf, finder, placeOf } from './rules.ts';

test('requires every word in any order, ignoring case and diacritics', () => {
  expect(finder('cafe')('Wir sahen uns im CAFÉ.')).toBe(true);
  expect(finder('CAFÉ')('im cafe\u0301')).toBe(true);
  expect(finder('thursday walk')('A walk, every Thursday')).toBe(true);
  expect(finder('thursday run')('A walk, every Thursday')).toBe(false);
  expect(finder('.*')('anything')).toBe(false);
  expect(finder('שלום')('שָׁלוֹם')).toBe(true);
});

test('round-trips a cursor, and rejects malformed ones', () => {
  const place = { at: 1_767_000_000_123, id: '019a0000-0000-7000-8000-000000000001' };
  expect(placeOf(cursorOf(place))).toEqual(place);
  for (const odd of ['', '1', '~', `x~${place.id}`, `1~${place.id}x`, `-1~${place.id}`, `1e5~${place.id}`])
    expect(placeOf(odd)).toBeNull();
});
