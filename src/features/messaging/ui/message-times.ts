import { timeText, wallClock } from '#/web/times.ts';
import { m } from '#/texts/messages.js';

/** Time zone and current day for displayed times; `today` is `YYYY-MM-DD`, null until known. */
export interface Told {
  timeZone: string;
  today: string | null;
}

const day = 86_400_000;
const namedDays = 6;

const formats = {
  near: { weekday: 'long', month: 'long', day: 'numeric' },
  far: { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
  name: { weekday: 'short' },
  short: { month: 'short', day: 'numeric' },
  shortFar: { month: 'short', day: 'numeric', year: 'numeric' },
} as const;

export function dayOf(instant: string, timeZone: string): string {
  return wallClock(instant, timeZone).date;
}

/** Returns the heading for a day's messages. Dates are `YYYY-MM-DD`; `today` is null until known. */
export function dayHeading(date: string, today: string | null): string {
  const ago = today === null ? Number.NaN : daysBetween(date, today);
  if (ago === 0) return m.messaging_today();
  if (ago === 1) return m.messaging_yesterday();
  return inWords(date, today?.slice(0, 4) === date.slice(0, 4) ? formats.near : formats.far);
}

export function rowTime(instant: string, timeZone: string, today: string | null): string {
  const date = dayOf(instant, timeZone);
  const ago = today === null ? Number.NaN : daysBetween(date, today);
  if (ago === 0) return timeText(instant, timeZone);
  if (ago === 1) return m.messaging_yesterday();
  if (ago > 1 && ago <= namedDays) return inWords(date, formats.name);
  return inWords(date, today?.slice(0, 4) === date.slice(0, 4) ? formats.short : formats.shortFar);
}

export function foundTime(instant: string, timeZone: string, today: string | null): string {
  const date = rowTime(instant, timeZone, today);
  const time = timeText(instant, timeZone);
  return date === time ? time : m.messaging_at({ date, time });
}

function daysBetween(one: string, other: string): number {
  return Math.round((Date.parse(`${other}T00:00Z`) - Date.parse(`${one}T00:00Z`)) / day);
}

function inWords(date: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(new Date(`${date}T00:00Z`));
}
