import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AvailabilityView } from '../contract.ts';
import { noTerms } from '../terms/rules.ts';
import { weeklyProblems } from '../week/rules.ts';
import { draftOf, typedFrom, withDay, toggleDay, type TypedWeek } from './week-draft.ts';
import {
  cellsOf,
  keyedSpan,
  minuteOf,
  openMinutes,
  wallTime,
  withHours,
  withoutHours,
} from './week-spans.ts';

const places = [null, 'church', 'office'] as const;
const quarter = 15;

function weekOf(weekly: AvailabilityView['weekly']): TypedWeek {
  return typedFrom({
    version: 1,
    timeZone: 'America/New_York',
    weekly,
    terms: noTerms,
    rest: { kind: 'none', place: null },
    approvesFirst: false,
    dates: [],
    places: [],
    site: { bufferMinutes: 15, noticeHours: 24, dailyMaximum: 8, sessionLengths: [30, 60] },
    today: '2026-03-02',
  });
}

const hour = (weekday: number, from: string, to: string, placeId: string | null = null) => ({
  weekday,
  from,
  to,
  placeId,
});

const hoursOf = (week: TypedWeek, day: number) =>
  draftOf(week)
    .draft.weekly.filter(({ weekday }) => weekday === day)
    .map(({ from, to, placeId }) => `${from}-${to}${placeId ? ` ${placeId}` : ''}`);

const keyOf = (week: TypedWeek, day: number, index = 0) => week.days[day - 1]!.windows[index]!.key;

/** Each quarter hour of the week and its place: an oracle that knows no windows. */
function quartersOf(week: TypedWeek): Map<string, string | null> {
  const quarters = new Map<string, string | null>();
  for (const { weekday, from, to, placeId } of draftOf(week).draft.weekly)
    for (let minute = minuteOf(from); minute < minuteOf(to); minute += quarter)
      quarters.set(`${weekday} ${minute}`, placeId ?? null);
  return quarters;
}

const someSpan = fc
  .record({
    day: fc.integer({ min: 1, max: 7 }),
    from: fc.integer({ min: 0, max: 95 }),
    length: fc.integer({ min: 1, max: 40 }),
    placeId: fc.constantFrom(...places),
  })
  .map(({ day, from, length, placeId }) => ({
    day,
    from: from * quarter,
    to: Math.min(from + length, 96) * quarter,
    placeId,
  }));

/** Up to four windows a day at any place, with or without gaps. */
const someWeek = fc
  .array(
    fc.array(
      fc.record({
        gap: fc.integer({ min: 0, max: 8 }),
        length: fc.integer({ min: 1, max: 16 }),
        placeId: fc.constantFrom(...places),
      }),
      { maxLength: 4 },
    ),
    { minLength: 7, maxLength: 7 },
  )
  .map((days) =>
    weekOf(
      days.flatMap((windows, index) => {
        let at = 0;
        return windows.flatMap(({ gap, length, placeId }) => {
          const [from, to] = [at + gap, Math.min(at + gap + length, 96)];
          at = to;
          return from < to
            ? [hour(index + 1, wallTime(from * quarter), wallTime(to * quarter), placeId)]
            : [];
        });
      }),
    ),
  );

describe('opened hours', () => {
  it('join those they touch at the same place', () => {
    const week = weekOf([hour(1, '09:00', '12:00'), hour(1, '14:00', '17:00')]);
    const open = (from: number, to: number) =>
      hoursOf(withHours(week, { day: 1, from: from * 60, to: to * 60, placeId: null })!.week, 1);
    expect(open(12, 13)).toEqual(['09:00-13:00', '14:00-17:00']);
    expect(open(11, 15)).toEqual(['09:00-17:00']);
    expect(open(12.5, 13.5)).toEqual(['09:00-12:00', '12:30-13:30', '14:00-17:00']);
    expect(open(20, 24)).toEqual(['09:00-12:00', '14:00-17:00', '20:00-24:00']);
  });

  it('leave hours at another place as they are', () => {
    const week = weekOf([hour(1, '12:00', '13:00', 'church')]);
    const open = (from: number, to: number) =>
      withHours(week, { day: 1, from: from * 60, to: to * 60, placeId: null });
    expect(hoursOf(open(9, 17)!.week, 1)).toEqual(['09:00-12:00', '12:00-13:00 church', '13:00-17:00']);
    expect(open(12, 13)).toBe(null);
  });

  it('move with their key, and leave a day off that had no others', () => {
    const week = weekOf([hour(1, '09:00', '12:00'), hour(2, '10:00', '11:00')]);
    const key = keyOf(week, 1);
    const moved = withHours(week, { day: 2, from: 660, to: 840, placeId: null }, key)!;
    expect(moved.key).toBe(key);
    expect(hoursOf(moved.week, 2)).toEqual(['10:00-14:00']);
    expect(moved.week.days[0]).toMatchObject({ off: true, windows: [] });
  });

  it('replace the remembered hours of a day that is off', () => {
    const week = withDay(weekOf([hour(1, '09:00', '12:00')]), 1, toggleDay);
    const opened = withHours(week, { day: 1, from: 840, to: 900, placeId: null })!;
    expect(hoursOf(opened.week, 1)).toEqual(['14:00-15:00']);
  });

  it('are exactly the wanted ones that no other place has, whatever the week', () => {
    fc.assert(
      fc.property(someWeek, someSpan, fc.boolean(), fc.nat(), (week, span, moves, pick) => {
        const keys = week.days.flatMap(({ windows }) => windows.map(({ key }) => key));
        const moved = moves && keys.length > 0 ? keys[pick % keys.length] : undefined;
        const expected = quartersOf(moved === undefined ? week : withoutHours(week, moved));
        let isAny = false;
        for (let minute = span.from; minute < span.to; minute += quarter) {
          const at = `${span.day} ${minute}`;
          if (expected.has(at) && expected.get(at) !== span.placeId) continue;
          expected.set(at, span.placeId);
          isAny = true;
        }
        const opened = withHours(week, span, moved);
        expect(opened === null).toBe(!isAny);
        fc.pre(isAny);
        const { weekly } = draftOf(opened!.week).draft;
        expect(quartersOf(opened!.week)).toEqual(expected);
        expect(weeklyProblems(weekly, 'weekly', ['church', 'office'])).toEqual([]);
        const windows = opened!.week.days.flatMap((day) => day.windows);
        expect(new Set(windows.map(({ key }) => key)).size).toBe(windows.length);
        expect(windows.some(({ key }) => key === opened!.key)).toBe(true);
      }),
    );
  });
});

