import { formatDate, formatInstant } from '#/kernel/date-text.ts';
import { m } from '#/texts/messages.js';
import type { AvailabilityView } from '../contract.ts';
import type { TypedWindow } from './week-draft.ts';

/** 1 is Monday. */
export function weekdayText(weekday: number): string {
  return m.availability_weekdays().split(', ')[weekday - 1] ?? '';
}

/** A Monday. */
const someMonday = '2024-01-01';

export function shortWeekdayText(weekday: number): string {
  return formatDate(dayAfter(someMonday, weekday - 1), { weekday: 'short' });
}

/** For example `Monday, Wednesday`. */
export function daysText(weekdays: readonly number[]): string {
  return weekdays.map(weekdayText).join(', ');
}

export function openHoursText(minutes: number): string {
  return m.availability_hours_count({ hours: Math.round((minutes / 60) * 100) / 100 });
}

/** Formats a window: day, times and any place. */
export function hoursText(
  weekday: number,
  { from, to, placeId }: Omit<TypedWindow, 'key'>,
  places: AvailabilityView['places'],
): string {
  const time = (text: string) => (text ? clockText(text) : '–');
  const words = { day: weekdayText(weekday), from: time(from), to: time(to) };
  const place = places.find(({ id }) => id === placeId)?.name;
  return place ? m.availability_hours_at({ ...words, place }) : m.availability_hours(words);
}

export function ordinalText(index: number): string {
  return m.availability_ordinals().split(', ')[index] ?? String(index + 1);
}

export function dateText(date: string): string {
  return formatDate(date, { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });
}

export function datesText(from: string, to: string): string {
  return from === to ? dateText(from) : m.availability_date_range({ from: dateText(from), to: dateText(to) });
}

export function dayAfter(date: string, days = 1): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Such as `9:00 AM`; `24:00` is midnight. */
export function clockText(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return formatInstant(Date.UTC(2000, 0, 1, hour, minute), 'UTC', { hour: 'numeric', minute: '2-digit' });
}

/** Such as `9 AM`. */
export function hourText(time: string): string {
  return formatInstant(Date.UTC(2000, 0, 1, Number(time.slice(0, 2))), 'UTC', { hour: 'numeric' });
}

/** Such as `Thu, Mar 12, 9:00 AM`. */
export function weekdayMomentText(instant: number, timeZone: string): string {
  return formatInstant(instant, timeZone, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
}
