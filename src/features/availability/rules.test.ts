import { expect, test } from 'vitest';
import { timeLabel } from '#/kernel/wall-clock.ts';
import { noTerms } from './terms/rules.ts';
import { defaultWeek, freeStarts, refuseStart, type FreeStartsQuery, type Schedule } from './rules.ts';

const newYork = 'America/New_York';
const minute = 60_000;
const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;
const wallClock = (instant: number, timeZone = newYork) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);

function localDate(date: string, timeZone = newYork) {
  const start = Temporal.PlainDate.from(date).toZonedDateTime(timeZone);
  return { start: start.epochMilliseconds, end: start.add({ days: 1 }).startOfDay().epochMilliseconds };
}

const usual: Schedule = {
  timeZone: newYork,
  weekly: defaultWeek,
  exceptions: [],
  rest: { kind: 'none', place: null },
  terms: noTerms,
  placed: false,
};

function query(changes: Partial<FreeStartsQuery>): FreeStartsQuery {
  return {
    schedule: usual,
    busy: [],
    appointments: [],
    within: localDate('2026-03-09'),
    durationMinutes: 30,
    bufferMinutes: 0,
    earliest: 0,
    dailyMaximum: 100,
    inPerson: false,
    ...changes,
  };
}

function labels(changes: Partial<FreeStartsQuery>): string[] {
  return freeStarts(query(changes)).map((start) => {
    const shown = wallClock(start, changes.schedule?.timeZone);
    return timeLabel(shown.hour, shown.minute);
  });
}

const morning = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'].map((time) => `${time} AM`);
const afternoon = [
  '02:00',
  '02:30',
  '03:00',
  '03:30',
  '04:00',
  '04:30',
  '05:00',
  '05:30',
  '06:00',
  '06:30',
].map((time) => `${time} PM`);
const eighteen = [...morning, '12:00 PM', '12:30 PM', ...afternoon];
const without = (...dropped: string[]) => eighteen.filter((label) => !dropped.includes(label));

test('offers the spec’s 18 labels on an empty default day, none on Sunday', () => {
  expect(eighteen).toHaveLength(18);
  for (const date of ['2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13', '2026-03-14']) {
    expect(labels({ within: localDate(date) })).toEqual(eighteen);
  }
  expect(labels({ within: localDate('2026-03-08') })).toEqual([]);
  expect(labels({ within: localDate('2026-03-15') })).toEqual([]);
});

test('drops times that a longer session doesn’t fit', () => {
  expect(labels({ durationMinutes: 60 })).toEqual(without('12:30 PM', '06:30 PM'));
  expect(labels({ durationMinutes: 90 })).toEqual(without('12:00 PM', '12:30 PM', '06:00 PM', '06:30 PM'));
  expect(labels({ durationMinutes: 271 })).toEqual(['02:00 PM']);
});

test('lets the buffer extend past the end of the hours', () => {
  expect(labels({ bufferMinutes: 45 })).toEqual(eighteen);
});

test.each([
  ['2026-03-08', '2026-03-08T17:00Z', '2026-03-08T22:00Z'],
  ['2026-11-01', '2026-11-01T18:00Z', '2026-11-01T23:00Z'],
])('local 13:00–18:00 on %s is %s to %s', (date, from, to) => {
  const schedule = { ...usual, weekly: [{ weekday: 7, from: '13:00', to: '18:00' }] };
  const asked = { schedule, within: localDate(date) };
  expect(freeStarts(query({ ...asked, durationMinutes: 300 }))).toEqual([at(from)]);
  const starts = freeStarts(query(asked));
  expect(starts[0]).toBe(at(from));
  expect(starts.at(-1)).toBe(at(to) - 30 * minute);
});

test('counts 24 hours’ notice as 24 hours across a DST change', () => {
  const now = at('2026-03-07T17:00Z');
  expect(wallClock(now).toPlainTime().toString()).toBe('12:00:00');
  const sunday = { date: '2026-03-08', windows: [{ from: '09:00', to: '19:00' }] };
  const schedule = { ...usual, exceptions: [sunday] };
  const asked = query({ schedule, within: localDate('2026-03-08'), earliest: now + 24 * 60 * minute });
  const [first] = freeStarts(asked);
  expect(wallClock(first!).toString({ smallestUnit: 'minute', timeZoneName: 'never' })).toBe(
    '2026-03-08T13:00-04:00',
  );
  expect(refuseStart({ ...asked, start: first! - 30 * minute, now })).toBe('too_little_notice');
});

