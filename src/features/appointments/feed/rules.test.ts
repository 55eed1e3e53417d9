import { expect, test } from 'vitest';
import { feedPath, isKnown } from './rules.ts';

test('ends the feed path in .ics', () => {
  expect(feedPath('abc')).toBe('/calendar/abc.ics');
});

test.each([
  [null, false],
  ['', false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['"b"', false],
  ['a', false],
  ['*', true],
])('what was read before, %s, is what stands there now: %s', (ifNoneMatch, known) => {
  expect(isKnown(ifNoneMatch, '"a"')).toBe(known);
});