it('continues hours past midnight on the next day, and on Monday after Sunday', () => {
  const open = (day: number, from: number, to: number) => {
    const { week } = withHours(weekOf([]), { day, from: from * 60, to: to * 60, placeId: null })!;
    return draftOf(week).draft.weekly.map((one) => `${one.weekday} ${one.from}-${one.to}`);
  };
  expect(open(1, 20, 0)).toEqual(['1 20:00-24:00']);
  expect(open(1, 22, 2)).toEqual(['1 22:00-24:00', '2 00:00-02:00']);
  expect(open(7, 22, 2)).toEqual(['1 00:00-02:00', '7 22:00-24:00']);
});

it('removes hours, and turns the day off with its last ones', () => {
  const week = weekOf([hour(1, '09:00', '12:00'), hour(1, '14:00', '17:00')]);
  const once = withoutHours(week, keyOf(week, 1));
  expect(once.days[0]).toMatchObject({ off: false });
  expect(hoursOf(once, 1)).toEqual(['14:00-17:00']);
  expect(withoutHours(once, keyOf(once, 1)).days[0]).toMatchObject({ off: true, windows: [] });
  expect(withoutHours(week, 'gone')).toBe(week);
});

describe('arrow keys', () => {
  const morning = { day: 1, from: 540, to: 780 };
  const pressed = (key: string, held: 'shiftKey' | 'altKey', span = morning) =>
    keyedSpan({ key, shiftKey: false, altKey: false, [held]: true }, span, 30);

  it('change the end with Shift, down to the shortest hours and up to midnight', () => {
    expect(pressed('ArrowDown', 'shiftKey')).toEqual({ ...morning, to: 795 });
    expect(pressed('ArrowUp', 'shiftKey')).toEqual({ ...morning, to: 765 });
    expect(pressed('ArrowUp', 'shiftKey', { day: 1, from: 540, to: 570 })?.to).toBe(570);
    expect(pressed('ArrowDown', 'shiftKey', { day: 1, from: 540, to: 1440 })?.to).toBe(1440);
    expect(pressed('ArrowLeft', 'shiftKey')).toBe(undefined);
  });

  it('move hours with Alt, within the day and the week', () => {
    expect(pressed('ArrowDown', 'altKey')).toEqual({ day: 1, from: 555, to: 795 });
    expect(pressed('ArrowUp', 'altKey', { day: 1, from: 0, to: 60 })).toEqual({ day: 1, from: 0, to: 60 });
    expect(pressed('ArrowRight', 'altKey')).toEqual({ ...morning, day: 2 });
    expect(pressed('ArrowLeft', 'altKey')).toEqual(morning);
    expect(pressed('ArrowRight', 'altKey', { ...morning, day: 7 })).toEqual({ ...morning, day: 7 });
    expect(pressed('Enter', 'altKey')).toBe(undefined);
  });
});

describe('the cells of a day', () => {
  const drawn = (week: TypedWeek, day: number) =>
    cellsOf(week.days[day - 1]!, 8 * 60, 12 * 60).map(
      ({ kind, from, to }) => `${kind} ${wallTime(from)}-${wallTime(to)}`,
    );

  it('are its windows, and what they leave of each hour', () => {
    expect(drawn(weekOf([hour(1, '08:30', '09:45'), hour(1, '10:00', '11:00')]), 1)).toEqual([
      'free 08:00-08:30',
      'open 08:30-09:45',
      'free 09:45-10:00',
      'open 10:00-11:00',
      'free 11:00-12:00',
    ]);
  });

  it('show hours without valid times where they start, and none of a day that is off', () => {
    const week = weekOf([hour(1, '10:00', '09:00'), hour(2, '', ''), hour(3, '09:00', '10:00')]);
    expect(drawn(week, 1)).toContain('open 10:00-11:00');
    expect(drawn(week, 2)).toContain('open 08:00-09:00');
    expect(drawn(withDay(week, 3, toggleDay), 3)).not.toContain('open 09:00-10:00');
  });

  it('cover the drawn hours once', () => {
    fc.assert(
      fc.property(someWeek, (week) => {
        for (const day of week.days) {
          const cells = cellsOf(day, 0, 24 * 60);
          expect(cells[0]!.from).toBe(0);
          expect(cells.at(-1)!.to).toBe(24 * 60);
          expect(cells.slice(1).map(({ from }) => from)).toEqual(cells.slice(0, -1).map(({ to }) => to));
          const open = cells.filter(({ kind }) => kind === 'open');
          expect(open.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(openMinutes(day));
        }
      }),
    );
  });
});