test('replaces the weekly hours of a date with its exception', () => {
  const exceptions = [
    { date: '2026-03-09', windows: [] },
    { date: '2026-03-15', windows: [{ from: '10:15', to: '11:30' }] },
  ];
  const schedule = { ...usual, exceptions };
  expect(labels({ schedule })).toEqual([]);
  expect(labels({ schedule, within: localDate('2026-03-15') })).toEqual(['10:15 AM', '10:45 AM']);
  expect(labels({ schedule, within: localDate('2026-03-10') })).toEqual(eighteen);
});

test('allows a session across two adjacent windows, even at midnight', () => {
  const weekly = [
    { weekday: 1, from: '22:00', to: '23:00' },
    { weekday: 1, from: '23:00', to: '24:00' },
    { weekday: 2, from: '00:00', to: '00:30' },
  ];
  const asked = { schedule: { ...usual, weekly }, durationMinutes: 60 };
  expect(labels(asked)).toEqual(['10:00 PM', '10:30 PM', '11:00 PM', '11:30 PM']);
});

test('offers the first of a repeated hour, and nothing in a skipped one', () => {
  const weekly = [{ weekday: 7, from: '01:00', to: '03:00' }];
  const schedule = { ...usual, weekly };
  expect(freeStarts(query({ schedule, within: localDate('2026-11-01') }))).toEqual(
    ['05:00', '05:30', '07:00', '07:30'].map((time) => at(`2026-11-01T${time}Z`)),
  );
  expect(freeStarts(query({ schedule, within: localDate('2026-03-08') }))).toEqual(
    ['06:00', '06:30'].map((time) => at(`2026-03-08T${time}Z`)),
  );
});

test('removes times whose session or buffer meets a busy time, in any order', () => {
  const busy = [
    { start: at('2026-03-09T18:00Z'), end: at('2026-03-09T18:45Z') },
    { start: at('2026-03-09T13:00Z'), end: at('2026-03-09T16:00Z') },
    { start: at('2026-03-09T14:00Z'), end: at('2026-03-09T14:15Z') },
    { start: at('2026-03-09T20:10Z'), end: at('2026-03-09T20:10Z') },
  ];
  expect(labels({ busy })).toEqual(without(...morning, '02:00 PM', '02:30 PM'));
  expect(labels({ busy: busy.slice(0, 1), bufferMinutes: 15 })).toEqual(without('02:00 PM', '02:30 PM'));
  expect(
    labels({ busy: [{ start: at('2026-03-09T14:05Z'), end: at('2026-03-09T14:06Z') }], bufferMinutes: 10 }),
  ).toEqual(without('09:30 AM', '10:00 AM'));
});

test('limits a day by the appointments starting on the local date', () => {
  const appointments = ['2026-03-10T03:59Z', '2026-03-09T04:00Z', '2026-03-10T04:00Z'].map(at);
  expect(labels({ appointments, dailyMaximum: 3 })).toEqual(eighteen);
  expect(labels({ appointments, dailyMaximum: 2 })).toEqual([]);
  expect(labels({ appointments, dailyMaximum: 2, within: localDate('2026-03-10') })).toEqual(eighteen);
  expect(labels({ dailyMaximum: 0 })).toEqual([]);
});

test('returns only times within the span', () => {
  const nine = at('2026-03-09T13:00Z');
  expect(freeStarts(query({ within: { start: nine, end: nine + 30 * minute } }))).toEqual([nine]);
  expect(freeStarts(query({ within: { start: nine + 1, end: nine + 30 * minute } }))).toEqual([]);
  expect(freeStarts(query({ within: { start: nine, end: nine } }))).toEqual([]);
});

test.each([
  ['past', '2026-03-08T15:00Z'],
  ['too_little_notice', '2026-03-09T14:00Z'],
  ['outside_hours', '2026-03-15T15:00Z'],
  ['outside_hours', '2026-03-09T16:30Z'],
  ['outside_hours', '2026-03-09T17:00Z'],
  ['outside_hours', '2026-03-10T00:00Z'],
  ['unaligned', '2026-03-09T15:10Z'],
  ['unaligned', '2026-03-09T15:00:00.001Z'],
  ['day_full', '2026-03-10T15:00Z'],
  ['taken', '2026-03-09T15:30Z'],
  [null, '2026-03-09T15:00Z'],
])('says %s of %s', (refusal, start) => {
  const { within: _, ...asked } = query({
    durationMinutes: 60,
    earliest: at('2026-03-09T14:30Z'),
    appointments: [at('2026-03-10T18:00Z')],
    busy: [{ start: at('2026-03-09T16:00Z'), end: at('2026-03-09T16:15Z') }],
    dailyMaximum: 1,
  });
  expect(refuseStart({ ...asked, start: at(start), now: at('2026-03-08T16:00Z') })).toBe(refusal);
});

test('rejects a time zone unknown to the runtime', () => {
  expect(() => freeStarts(query({ schedule: { ...usual, timeZone: 'Mars/Olympus' } }))).toThrow(RangeError);
});
