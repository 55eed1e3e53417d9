import { expect, test } from 'vitest';
import { bearerIn, isRace, isRecent } from './rules.ts';

const now = Temporal.Instant.from('2026-05-01T12:00:00Z');
const ago = (seconds: number) => new Date(now.subtract({ seconds }).epochMilliseconds);

test('takes a second use within ten seconds as a race, and a later one as a replay', () => {
  expect(isRace(ago(0), now)).toBe(true);
  expect(isRace(ago(10), now)).toBe(true);
  expect(isRace(ago(11), now)).toBe(false);
});

test('counts a secret as just typed for five minutes', () => {
  expect(isRecent(ago(300), now)).toBe(true);
  expect(isRecent(ago(301), now)).toBe(false);
  expect(isRecent(null, now)).toBe(false);
});

test.each([
  ['Bearer abc.def', 'abc.def'],
  ['bearer abc', 'abc'],
  ['Basic abc', null],
  ['Bearer ', null],
  ['Bearer a b', null],
  [null, null],
])('reads %j as %j', (authorization, token) => {
  expect(bearerIn(authorization)).toBe(token);
});
