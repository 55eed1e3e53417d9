import { expect, test } from 'vitest';
import { seriesStarts } from './rules.ts';

const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;
const instants = (series: Parameters<typeof seriesStarts>[0]) =>
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
