import { describe, expect, test } from 'vitest';
import {
  dayAfter,
  fullBar,
  inYears,
  monthsOf,
  percentOf,
  presetRange,
  presets,
  rangeOf,
  rangeProblem,
  weekdaysBetween,
} from './rules.ts';

const today = '2026-03-15';

describe('a range', () => {
  test.each([
    ['', '2026-03-01', 'from', 'range_from_missing'],
    ['2026-03-01', '', 'to', 'range_to_missing'],
    ['1999-12-31', '2026-03-01', 'from', 'range_too_early'],
    ['2026-03-02', '2026-03-01', 'from', 'range_reversed'],
    ['2026-03-01', '2026-03-16', 'to', 'range_in_future'],
    ['2023-03-14', '2026-03-15', 'from', 'range_too_long'],
  ])('from %j to %j is refused: %s %s', (from, to, field, reason) => {
    expect(rangeProblem({ from, to }, today)).toEqual({ field, reason });
  });

  test.each([
    ['2026-03-15', '2026-03-15'],
    ['2023-03-16', '2026-03-15'],
    ['2000-01-01', '2002-12-31'],
  ])('from %s to %s can be reported on', (from, to) => {
    expect(rangeProblem({ from, to }, today)).toBeNull();
  });

  test('lasts at most three years, including the leap day', () => {
    expect(rangeProblem({ from: '2022-03-01', to: '2025-02-28' }, today)).toBeNull();
    expect(rangeProblem({ from: '2022-02-28', to: '2025-02-28' }, today)).not.toBeNull();
  });

  test('fills in a missing start or end', () => {
    expect(rangeOf({}, today)).toEqual({ from: '2025-10-01', to: today });
    expect(rangeOf({ to: '2025-06-30' }, today)).toEqual({ from: '2025-01-01', to: '2025-06-30' });
    expect(rangeOf({ from: '2026-03-03' }, today)).toEqual({ from: '2026-03-03', to: today });
  });

  test('ends today or with last month for a preset', () => {
    expect(presets.map((preset) => presetRange(preset, today))).toEqual([
      { from: '2026-03-01', to: '2026-03-15' },
      { from: '2026-02-01', to: '2026-02-28' },
      { from: '2025-10-01', to: '2026-03-15' },
      { from: '2025-04-01', to: '2026-03-15' },
      { from: '2026-01-01', to: '2026-03-15' },
    ]);
    expect(presetRange('last_month', '2026-01-31')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
    for (const preset of presets) expect(rangeProblem(presetRange(preset, today), today)).toBeNull();
  });

  test('lists each of its months once, the first from its start date', () => {
    expect(monthsOf({ from: '2025-11-20', to: '2026-02-03' })).toEqual([
      { month: '2025-11', from: '2025-11-20' },
      { month: '2025-12', from: '2025-12-01' },
      { month: '2026-01', from: '2026-01-01' },
      { month: '2026-02', from: '2026-02-01' },
    ]);
    expect(monthsOf({ from: today, to: today })).toEqual([{ month: '2026-03', from: today }]);
  });
});

test('advances to the next day across month and year ends', () => {
  expect(['2026-02-28', '2024-02-28', '2025-12-31'].map(dayAfter)).toEqual([
    '2026-03-01',
    '2024-02-29',
    '2026-01-01',
  ]);
});

test('counts weekdays like a calendar', () => {
  for (const [from, to] of [
    ['2026-03-15', '2026-03-15'],
    ['2026-03-01', '2026-03-31'],
    ['2025-12-29', '2026-01-04'],
    ['2023-01-03', '2025-11-21'],
    ['2026-03-15', '2026-03-14'],
  ] as const) {
    const counted = [0, 0, 0, 0, 0, 0, 0];
    const end = Temporal.PlainDate.from(to);
    for (
      let day = Temporal.PlainDate.from(from);
      Temporal.PlainDate.compare(day, end) <= 0;
      day = day.add({ days: 1 })
    )
      counted[day.dayOfWeek - 1]! += 1;
    expect([1, 2, 3, 4, 5, 6, 7].map((weekday) => weekdaysBetween(weekday, { from, to }))).toEqual(counted);
  }
});

test('rounds a share to a whole percent, and returns null without a total', () => {
  expect(percentOf(1, 3)).toBe(33);
  expect(percentOf(2, 3)).toBe(67);
  expect(percentOf(0, 5)).toBe(0);
  expect(percentOf(0, 0)).toBeNull();
});

describe('bars', () => {
  test('scale to 500 sessions and 1,300 users, or to a larger maximum', () => {
    expect(fullBar([{ sessions: 12 }, { sessions: 499 }], 'sessions')).toBe(500);
    expect(fullBar([{ sessions: 501 }, { sessions: 3 }], 'sessions')).toBe(501);
    expect(fullBar([{ users: 1_299 }], 'users')).toBe(1_300);
    expect(fullBar([{ users: 90_000 }], 'users')).toBe(90_000);
  });

  test('are grouped in twelves, counting back from the last', () => {
    const months = Array.from({ length: 26 }, (_, index) => index);
    expect(inYears(months).map((part) => [part[0], part.at(-1)])).toEqual([
      [0, 1],
      [2, 13],
      [14, 25],
    ]);
    expect(inYears([1])).toEqual([[1]]);
    expect(inYears([])).toEqual([]);
  });
});
