import { expect, test } from 'vitest';
import { isoOf } from './iso.ts';

test('an instant is written in UTC, with no more of the second than it has', () => {
  expect(isoOf(new Date(Date.UTC(2026, 2, 2, 12)))).toBe('2026-03-02T12:00:00Z');
  expect(isoOf(Date.UTC(2026, 2, 2, 12) + 5)).toBe('2026-03-02T12:00:00.005Z');
});
