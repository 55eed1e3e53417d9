import { expect, test } from 'vitest';
import { bearerIn, isProven, isRace } from './rules.ts';

const now = Temporal.Instant.from('2026-05-01T12:00:00Z');
const ago = (seconds: number) => new Date(now.subtract({ milliseconds: seconds * 1000 }).epochMilliseconds);

test('takes a second use within ten seconds as a race, and a later one as a replay', () => {
  expect(isRace(ago(0), now)).toBe(true);
  expect(isRace(ago(10), now)).toBe(true);
  expect(isRace(ago(11), now)).toBe(false);
});

test('counts a secret as just typed for five minutes, with tokens issued since', () => {
  const second = (seconds: number) => now.epochMilliseconds / 1000 - seconds;
  expect(isProven(ago(300), second(300), now)).toBe(true);
  expect(isProven(ago(301), second(0), now)).toBe(false);
  expect(isProven(ago(299.5), second(300), now)).toBe(true);
  expect(isProven(ago(299), second(300), now)).toBe(false);
  expect(isProven(null, second(0), now)).toBe(false);
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
