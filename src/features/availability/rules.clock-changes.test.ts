import { Body, Observer, SearchHourAngle, SearchRiseSet } from 'astronomy-engine';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Interval } from '#/kernel/interval.ts';
import { dateFormat } from '#/kernel/date-text.ts';
import { proving, sampleOf } from '../../../tests/support/prove.ts';
import type { Rest } from './rest/contract.ts';
import {
  freeStarts,
  placeOf,
  refuseStart,
  stepMinutes,
  type FreeStartsQuery,
  type WallWindow,
} from './rules.ts';
import { effectiveTerms, noTerms } from './terms/rules.ts';

// The slow oracle reads every minute's wall clock from Intl, compares strings, and takes sunsets from another library.
// It shares nothing with the rules, which use Temporal's DST transitions.

const minute = 60_000;
const hour = 60 * minute;

type WallClock = (instant: number) => string;

/** Formats local time as `YYYY-MM-DD HH:MM`; the Swedish locale does so. */
function wallClock(timeZone: string): WallClock {
  const format = dateFormat(
    timeZone,
    {
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    },
    'sv-SE',
  );
  return (instant) => format.format(instant);
}

/** First instants after each DST change: weekly offset samples, then bisection. */
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

function shownAt(clock: WallClock, date: string, time: string): number {
  const wanted = Date.parse(`${date}T${time}Z`);
  let instant = wanted;
  for (let look = 0; look < 3; look += 1) instant += wanted - Date.parse(`${clock(instant)}Z`);
  return instant;
}

/** Rest days around an instant by definition: sunset to sunset, or every Sunday. */
function slowRests({ kind, place }: Rest, timeZone: string, instant: number): Interval[] {
  if (kind === 'none') return [];
  const clock = wallClock(kind === 'sabbath' ? (place!.timeZone ?? timeZone) : timeZone);
  const evening = (date: string) => {
    const noon = shownAt(clock, date, '12:00');
    const observer = new Observer(place!.latitude, place!.longitude, 0);
    const highest = SearchHourAngle(Body.Sun, observer, 0, new Date(noon - 12 * hour)).time;
    const set = SearchRiseSet(Body.Sun, observer, -1, highest, 0.5);
    return set ? set.date.getTime() : shownAt(clock, date, '18:00');
  };
  const after = (date: string) => new Date(Date.parse(date) + 24 * hour).toISOString().slice(0, 10);
  const dates = [-3, -2, -1, 0, 1, 2].map((days) => clock(instant + days * 24 * hour).slice(0, 10));
  return [...new Set(dates)]
    .filter((date) => new Date(date).getUTCDay() === (kind === 'sabbath' ? 5 : 0))
    .map((date) =>
      kind === 'sabbath'
        ? { start: evening(date), end: evening(after(date)) }
        : { start: firstOf(clock, date), end: firstOf(clock, after(date)) },
    );
}

function firstOf(clock: WallClock, date: string): number {
  let instant = Date.parse(`${date}T00:00Z`) - 16 * hour;
  while (clock(instant).slice(0, 10) < date) instant += minute;
  return instant;
}

function slowFreeStarts(query: FreeStartsQuery, minutes: Minute[], rests: Interval[], clock: WallClock) {
  const { inPerson, schedule } = query;
  if (!inPerson || !schedule.placed) return slowStartsIn(() => true, query, minutes, rests, clock);
  const starts = ['a', 'b'].flatMap((place) =>
    slowStartsIn(({ placeId }) => placeId === place, query, minutes, rests, clock),
  );
  return starts.toSorted((a, b) => a - b);
}

function slowStartsIn(
  counts: (window: WallWindow) => boolean,
  query: FreeStartsQuery,
  minutes: Minute[],
  rests: Interval[],
  clock: WallClock,
): number[] {
  const { busy, appointments, within, durationMinutes, bufferMinutes, earliest, dailyMaximum } = query;
  const windowsByDate = new Map(
    [...new Set(minutes.map(({ date }) => date))].map((date) => [
      date,
      windowsOn(date, query).filter(counts),
    ]),
  );
  const windowsOf = ({ date, time }: Minute) =>
    (windowsByDate.get(date) ?? []).filter(({ from, to }) => from <= time && time < to);
  const resting = ({ start }: Minute) =>
    rests.some((rest) => rest.start < start + minute && start < rest.end);
  const open = minutes.map((each) => windowsOf(each).length > 0 && !resting(each));
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

/** Queries around an instant, with windows starting and ending near its wall-clock time. */
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
    .chain(([from, to]) =>
      fc.record({
        from: fc.constant(timeOfDay(from!)),
        to: fc.constant(timeOfDay(to!)),
        placeId: fc.constantFrom('a', 'a', 'b', null, undefined),
      }),
    );
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
  const offset = Date.parse(`${minutes[0]!.date}T${minutes[0]!.time}Z`) - minutes[0]!.start;
  const meridian = (((offset / hour) * 15 + 540) % 360) - 180;
  const rest = fc.record({
    // Weighted toward the Sabbath, for more collisions.
    kind: fc.constantFrom('none', 'sunday', 'sabbath', 'sabbath'),
    place: fc.oneof(
      fc.record({
        name: fc.constant('near'),
        latitude: fc.constantFrom(-65, -45, 0, 33, 52, 65, 70, 89),
        longitude: fc.constantFrom(...[-25, 0, 15].map((east) => ((meridian + east + 540) % 360) - 180)),
        timeZone: fc.constant(null),
      }),
      fc.constant({ name: 'far', latitude: 31.78, longitude: 35.22, timeZone: 'Asia/Jerusalem' }),
    ),
  });
  const near = fc.integer({ min: -12 * 60, max: 12 * 60 }).map((distance) => instant + distance * minute);
  const busy = fc
    .tuple(near, fc.integer({ min: 0, max: 90 }), fc.constantFrom(0, 1, 59_999))
    .map(([start, length, odd]) => ({ start: start + odd, end: start + odd + length * minute }));
  return fc.record({
    schedule: fc.record({
      timeZone: fc.constant(timeZone),
      weekly,
      exceptions,
      rest,
      terms: fc.constant(noTerms),
      placed: fc.boolean(),
    }),
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
    inPerson: fc.boolean(),
  });
}

