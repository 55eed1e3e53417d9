import { expect, test } from 'vitest';
import { offeredRoles, statusOf } from './rules.ts';

test('marks an account inactive after 90 unused days or if never used, unless suspended', () => {
  const now = Temporal.Instant.from('2026-06-01T12:00:00Z');
  const status = (lastActive: string | null, suspended = false) =>
    statusOf({ suspended, lastActive: lastActive === null ? null : Temporal.Instant.from(lastActive) }, now);
  expect(status('2026-06-01T11:59:00Z')).toBe('active');
  expect(status('2026-03-03T12:00:00Z')).toBe('active');
  expect(status('2026-03-03T11:59:59Z')).toBe('inactive');
  expect(status(null)).toBe('inactive');
  expect(status('2026-06-01T11:59:00Z', true)).toBe('suspended');
  expect(status(null, true)).toBe('suspended');
});

test('offers only roles that a person qualifies for and doesn’t already have', () => {
  const nobody = { hasListing: false, adminAddress: false };
  expect(offeredRoles({ role: 'client', ...nobody })).toEqual([]);
  expect(offeredRoles({ role: 'client', ...nobody, hasListing: true })).toEqual(['doctor', 'pastor']);
  expect(offeredRoles({ role: 'client', ...nobody, adminAddress: true })).toEqual(['super_admin']);
  expect(offeredRoles({ role: 'doctor', ...nobody, hasListing: true })).toEqual(['client', 'pastor']);
  expect(offeredRoles({ role: 'super_admin', hasListing: true, adminAddress: true })).toEqual([
    'client',
    'doctor',
    'pastor',
  ]);
});
