import { expect, test } from 'vitest';
import { isoOf } from './iso.ts';

test('formats an instant in UTC, with fractional seconds only if it has any', () => {
  expect(isoOf(new Date(Date.UTC(2026, 2, 2, 12)))).toBe('2026-03-02T12:00:00Z');
  expect(isoOf(Date.UTC(2026, 2, 2, 12) + 5)).toBe('2026-03-02T12:00:00.005Z');
});
