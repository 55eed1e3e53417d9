import { expect, test } from 'vitest';
import type { Schedule } from '#/features/availability/rules.ts';
import { noTerms } from '#/features/availability/terms/rules.ts';
import { decideBooking, openStarts, type BookingQuery, type BusyTime } from './rules.ts';

const minute = 60_000;
const nine = Date.parse('2026-03-09T09:00:00Z');
const schedule: Schedule = {
  timeZone: 'UTC',
  weekly: [{ weekday: 1, from: '09:00', to: '19:00' }],
  exceptions: [],
  rest: { kind: 'none', place: null },
  terms: noTerms,
  placed: false,
};

function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const buffers = [0, 5, 15, 30, 45, 60, 120];

test('applies the larger of the stored and current buffer after a session', () => {
  const random = chance(20_260_309);
  const pick = <T>(of: readonly T[]): T => of[random(of.length)]!;
  let refusedByRaise = 0;
  for (let round = 0; round < 400; round++) {
    const busy: BusyTime[] = Array.from({ length: 1 + random(4) }, () => {
      const start = nine + random(20) * 30 * minute;
      const sessionEnd = start + pick([30, 45, 60, 90]) * minute;
      if (random(4) === 0) return { start, end: sessionEnd, sessionEnd: null };
      return { start, end: sessionEnd + pick(buffers) * minute, sessionEnd };
    });
    const site = pick(buffers);
    const own = pick([null, ...buffers]);
    const buffer = Math.max(site, own ?? 0);
    const length = pick([30, 60, 90]);
    const query = {
      diary: {
        schedule: { ...schedule, terms: { ...noTerms, bufferMinutes: own } },
        busy,
        appointments: [],
      },
      own: [],
      settings: { bufferMinutes: site, advanceNoticeHours: 0, dailyMaximum: 100 },
      inPerson: false,
      now: nine,
    };
    // Brute-force oracle: checks each minute against blocked time, sessions and both buffers.
    const blocked = (at: number, bufferOf: (time: BusyTime) => number) =>
      busy.some((time) => at >= time.start && at < bufferOf(time));
    const stored = ({ end }: BusyTime) => end;
    const larger = (time: BusyTime) =>
      time.sessionEnd === null ? time.end : Math.max(time.end, time.sessionEnd + buffer * minute);
    const free = (start: number, bufferOf: (time: BusyTime) => number) => {
      for (let at = start; at < start + (length + buffer) * minute; at += minute)
        if (blocked(at, bufferOf)) return false;
      return true;
    };
    const grid = Array.from({ length: 20 }, (_, step) => nine + step * 30 * minute).filter(
      (start) => start + length * minute <= nine + 600 * minute,
    );
    const expected = grid.filter((start) => free(start, larger));
    refusedByRaise += grid.filter((start) => free(start, stored)).length - expected.length;
    expect(openStarts(query, length, { start: nine, end: nine + 600 * minute })).toEqual(expected);
    for (const start of grid) {
      const input = { start, durationMinutes: length, recurrence: 'one_time' as const, sessions: 1 };
      const wanted = expected.includes(start) ? null : 'slot_taken';
      expect(decideBooking({ ...query, input })[0]!.refusal).toBe(wanted);
      expect(decideBooking({ ...query, input, outsideHours: true })[0]!.refusal).toBe(wanted);
    }
  }
  expect(refusedByRaise).toBeGreaterThan(100);
});

const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;

interface Series extends Omit<BookingQuery['input'], 'start' | 'durationMinutes'> {
  first: number;
  timeZone: string;
}

/** Starts of a series with their local dates; null for a start that clocks skip. */
const seriesStarts = ({ first, timeZone, ...series }: Series) =>
  decideBooking({
    input: { ...series, start: first, durationMinutes: 60 },
    diary: { schedule: { ...schedule, timeZone }, busy: [], appointments: [] },
    own: [],
    settings: { bufferMinutes: 15, advanceNoticeHours: 0, dailyMaximum: 100 },
    inPerson: false,
    now: first,
  }).map(({ localDate, start, refusal }) => ({
    date: localDate,
    start: refusal === 'skipped_time' ? null : start,
  }));

const instants = (series: Series) =>
  seriesStarts(series).map(({ start }) => start && Temporal.Instant.fromEpochMilliseconds(start).toString());

test('keeps a weekly local time across the change to daylight saving time', () => {
  const series = { first: at('2026-02-23T20:00Z'), timeZone: 'America/New_York', sessions: 4 };
  expect(instants({ ...series, recurrence: 'weekly' })).toEqual([
    '2026-02-23T20:00:00Z',
    '2026-03-02T20:00:00Z',
    '2026-03-09T19:00:00Z',
    '2026-03-16T19:00:00Z',
  ]);
  expect(instants({ ...series, recurrence: 'biweekly' })).toEqual([
    '2026-02-23T20:00:00Z',
    '2026-03-09T19:00:00Z',
    '2026-03-23T19:00:00Z',
    '2026-04-06T19:00:00Z',
  ]);
});

test('returns one start for a one-time session, whatever number is requested', () => {
  const first = at('2026-02-23T20:00Z');
  expect(seriesStarts({ first, timeZone: 'America/New_York', recurrence: 'one_time', sessions: 12 })).toEqual(
    [{ date: '2026-02-23', start: first }],
  );
});

test('returns no start for a time the clocks skip, and doesn’t move it', () => {
  const series = { first: at('2026-03-01T07:30Z'), timeZone: 'America/New_York', sessions: 3 };
  expect(seriesStarts({ ...series, recurrence: 'weekly' })).toEqual([
    { date: '2026-03-01', start: series.first },
    { date: '2026-03-08', start: null },
    { date: '2026-03-15', start: at('2026-03-15T06:30Z') },
  ]);
});

test('returns no start for a date the calendar skips', () => {
  const series = { first: at('2011-12-23T19:00Z'), timeZone: 'Pacific/Apia', sessions: 2 };
  expect(seriesStarts({ ...series, recurrence: 'weekly' })).toEqual([
    { date: '2011-12-23', start: series.first },
    { date: '2011-12-30', start: null },
  ]);
});

test('uses the first occurrence of a time the clocks repeat', () => {
  const series = { first: at('2026-10-25T05:30Z'), timeZone: 'America/New_York', sessions: 3 };
  expect(instants({ ...series, recurrence: 'weekly' })).toEqual([
    '2026-10-25T05:30:00Z',
    '2026-11-01T05:30:00Z',
    '2026-11-08T06:30:00Z',
  ]);
});