/** Site terms, a provider's own terms, and the effective result: site minimums and maximums apply. */
const termsOf = fc
  .record({
    bufferMinutes: fc.constantFrom(0, 10, 15),
    ownBuffer: fc.constantFrom(null, 0, 5, 30),
    dailyMaximum: fc.integer({ min: 1, max: 4 }),
    ownMaximum: fc.constantFrom(null, 1, 3, 9),
    advanceNoticeHours: fc.constantFrom(0, 2),
    ownNotice: fc.constantFrom(null, 0, 1, 7),
  })
  .map(({ ownBuffer, ownMaximum, ownNotice, ...site }) => ({
    site,
    own: { ...noTerms, bufferMinutes: ownBuffer, dailyMaximum: ownMaximum, noticeHours: ownNotice },
    bufferMinutes: [site.bufferMinutes, ownBuffer ?? 0].toSorted((a, b) => b - a)[0]!,
    dailyMaximum: [site.dailyMaximum, ownMaximum ?? 99].toSorted((a, b) => a - b)[0]!,
    noticeHours: [site.advanceNoticeHours, ownNotice ?? 0].toSorted((a, b) => b - a)[0]!,
  }));

function checkAround(timeZone: string, clock: WallClock, instant: number, numRuns: number): number {
  const minutes = minutesAround(clock, instant);
  let offered = 0;
  fc.assert(
    fc.property(questions(timeZone, minutes, instant), termsOf, (asked, terms) => {
      const { bufferMinutes, dailyMaximum, noticeHours } = terms;
      const now = asked.earliest;
      const held = { ...asked, bufferMinutes, dailyMaximum, earliest: now + noticeHours * hour };
      const rests = slowRests(asked.schedule.rest, timeZone, instant);
      const expected = slowFreeStarts(held, minutes, rests, clock);
      const effective = effectiveTerms(terms.site, terms.own);
      const query = { ...asked, ...effective, earliest: now + effective.advanceNoticeHours * hour };
      expect(freeStarts(query)).toEqual(expected);
      for (const { start } of minutes) {
        if (start < query.within.start || start >= query.within.end || start % (5 * minute) !== 0) continue;
        expect(refuseStart({ ...query, start, now: instant }) === null).toBe(expected.includes(start));
      }
      const needsPlace = asked.inPerson && asked.schedule.placed;
      for (const start of expected) expect(placeOf({ ...query, start }) !== null).toBe(needsPlace);
      offered += expected.length;
    }),
    { numRuns, seed: instant / minute },
  );
  return offered;
}

const zones = Intl.supportedValuesOf('timeZone');

describe('free times match a minute-by-minute oracle', () => {
  test.each([2011, 2026, 2040])('in every zone, at every clock change of %i', (year) => {
    let [changes, offered] = [0, 0];
    for (const timeZone of sampleOf(zones, 8)) {
      const clock = wallClock(timeZone);
      for (const change of clockChanges(clock, year)) {
        offered += checkAround(timeZone, clock, change, 2);
        changes += 1;
      }
    }
    if (!proving) return;
    expect(changes).toBeGreaterThan(200);
    expect(offered).toBeGreaterThan(changes);
  });

  test('in every zone, each on a different day', () => {
    const days = zones.map((timeZone, index) => [timeZone, index] as const);
    const offered = sampleOf(days, 12).map(([timeZone, index]) =>
      checkAround(timeZone, wallClock(timeZone), Date.UTC(2025, 0, 1 + index, 7 * index), 1),
    );
    if (!proving) return;
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
    const years = Array.from({ length: 30 }, (_, index) => 2005 + index);
    for (const year of sampleOf(years, 1))
      for (const change of clockChanges(clock, year)) checkAround(timeZone, clock, change, 5);
    const [change] = clockChanges(clock, 2026);
    const step = Date.parse(`${clock(change!)}Z`) - Date.parse(`${clock(change! - minute)}Z`) - minute;
    expect(Math.abs(step)).toBe(hours * hour);
  });

  test('around December 30, 2011, which Samoa skipped', () => {
    const clock = wallClock('Pacific/Apia');
    const change = clockChanges(clock, 2011).at(-1)!;
    expect([clock(change - minute), clock(change)]).toEqual(['2011-12-29 23:59', '2011-12-31 00:00']);
    checkAround('Pacific/Apia', clock, change, proving ? 200 : 8);
  });
});
