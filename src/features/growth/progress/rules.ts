import { clockSpell } from '#/kernel/zone-clock.ts';

/** Instants in epoch milliseconds; self-reported days as `YYYY-MM-DD`. */
export interface Activity {
  instants: readonly number[];
  days: readonly string[];
}

/** `month` is `YYYY-MM`. */
export interface MonthOfProgress {
  month: string;
  sessions: number;
  activeDays: number;
}

const monthsShown = 12;

/** Returns `YYYY-MM-DD`; `instant` is in epoch milliseconds. */
export function dayIn(timeZone: string, instant: number): string {
  const { offset } = clockSpell(timeZone, instant);
  return new Date(instant + offset).toISOString().slice(0, 10);
}

export function activeDays({ instants, days }: Activity, timeZone: string): Set<string> {
  // Sorted: looks each DST period up once.
  const ordered = instants.toSorted((a, b) => a - b);
  return new Set([...days, ...ordered.map((instant) => dayIn(timeZone, instant))]);
}

/** Lists months oldest first, ending with the month of `now` (epoch milliseconds). */
export function lastMonths(timeZone: string, now: number, count = monthsShown): string[] {
  const [year = 0, month = 1] = dayIn(timeZone, now).split('-').map(Number);
  return Array.from({ length: count }, (_, index) => {
    const number = year * 12 + month - count + index;
    return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
  });
}

export function progressByMonth(
  sessions: readonly number[],
  active: ReadonlySet<string>,
  timeZone: string,
  now: number,
): MonthOfProgress[] {
  const counted = (days: Iterable<string>) => {
    const months = new Map<string, number>();
    for (const day of days) months.set(day.slice(0, 7), (months.get(day.slice(0, 7)) ?? 0) + 1);
    return months;
  };
  const sessionsIn = counted(sessions.map((start) => dayIn(timeZone, start)));
  const daysIn = counted(active);
  return lastMonths(timeZone, now).map((month) => ({
    month,
    sessions: sessionsIn.get(month) ?? 0,
    activeDays: daysIn.get(month) ?? 0,
  }));
}
