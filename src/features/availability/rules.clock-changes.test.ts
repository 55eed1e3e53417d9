import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freeStarts, refuseStart, stepMinutes, type FreeStartsQuery, type WallWindow } from './rules.ts';

// A slow oracle reads the wall clock of every minute from Intl and decides by comparing texts. It shares nothing with
// the rules, which reckon with the clock changes that Temporal names.

const minute = 60_000;
const hour = 60 * minute;

type WallClock = (instant: number) => string;

/** Reads a zone's clock as `YYYY-MM-DD HH:MM`, which is how Swedish writes it. */
function wallClock(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (instant) => format.format(instant);
}

/** The first instants after a clock change, found by asking for the offset week by week and then closing in. */
function clockChanges(clock: WallClock, year: number): number[] {
  const offset = (instant: number) => Date.parse(`${clock(instant)}Z`) - instant;
  const week = 7 * 24 * hour;
  const changes: number[] = [];
  for (let from = Date.UTC(year, 0, 1); from < Date.UTC(year + 1, 0, 1); from += week) {
    let [before, after] = [from, from + week];
    if (offset(before) === offset(after)) continue;
    while (after - before > minute) {
      const middle = before + Math.round((after - before) / 2 / minute) * minute;
      if (offset(middle) === offset(before)) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

interface Minute {
  start: number;
  date: string;
  time: string;
  firstShown: boolean;
}

/** What the clock shows minute by minute in the hours around an instant: more of them than the questions reach. */
function minutesAround(clock: WallClock, instant: number): Minute[] {
  const shown = new Set<string>();
  const minutes: Minute[] = [];
  for (let start = instant - 14 * hour; start < instant + 18 * hour; start += minute) {
    const text = clock(start);
    minutes.push({ start, date: text.slice(0, 10), time: text.slice(11), firstShown: !shown.has(text) });
    shown.add(text);
  }
  return minutes;
}

const minuteOfDay = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeOfDay = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

function windowsOn(date: string, { schedule }: FreeStartsQuery): readonly WallWindow[] {
  const exception = schedule.exceptions.find((other) => other.date === date);
  const weekday = new Date(`${date}T00:00Z`).getUTCDay() || 7;
  return exception?.windows ?? schedule.weekly.filter((window) => window.weekday === weekday);
}

/** The free starts as the rule is written, minute by minute. */
function slowFreeStarts(query: FreeStartsQuery, minutes: Minute[], clock: WallClock): number[] {
  const { busy, appointments, within, durationMinutes, bufferMinutes, earliest, dailyMaximum } = query;
  const windowsByDate = new Map(
    [...new Set(minutes.map(({ date }) => date))].map((date) => [date, windowsOn(date, query)]),
  );
  const windowsOf = ({ date, time }: Minute) =>
    (windowsByDate.get(date) ?? []).filter(({ from, to }) => from <= time && time < to);
  const open = minutes.map((each) => windowsOf(each).length > 0);
  const appointmentDates = appointments.map((start) => clock(start).slice(0, 10));
  return minutes
    .filter((each, index) => {
      const { start, date, time, firstShown } = each;
      const blockedUntil = start + (durationMinutes + bufferMinutes) * minute;
      return (
        start >= within.start &&
        start < within.end &&
        start >= earliest &&
        firstShown &&
        windowsOf(each).some(({ from }) => (minuteOfDay(time) - minuteOfDay(from)) % stepMinutes === 0) &&
        open.slice(index, index + durationMinutes).every(Boolean) &&
        appointmentDates.filter((other) => other === date).length < dailyMaximum &&
        !busy.some((other) => other.start < other.end && other.start < blockedUntil && start < other.end)
      );
    })
    .map(({ start }) => start);
}

/** Questions about the hours around an instant, with windows that begin and end near what the clock shows around it. */
function questions(timeZone: string, minutes: Minute[], instant: number): fc.Arbitrary<FreeStartsQuery> {
  const shownNear = minutes
    .filter(({ start }) =>
      [-91, -61, -60, -31, -30, -1, 0, 1, 29, 30, 60, 97].includes((start - instant) / minute),
    )
    .map(({ time }) => minuteOfDay(time));
  const mark = fc.oneof(
    fc.constantFrom(...shownNear),
    fc.constantFrom(0, 24 * 60),
    fc.integer({ min: 0, max: 48 }).map((step) => step * stepMinutes),
    fc.integer({ min: 0, max: 24 * 60 }),
  );
  const window = fc
    .tuple(mark, mark)
    .filter(([a, b]) => a !== b)
    .map((marks) => marks.toSorted((a, b) => a - b))
    .map(([from, to]) => ({ from: timeOfDay(from!), to: timeOfDay(to!) }));
  const weekly = fc
    .tuple(
      fc.array(window, { minLength: 1, maxLength: 4 }),
      fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 3 }),
    )
    .map(([windows, weekdays]) =>
      weekdays.flatMap((weekday) => windows.map((each) => ({ ...each, weekday }))),
    );
  const dates = [...new Set(minutes.map(({ date }) => date))];
  const exceptions = fc.uniqueArray(
    fc.record({ date: fc.constantFrom(...dates), windows: fc.array(window, { maxLength: 2 }) }),
    { selector: ({ date }) => date, maxLength: 2 },
  );
  const near = fc.integer({ min: -12 * 60, max: 12 * 60 }).map((distance) => instant + distance * minute);
  const busy = fc
    .tuple(near, fc.integer({ min: 0, max: 90 }), fc.constantFrom(0, 1, 59_999))
    .map(([start, length, odd]) => ({ start: start + odd, end: start + odd + length * minute }));
  return fc.record({
    schedule: fc.record({ timeZone: fc.constant(timeZone), weekly, exceptions }),
    busy: fc.array(busy, { maxLength: 4 }),
    appointments: fc.array(near, { maxLength: 4 }),
    within: fc
      .tuple(near, near)
      .map((ends) => ends.toSorted((a, b) => a - b))
      .map(([start, end]) => ({ start: start!, end: end! })),
    durationMinutes: fc.constantFrom(1, 30, 45, 60, 90),
    bufferMinutes: fc.constantFrom(0, 10, 15, 60),
    earliest: fc.oneof(fc.constant(0), near),
    dailyMaximum: fc.integer({ min: 1, max: 4 }),
  });
}

/** Holds the rules against the oracle with some questions about the hours around an instant; tells how many starts came. */
function holdAround(timeZone: string, clock: WallClock, instant: number, numRuns: number): number {
  const minutes = minutesAround(clock, instant);
  let offered = 0;
  fc.assert(
    fc.property(questions(timeZone, minutes, instant), (query) => {
      const expected = slowFreeStarts(query, minutes, clock);
      expect(freeStarts(query)).toEqual(expected);
      for (const { start } of minutes) {
        if (start < query.within.start || start >= query.within.end || start % (5 * minute) !== 0) continue;
        expect(refuseStart({ ...query, start, now: instant }) === null).toBe(expected.includes(start));
      }
      offered += expected.length;
    }),
    { numRuns, seed: instant / minute },
  );
  return offered;
}

const zones = Intl.supportedValuesOf('timeZone');

describe('free starts are what a minute-by-minute oracle says', () => {
  test.each([2011, 2026, 2040])('in every zone, at every clock change of %i', (year) => {
    let [changes, offered] = [0, 0];
    for (const timeZone of zones) {
      const clock = wallClock(timeZone);
      for (const change of clockChanges(clock, year)) {
        offered += holdAround(timeZone, clock, change, 2);
        changes += 1;
      }
    }
    expect(changes).toBeGreaterThan(200);
    expect(offered).toBeGreaterThan(changes);
  });

  test('in every zone, on a day of its own', () => {
    const offered = zones.map((timeZone, index) =>
      holdAround(timeZone, wallClock(timeZone), Date.UTC(2025, 0, 1 + index, 7 * index), 1),
    );
    expect(Math.max(...offered)).toBeGreaterThan(0);
  });

  test.each([
    ['America/New_York', 1],
    ['America/St_Johns', 1],
    ['Asia/Beirut', 1],
    ['Australia/Adelaide', 1],
    ['Australia/Lord_Howe', 0.5],
    ['Pacific/Chatham', 1],
    ['Antarctica/Troll', 2],
  ])('more closely in %s, over many years', (timeZone, hours) => {
    const clock = wallClock(timeZone);
    for (let year = 2005; year < 2035; year += 1) {
      for (const change of clockChanges(clock, year)) holdAround(timeZone, clock, change, 5);
    }
    const [change] = clockChanges(clock, 2026);
    const step = Date.parse(`${clock(change!)}Z`) - Date.parse(`${clock(change! - minute)}Z`) - minute;
    expect(Math.abs(step)).toBe(hours * hour);
  });

  test('around the 30 December 2011 that Samoa left out', () => {
    const clock = wallClock('Pacific/Apia');
    const change = clockChanges(clock, 2011).at(-1)!;
    expect([clock(change - minute), clock(change)]).toEqual(['2011-12-29 23:59', '2011-12-31 00:00']);
    holdAround('Pacific/Apia', clock, change, 200);
  });
});
