import { expect, test } from 'vitest';
import { changeOf, monthSoFar } from './rules.ts';

const iso = (instant: number) => new Date(instant).toISOString().slice(0, 16);

test.each([
  // Zone, now, start of last month, the same point in it, start of this month.
  ['UTC', '2026-03-20T12:30:00Z', '2026-02-01T00:00', '2026-02-20T12:30', '2026-03-01T00:00'],
  // DST began March 8, so both months start at different UTC hours.
  ['America/New_York', '2026-03-20T12:30:00Z', '2026-02-01T05:00', '2026-02-20T13:30', '2026-03-01T05:00'],
  ['America/New_York', '2026-03-01T04:00:00Z', '2026-01-01T05:00', '2026-01-29T04:00', '2026-02-01T05:00'],
  // February has no 30th: compare the whole month.
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

test.each([
  [{ now: 110, before: 100 }, 10],
  [{ now: 90, before: 100 }, -10],
  [{ now: 1, before: 3 }, -66.7],
  [{ now: 1_001, before: 1_000 }, 0.1],
  [{ now: 7, before: 7 }, 0],
  [{ now: 0, before: 0 }, 0],
  [{ now: 0, before: 4 }, -100],
  [{ now: 4, before: 0 }, 'new'],
])('%j has changed by %s', (figure, change) => {
  expect(changeOf(figure)).toBe(change);
});
