import type { Interval } from '#/kernel/interval.ts';
import { clockSpell, day, minute } from '#/kernel/zone-clock.ts';

/** Hours within one day, `HH:MM` on the provider's wall clock; `to` may be `24:00`. */
export interface WallWindow {
  from: string;
  to: string;
}

/** Hours that return every week on an ISO weekday: 1 is Monday, 7 is Sunday. */
export interface WeeklyWindow extends WallWindow {
  weekday: number;
}

/** The hours of one date (`YYYY-MM-DD`) in place of the weekly ones; without windows it is a day off. */
export interface DateException {
  date: string;
  windows: readonly WallWindow[];
}

/** When a provider receives people, by the wall clock of their own time zone. */
export interface Schedule {
  timeZone: string;
  weekly: readonly WeeklyWindow[];
  exceptions: readonly DateException[];
}

/** What decides about one start; instants are epoch milliseconds. */
export interface SessionQuery {
  schedule: Schedule;
  /** What the provider can't be booked over, in any order; a booked session with the buffer after it. */
  busy: readonly Interval[];
  /** Starts of the appointments that count for the daily maximum, on whole local days. */
  appointments: readonly number[];
  durationMinutes: number;
  bufferMinutes: number;
  /** Now plus the advance notice. */
  earliest: number;
  dailyMaximum: number;
}

/** What `freeStarts` is asked: the starts wanted are those in `within`; the busy times must reach past it by session and buffer. */
export interface FreeStartsQuery extends SessionQuery {
  within: Interval;
}

/** Why a start can't be had, the first reason that applies. */
export type StartRefusal = 'past' | 'too_little_notice' | 'outside_hours' | 'unaligned' | 'day_full' | 'taken';

/** The distance of two starts offered in the same window. */
export const stepMinutes = 30;

/** The hours that a provider begins with: Monday to Saturday, with an hour at noon (client spec, section 9). */
export const defaultWeek: readonly WeeklyWindow[] = [1, 2, 3, 4, 5, 6].flatMap((weekday) => [
  { weekday, from: '09:00', to: '13:00' },
  { weekday, from: '14:00', to: '19:00' },
]);

/** The starts that can be booked, ascending, in epoch milliseconds. */
export function freeStarts(query: FreeStartsQuery): number[] {
  const { within, earliest } = query;
  const dayFull = fullDays(query);
  const taken = takenTimes(query);
  return sessionStarts(query, { start: Math.max(within.start, earliest), end: within.end }).filter(
    (start) => !dayFull(start) && !taken(start),
  );
}

/** Why this start can't be booked, or null if it can: the decision of `freeStarts` about one start. */
export function refuseStart(query: SessionQuery & { start: number; now: number }): StartRefusal | null {
  const { schedule, start, now, earliest, durationMinutes } = query;
  if (start < earliest) return start < now ? 'past' : 'too_little_notice';
  if (!sessionStarts(query, { start, end: start + 1 }).includes(start)) {
    const session = { start, end: start + durationMinutes * minute };
    return containedIn(openTimes(localDays(schedule, session)))(session) ? 'unaligned' : 'outside_hours';
  }
  if (fullDays(query)(start)) return 'day_full';
  return takenTimes(query)(start) ? 'taken' : null;
}

/** The starts on the grid whose whole session lies in open time, ascending. */
function sessionStarts({ schedule, durationMinutes }: SessionQuery, within: Interval): number[] {
  const length = durationMinutes * minute;
  const days = localDays(schedule, { start: within.start, end: within.end + length });
  const open = containedIn(openTimes(days));
  return gridStarts(days).filter((start) => start < within.end && open({ start, end: start + length }));
}

/** A local date, or the part of it up to or after a clock change. */
interface LocalDay extends Interval {
  /** The instant that the wall clock's 00:00 would be if the clock weren't changed. */
  midnight: number;
  /** From here on no wall-clock time is a repeated one. */
  newFrom: number;
  hours: DayHours;
}

/** A day's hours in milliseconds since 00:00, each ascending. */
interface DayHours {
  windows: Interval[];
  grid: number[];
}

