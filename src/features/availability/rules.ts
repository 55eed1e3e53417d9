import type { Interval } from '#/kernel/interval.ts';
import { clockSpell, day, minute } from '#/kernel/zone-clock.ts';
import type { OwnTerms } from './terms/contract.ts';
import { restTimes } from './rest/rules.ts';
import type { Rest } from './rest/contract.ts';
import type { Terms } from './terms/rules.ts';

/** In the provider's time zone; `to` may be `24:00`. */
export interface WallWindow {
  from: string;
  to: string;
  /** For providers with locations, null means no in-person sessions. */
  placeId?: string | null | undefined;
}

/** ISO weekday: 1 is Monday, 7 is Sunday. */
export interface WeeklyWindow extends WallWindow {
  weekday: number;
}

/** No windows means a day off. */
interface DateException {
  date: string;
  windows: readonly WallWindow[];
}

export interface Schedule {
  timeZone: string;
  weekly: readonly WeeklyWindow[];
  exceptions: readonly DateException[];
  rest: Rest;
  terms: OwnTerms;
  /** In-person sessions need hours with a location. */
  placed: boolean;
}

/** Instants in epoch milliseconds. */
export interface SessionQuery {
  schedule: Schedule;
  /** In any order; with the buffer after sessions. */
  busy: readonly Interval[];
  /** Start times counted toward the daily maximum, for whole local days. */
  appointments: readonly number[];
  durationMinutes: number;
  bufferMinutes: number;
  earliest: number;
  dailyMaximum: number;
  inPerson: boolean;
}

/** `busy` extends past `within` by length and buffer. */
export interface FreeStartsQuery extends SessionQuery {
  within: Interval;
}

export type StartRefusal =
  | 'past'
  | 'too_little_notice'
  | 'outside_hours'
  | 'unaligned'
  | 'day_full'
  | 'taken';

/** Limits for validating hours. */
export interface Frame {
  site: Terms;
  servicesMinutes: readonly number[];
  placeIds: readonly string[];
}

export const stepMinutes = 30;

/** Client spec, section 9. */
export const defaultWeek: readonly WeeklyWindow[] = [1, 2, 3, 4, 5, 6].flatMap((weekday) => [
  { weekday, from: '09:00', to: '13:00' },
  { weekday, from: '14:00', to: '19:00' },
]);

/** Returns bookable times in epoch milliseconds, ascending. */
export function freeStarts(query: FreeStartsQuery): number[] {
  const lists = startsByPlace(query);
  if (lists.length === 1) return lists[0]!.starts;
  return lists.flatMap(({ starts }) => starts).toSorted((a, b) => a - b);
}

/** Returns bookable times by location; `placeId` is null if none is needed. */
export function startsByPlace(query: FreeStartsQuery): { placeId: string | null; starts: number[] }[] {
  const { schedule, within, earliest } = query;
  const length = query.durationMinutes * minute;
  const span = { start: Math.max(within.start, earliest), end: within.end + length };
  const rests = restTimes(schedule.rest, schedule.timeZone, span);
  const full = fullDates(query);
  return hoursByPlace(query).map(({ placeId, hours }) => {
    const days = localDays(hours, span);
    const open = openTimes(days, rests);
    const taken = takenTimes(query);
    const starts = gridStarts(days.filter(({ date }) => !full(date))).filter(
      (start) => start < within.end && open(start, start + length) && !taken(start),
    );
    return { placeId, starts };
  });
}

/** Returns why a time can't be booked, by the rules of `freeStarts`. */
export function refuseStart(query: SessionQuery & { start: number; now: number }): StartRefusal | null {
  const { start, now, earliest } = query;
  if (start < earliest) return start < now ? 'past' : 'too_little_notice';
  const open = openHours(query);
  if (open.length === 0) return 'outside_hours';
  const aligned = open.find(({ days }) => gridStarts(days).includes(start));
  if (!aligned) return 'unaligned';
  if (fullDates(query)(aligned.days[0]!.date)) return 'day_full';
  return takenTimes(query)(start) ? 'taken' : null;
}

/** A session's location; null if none is needed. */
export function placeOf(query: SessionQuery & { start: number }): string | null {
  const { start } = query;
  return openHours(query).find(({ days }) => gridStarts(days).includes(start))?.placeId ?? null;
}

type HoursQuery = Pick<SessionQuery, 'schedule' | 'inPerson'>;

function openHours(query: HoursQuery & { start: number; durationMinutes: number }) {
  const { schedule, start, durationMinutes } = query;
  const span = { start, end: start + durationMinutes * minute };
  const rests = restTimes(schedule.rest, schedule.timeZone, span);
  return hoursByPlace(query)
    .map(({ placeId, hours }) => ({ placeId, days: localDays(hours, span) }))
    .filter(({ days }) => openTimes(days, rests)(span.start, span.end));
}

/** Whether hours, overrides and rest allow a period. */
export function receivesIn(
  { start, end }: Interval,
  schedule: Schedule,
  meeting: { inPerson: boolean; placeId: string | null },
): boolean {
  const query = { schedule, start, durationMinutes: (end - start) / minute, inPerson: meeting.inPerson };
  return openHours(query).some(
    ({ placeId }) => placeId === null || meeting.placeId === null || placeId === meeting.placeId,
  );
}

