import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { dateIn } from '#/web/times.ts';

export const day = 86_400_000;
/** A leap year in milliseconds. */
export const year = 366 * day;

/** Groups pending and confirmed appointments by local date, keeping their order. */
export function daysOf(
  appointments: readonly AppointmentView[],
  timeZone: string,
): [string, AppointmentView[]][] {
  const days = new Map<string, AppointmentView[]>();
  for (const one of appointments) {
    if (one.status !== 'pending' && one.status !== 'confirmed') continue;
    const date = dateIn(one.startsAt, timeZone);
    days.set(date, [...(days.get(date) ?? []), one]);
  }
  return [...days];
}

/** Adds days to a date; returns null for today, so the view follows the clock. */
export function dateAfter(date: string, days: number, today: string): string | null {
  const found = iso(Date.parse(`${date}T00:00Z`) + days * day).slice(0, 10);
  return found === today ? null : found;
}

/** Largest UTC offset, rounded up, in milliseconds. */
const furthestOffset = 15 * 3_600_000;

/** Query for all sessions on a date, whatever the time zone; callers leave out neighboring dates. */
export function daySpan(date: string) {
  const midnight = Date.parse(`${date}T00:00Z`);
  return { from: iso(midnight - furthestOffset), to: iso(midnight + day + furthestOffset), limit: 200 };
}

/** A client's sessions of the year ahead. */
export function upcomingSpan(from: number) {
  return { from: iso(from), to: iso(from + year), limit: 200 };
}

/** Sessions that await the provider's confirmation. */
export function waitingSpan(from: number) {
  return { ...upcomingSpan(from), status: 'pending' as const };
}

/** How many days back sessions without an outcome are listed. */
const unfinishedReach = 90 * day;

/** Query for past sessions without outcome, latest first. */
export function unfinishedSpan(to: number) {
  return {
    status: 'confirmed' as const,
    from: iso(to - unfinishedReach),
    to: iso(to),
    order: 'descending' as const,
    limit: 100,
  };
}

/** A provider's sessions of the year ahead. */
export function comingSpan(from: number) {
  return { from: iso(from), to: iso(from + year), limit: 100 };
}

export function iso(instant: number): string {
  return new Date(instant).toISOString();
}
