import { expect, test } from 'vitest';
import { licenseEndOf } from './rules.ts';

test('flags a license 60 days before its last day, and marks it ended the day after', () => {
  const stateOn = (today: string) => licenseEndOf('2026-06-30', today)?.state ?? null;
  expect(stateOn('2026-04-30')).toBeNull();
  expect(stateOn('2026-05-01')).toBe('ending');
  expect(stateOn('2026-06-30')).toBe('ending');
  expect(stateOn('2026-07-01')).toBe('ended');
  expect(licenseEndOf(null, '2026-07-01')).toBeNull();
});