function localDays({ timeZone, weekly, exceptions }: Schedule, span: Interval): LocalDay[] {
  const week = [1, 2, 3, 4, 5, 6, 7].map((weekday) => dayHours(weekly.filter((window) => window.weekday === weekday)));
  const dates = new Map(exceptions.map(({ date, windows }) => [Date.parse(date) / day, dayHours(windows)]));
  const days: LocalDay[] = [];
  for (let at = span.start; at < span.end;) {
    const spell = clockSpell(timeZone, at);
    const date = dateNumber(at, spell.offset);
    const midnight = date * day - spell.offset;
    const end = Math.min(midnight + day, spell.end, span.end);
    const hours = dates.get(date) ?? week[weekdayIndex(date)]!;
    days.push({ start: at, end, midnight, newFrom: spell.newFrom, hours });
    at = end;
  }
  return days;
}

function dayHours(windows: readonly WallWindow[]): DayHours {
  const spans = windows
    .map(({ from, to }) => ({ start: sinceMidnight(from), end: sinceMidnight(to) }))
    .sort((a, b) => a.start - b.start);
  const grid = new Set<number>();
  for (const { start, end } of spans) for (let time = start; time < end; time += stepMinutes * minute) grid.add(time);
  return { windows: spans, grid: [...grid].sort((a, b) => a - b) };
}

function sinceMidnight(wall: string): number {
  return (Number(wall.slice(0, 2)) * 60 + Number(wall.slice(3))) * minute;
}

/** The local date as the number of days since 1970-01-01. */
function dateNumber(instant: number, offset: number): number {
  return Math.floor((instant + offset) / day);
}

/** 0 for Monday to 6 for Sunday; day 0 was a Thursday. */
function weekdayIndex(date: number): number {
  return (((date + 3) % 7) + 7) % 7;
}

/** The time in which the provider receives people, ascending, windows that touch or overlap as one. */
function openTimes(days: readonly LocalDay[]): Interval[] {
  const open: Interval[] = [];
  for (const { start, end, midnight, hours } of days) {
    for (const window of hours.windows) {
      const opens = Math.max(start, midnight + window.start);
      const closes = Math.min(end, midnight + window.end);
      if (opens >= closes) continue;
      const last = open.at(-1);
      if (last && opens <= last.end) last.end = Math.max(last.end, closes);
      else open.push({ start: opens, end: closes });
    }
  }
  return open;
}

/** The first occurrence of each wall-clock time on the grid: a skipped time has none, a repeated one isn't offered twice. */
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

/** Asks whether one of the disjoint ascending spans holds a whole session; must be asked in ascending order. */
function containedIn(spans: readonly Interval[]): (session: Interval) => boolean {
  let index = 0;
  return ({ start, end }) => {
    while (index < spans.length && spans[index]!.end <= start) index += 1;
    const span = spans[index];
    return span !== undefined && span.start <= start && end <= span.end;
  };
}

/** Asks whether the session and its buffer would meet a busy time; must be asked in ascending order. */
function takenTimes({ busy, durationMinutes, bufferMinutes }: SessionQuery): (start: number) => boolean {
  const length = (durationMinutes + bufferMinutes) * minute;
  const ordered = busy.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start);
  let index = 0;
  let busyUntil = -Infinity;
  return (start) => {
    for (; index < ordered.length && ordered[index]!.start < start + length; index += 1) {
      busyUntil = Math.max(busyUntil, ordered[index]!.end);
    }
    return start < busyUntil;
  };
}

/** Asks whether the local date of a start has its daily maximum already. */
function fullDays({ schedule, appointments, dailyMaximum }: SessionQuery): (start: number) => boolean {
  const dateOf = (instant: number) => dateNumber(instant, clockSpell(schedule.timeZone, instant).offset);
  const counts = new Map<number, number>();
  for (const start of appointments) counts.set(dateOf(start), (counts.get(dateOf(start)) ?? 0) + 1);
  return (start) => (counts.get(dateOf(start)) ?? 0) >= dailyMaximum;
}
