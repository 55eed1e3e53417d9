import { expect, test } from 'vitest';
import { monthSoFar } from './rules.ts';

const iso = (instant: number) => new Date(instant).toISOString().slice(0, 16);

test.each([
  // zone, now, last month's beginning, as far into it, this month's beginning
  ['UTC', '2026-03-20T12:30:00Z', '2026-02-01T00:00', '2026-02-20T12:30', '2026-03-01T00:00'],
  // Clocks went forward on March 8: the beginnings are at different hours of UTC.
  ['America/New_York', '2026-03-20T12:30:00Z', '2026-02-01T05:00', '2026-02-20T13:30', '2026-03-01T05:00'],
  // Still February in New York.
  ['America/New_York', '2026-03-01T04:00:00Z', '2026-01-01T05:00', '2026-01-29T04:00', '2026-02-01T05:00'],
  // February has no 30th: all of it is compared.
  ['Asia/Kathmandu', '2026-03-30T12:00:00Z', '2026-01-31T18:15', '2026-02-28T18:15', '2026-02-28T18:15'],
  ['UTC', '2026-01-05T00:00:00Z', '2025-12-01T00:00', '2025-12-05T00:00', '2026-01-01T00:00'],
])('in %s at %s', (zone, now, lastMonth, lastMonthSoFar, thisMonth) => {
  const found = monthSoFar(zone, Temporal.Instant.from(now));
  expect([found.lastMonth, found.lastMonthSoFar, found.thisMonth].map(iso)).toEqual([
    lastMonth,
    lastMonthSoFar,
    thisMonth,
  ]);
});
