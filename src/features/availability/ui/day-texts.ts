import { m } from '#/texts/messages.js';

/** A weekday's name; 1 is Monday. */
export function weekdayText(weekday: number): string {
  return m.availability_weekdays().split(', ')[weekday - 1] ?? '';
}

/** What a day's window is called by its place in the day, such as `first`. */
export function ordinalText(index: number): string {
  return m.availability_ordinals().split(', ')[index] ?? String(index + 1);
}

/** A date (`YYYY-MM-DD`) such as `Thu, Mar 12, 2026`. */
export function dateText(date: string): string {
  return new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(Date.parse(`${date}T00:00Z`));
}

/** One date or a range of them. */
export function datesText(from: string, to: string): string {
  return from === to ? dateText(from) : m.availability_date_range({ from: dateText(from), to: dateText(to) });
}

/** The day after a date, or so many days after it. */
export function dayAfter(date: string, days = 1): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** A wall-clock time such as `9:00 AM`; `24:00` is midnight. */
export function clockText(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    Date.UTC(2000, 0, 1, hour, minute),
  );
}

/** An instant in epoch milliseconds such as `Fri, Dec 4, 4:28 PM`. */
export function momentText(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(instant);
}