/** Only in-person sessions split by location. */
function hoursByPlace({ schedule, inPerson }: HoursQuery): { placeId: string | null; hours: Schedule }[] {
  if (!inPerson || !schedule.placed) return [{ placeId: null, hours: schedule }];
  const { weekly, exceptions } = schedule;
  const windows = [...weekly, ...exceptions.flatMap((exception) => exception.windows)];
  const placeIds = new Set(windows.flatMap(({ placeId }) => placeId ?? []));
  return [...placeIds].map((placeId) => {
    const there = (window: WallWindow) => window.placeId === placeId;
    const hours = {
      ...schedule,
      weekly: weekly.filter(there),
      exceptions: exceptions.map(({ date, windows: own }) => ({ date, windows: own.filter(there) })),
    };
    return { placeId, hours };
  });
}

interface LocalDay extends Interval {
  /** Days since 1970-01-01. */
  date: number;
  /** Midnight's instant, as if the clock never changed. */
  midnight: number;
  /** Earlier wall-clock times are DST repeats. */
  newFrom: number;
  hours: DayHours;
}

/** Milliseconds since 00:00, ascending. */
interface DayHours {
  windows: Interval[];
  grid: number[];
}

function localDays({ timeZone, weekly, exceptions }: Schedule, span: Interval): LocalDay[] {
  const week = [1, 2, 3, 4, 5, 6, 7].map((weekday) =>
    dayHours(weekly.filter((window) => window.weekday === weekday)),
  );
  const dates = new Map(exceptions.map(({ date, windows }) => [Date.parse(date) / day, dayHours(windows)]));
  const days: LocalDay[] = [];
  for (let at = span.start; at < span.end;) {
    const spell = clockSpell(timeZone, at);
    const date = dateNumber(at, spell.offset);
    const midnight = date * day - spell.offset;
    const end = Math.min(midnight + day, spell.end, span.end);
    const hours = dates.get(date) ?? week[weekdayIndex(date)]!;
    days.push({ start: at, end, date, midnight, newFrom: spell.newFrom, hours });
    at = end;
  }
  return days;
}

function dayHours(windows: readonly WallWindow[]): DayHours {
  const spans = windows
    .map(({ from, to }) => ({ start: sinceMidnight(from), end: sinceMidnight(to) }))
    .toSorted((a, b) => a.start - b.start);
  const grid = new Set<number>();
  for (const { start, end } of spans)
    for (let time = start; time < end; time += stepMinutes * minute) grid.add(time);
  return { windows: spans, grid: [...grid].toSorted((a, b) => a - b) };
}

function sinceMidnight(wall: string): number {
  return (Number(wall.slice(0, 2)) * 60 + Number(wall.slice(3))) * minute;
}

function dateNumber(instant: number, offset: number): number {
  return Math.floor((instant + offset) / day);
}

/** 0 for Monday; day 0 was a Thursday. */
function weekdayIndex(date: number): number {
  return (((date + 3) % 7) + 7) % 7;
}

/** Returns working hours, ascending; merges adjacent or overlapping windows and removes rest. */
export function hoursWithin(schedule: Schedule, span: Interval): Interval[] {
  return openSpans(localDays(schedule, span), restTimes(schedule.rest, schedule.timeZone, span));
}

function openSpans(days: readonly LocalDay[], rests: readonly Interval[]): Interval[] {
  const hours: Interval[] = [];
  for (const { start, end, midnight, hours: ofDay } of days) {
    for (const window of ofDay.windows) {
      const opens = Math.max(start, midnight + window.start);
      const closes = Math.min(end, midnight + window.end);
      if (opens >= closes) continue;
      const last = hours.at(-1);
      if (last && opens <= last.end) last.end = Math.max(last.end, closes);
      else hours.push({ start: opens, end: closes });
    }
  }
  return rests.reduce<Interval[]>(subtract, hours);
}

/** The check must be called in ascending order. */
function openTimes(
  days: readonly LocalDay[],
  rests: readonly Interval[],
): (start: number, end: number) => boolean {
  const open = openSpans(days, rests);
  let index = 0;
  return (start, end) => {
    while (index < open.length && open[index]!.end <= start) index += 1;
    const span = open[index];
    return span !== undefined && span.start <= start && end <= span.end;
  };
}

function subtract(hours: readonly Interval[], rest: Interval): Interval[] {
  return hours.flatMap(({ start, end }) =>
    [
      { start, end: Math.min(end, rest.start) },
      { start: Math.max(start, rest.end), end },
    ].filter((part) => part.start < part.end),
  );
}

/** DST gaps have none, repeated times one. */
function gridStarts(days: readonly LocalDay[]): number[] {
  const starts: number[] = [];
  for (const { start, end, midnight, newFrom, hours } of days) {
    const first = Math.max(start, newFrom);
    for (const time of hours.grid) {
      const at = midnight + time;
      if (at >= first && at < end) starts.push(at);
    }
  }
  return starts;
}

/** The check must be called in ascending order. */
function takenTimes({ busy, durationMinutes, bufferMinutes }: SessionQuery): (start: number) => boolean {
  const length = (durationMinutes + bufferMinutes) * minute;
  const ordered = busy.filter(({ start, end }) => start < end).toSorted((a, b) => a.start - b.start);
  let index = 0;
  let busyUntil = -Infinity;
  return (start) => {
    for (; index < ordered.length && ordered[index]!.start < start + length; index += 1) {
      busyUntil = Math.max(busyUntil, ordered[index]!.end);
    }
    return start < busyUntil;
  };
}

function fullDates({ schedule, appointments, dailyMaximum }: SessionQuery): (date: number) => boolean {
  const counts = new Map<number, number>();
  for (const start of appointments) {
    const date = dateNumber(start, clockSpell(schedule.timeZone, start).offset);
    counts.set(date, (counts.get(date) ?? 0) + 1);
  }
  return (date) => (counts.get(date) ?? 0) >= dailyMaximum;
}
