import { expect, test } from 'vitest';
import { needsNewKey, signingKey, expiredKeys } from './rules.ts';

const now = Temporal.Instant.from('2026-05-01T12:00:00Z');
const key = (age: Temporal.DurationLike) => ({ madeAt: now.subtract(age) });
const first = key({ hours: 31 * 24 });

test('signs with a new key only once every kept copy of the key set has it', () => {
  const fresh = key({ minutes: 14 });
  const published = key({ minutes: 15 });
  expect(signingKey([fresh, first], now)).toBe(first);
  expect(signingKey([published, first], now)).toBe(published);
  expect(signingKey([fresh], now)).toBe(fresh);
  expect(signingKey([], now)).toBeUndefined();
});

test('asks for a new key after 30 days', () => {
  expect(needsNewKey([], now)).toBe(true);
  expect(needsNewKey([first], now)).toBe(true);
  expect(needsNewKey([key({ hours: 30 * 24 - 1 }), first], now)).toBe(false);
});

test('keeps a former key until its last tokens have expired', () => {
  expect(expiredKeys([key({ minutes: 24 }), first], now)).toEqual([]);
  expect(expiredKeys([key({ minutes: 25 }), first], now)).toEqual([first]);
  expect(expiredKeys([first], now)).toEqual([]);
});
