import type { AppointmentView } from '#/features/booking/contract.ts';
import { wallClock } from '#/web/times.ts';

/** A day in milliseconds. */
export const day = 86_400_000;
/** A year at its longest, in milliseconds. */
export const year = 366 * day;

/** The appointments that hold their time, by the dates of a zone, in their order. */
export function daysOf(
  appointments: readonly AppointmentView[],
  timeZone: string,
): [string, AppointmentView[]][] {
  const days = new Map<string, AppointmentView[]>();
  for (const one of appointments) {
    if (one.status !== 'pending' && one.status !== 'confirmed') continue;
    const { date } = wallClock(one.startsAt, timeZone);
    days.set(date, [...(days.get(date) ?? []), one]);
  }
  return [...days];
}

/** The date of an instant (epoch milliseconds) in a zone, `YYYY-MM-DD`. */
export function dateOf(instant: number, timeZone: string): string {
  return wallClock(iso(instant), timeZone).date;
}

/** The date so many days after another; null, which follows the clock, for today. */
export function dateAfter(date: string, days: number, today: string): string | null {
  const found = iso(Date.parse(`${date}T00:00Z`) + days * day).slice(0, 10);
  return found === today ? null : found;
}

/** An instant (epoch milliseconds) as the API takes it. */
export function iso(instant: number): string {
  return new Date(instant).toISOString();
}
