import { describe, expect, it } from 'vitest';
import { dateFormat } from '#/kernel/date-text.ts';
import { sampleOf } from '../../../../tests/support/prove.ts';
import { morningOf, nextMonday, nextMorning } from './rules.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Local time from Intl, independent of the rules under test. */
function clockOf(timeZone: string) {
  const format = dateFormat(timeZone, {
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    weekday: 'short',
  });
  return (at: number) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const { year, month, day: date, hour, weekday } = parts as Record<string, string>;
    return { date: `${year}-${month}-${date}`, hour: Number(hour), weekday };
  };
}

/** Brute-force oracle: scans minute by minute for the next date to reach 07:00. */
function oracle(now: number, timeZone: string, weekday?: string): number {
  const clock = clockOf(timeZone);
  const had = new Set<string>();
  for (let at = now - 2 * day; ; at += minute) {
    const shown = clock(at);
    if (shown.hour < 7 || had.has(shown.date)) continue;
    had.add(shown.date);
    // The first scanned day may have reached 07:00 before the scan.
    if (at > now && (!weekday || shown.weekday === weekday)) return at;
  }
}

const zones: [zone: string, around: string][] = [
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['Asia/Kathmandu', '2026-05-10T00:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['America/St_Johns', '2026-03-08T05:30:00Z'],
  // Apia skipped December 30, 2011.
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  // Kiritimati skipped January 1, 1995.
  ['Pacific/Kiritimati', '1995-01-01T10:00:00Z'],
  ['Pacific/Kwajalein', '1993-08-21T12:00:00Z'],
  ['Africa/Casablanca', '2026-03-22T02:00:00Z'],
  ['Antarctica/Casey', '2018-03-10T17:00:00Z'],
  ['Pacific/Honolulu', '2026-07-01T00:00:00Z'],
  ['UTC', '2028-02-29T00:00:00Z'],
];

describe('the next morning', () => {
  it.each(zones)('in %s around %s is the next local 07:00', (zone, around) => {
    const middle = Date.parse(around);
    const hoursAround = Array.from({ length: 13 }, (_, index) => index * 5 - 30);
    for (const hours of sampleOf(hoursAround, 4)) {
      const now = middle + hours * 60 * minute + 7 * minute;
      const next = nextMorning(Temporal.Instant.fromEpochMilliseconds(now), zone);
      expect(new Date(next.epochMilliseconds).toISOString(), String(hours)).toBe(
        new Date(oracle(now, zone)).toISOString(),
      );
    }
  });

  it('is the following day at 07:00 exactly, and today a moment earlier', () => {
    const seven = Temporal.Instant.from('2026-03-08T11:00:00Z');
    const text = (at: Temporal.Instant) => nextMorning(at, 'America/New_York').toString();
    expect(text(seven)).toBe('2026-03-09T11:00:00Z');
    expect(text(seven.subtract({ nanoseconds: 1 }))).toBe('2026-03-08T11:00:00Z');
  });

  it.each(zones.slice(0, 7))('in %s on a Monday, around %s', (zone, around) => {
    const now = Date.parse(around);
    const next = nextMonday(Temporal.Instant.fromEpochMilliseconds(now), zone);
    expect(next.epochMilliseconds).toBe(oracle(now, zone, 'Mon'));
  });
});

it.each([
  ['2026-03-08T10:59:59Z', null],
  ['2026-03-08T11:00:00Z', '2026-03-08'],
  ['2026-03-08T15:59:59Z', '2026-03-08'],
  ['2026-03-08T16:00:00Z', null],
])('counts 7 AM to noon in New York as morning: %s', (now, date) => {
  expect(morningOf(Temporal.Instant.from(now), 'America/New_York')?.toString() ?? null).toBe(date);
});
