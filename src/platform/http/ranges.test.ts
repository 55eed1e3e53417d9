import { describe, expect, test } from 'vitest';
import { isKnown, mayServeRange, partOf } from './ranges.ts';

// RFC 9110, section 14.1.2: examples for a 10,000-byte representation.
describe('a range of 10,000 bytes', () => {
  test.each([
    ['the first 500 bytes', 'bytes=0-499', { start: 0, end: 499 }],
    ['the second 500 bytes', 'bytes=500-999', { start: 500, end: 999 }],
    ['the final 500 bytes', 'bytes=-500', { start: 9_500, end: 9_999 }],
    ['the final 500 bytes', 'bytes=9500-', { start: 9_500, end: 9_999 }],
    ['the first byte', 'bytes=0-0', { start: 0, end: 0 }],
    ['the last byte', 'bytes=-1', { start: 9_999, end: 9_999 }],
    ['more than there are', 'bytes=9000-99999999999999999999', { start: 9_000, end: 9_999 }],
    ['a longer end than there is', 'bytes=-20000', { start: 0, end: 9_999 }],
    ['in capitals', 'BYTES=0-499', { start: 0, end: 499 }],
    ['with spaces', 'bytes= 0-499 ', { start: 0, end: 499 }],
  ])('%s: %s', (_, header, part) => {
    expect(partOf(header, 10_000)).toEqual(part);
  });

  test.each(['bytes=10000-', 'bytes=10000-10001', 'bytes=-0', 'bytes=99999999999999999999-'])(
    'is unsatisfiable: %s',
    (header) => {
      expect(partOf(header, 10_000)).toBe('unsatisfiable');
    },
  );

  test.each([
    null,
    '',
    'bytes=0-0,-1',
    'bytes= 0-999, 4500-5499, -1000',
    'bytes=500-600,601-999',
    'bytes=500-700,601-999',
    'bytes=500-499',
    'bytes=-',
    'bytes=a-b',
    'bytes=1.5-2',
    'bytes=-1-2',
    'seconds=1-2',
    'bytes 0-499',
  ])('is ignored, sending everything: %s', (header) => {
    expect(partOf(header, 10_000)).toBeNull();
  });
});

test('matches an entity tag by name, weakly, in a list or by wildcard', () => {
  for (const header of ['"a"', 'W/"a"', '"b", "a"', '"b",W/"a"', '*', ' * '])
    expect(isKnown(header, '"a"')).toBe(true);
  for (const header of [null, '', 'a', '"b"', '"aa"']) expect(isKnown(header, '"a"')).toBe(false);
});

test('sends a range only for unchanged content, by strong comparison', () => {
  expect(
    ['"a"', 'W/"a"', '"b"', 'Sat, 29 Oct 1994 19:43:31 GMT'].map((one) => mayServeRange(one, '"a"')),
  ).toEqual([true, false, false, false]);
  expect(mayServeRange(null, '"a"')).toBe(true);
});
