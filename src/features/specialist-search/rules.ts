import { clockSpell, day } from '#/kernel/zone-clock.ts';
import type { MeetingTime } from './contract.ts';

const eveningFrom = 17;

const hour = 3_600_000;

const lastDays: Partial<Record<MeetingTime, number>> = { tomorrow: 1, three_days: 3, week: 7 };

/** Picks the requested length, else the next longer one, else the longest. */
export function lengthOffered(offered: readonly number[], wanted: number): number {
  const ascending = offered.toSorted((a, b) => a - b);
  return ascending.find((length) => length >= wanted) ?? ascending.at(-1) ?? wanted;
}

/** Exclusive, in epoch milliseconds; null: no limit. */
export function latestStart(time: MeetingTime | undefined, timeZone: string, now: number): number | null {
  const days = time && lastDays[time];
  if (days === undefined) return null;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  return today.add({ days: days + 1 }).toZonedDateTime(timeZone).epochMilliseconds;
}

export function timeFits(
  time: MeetingTime | undefined,
  timeZone: string,
  now: number,
): (start: number) => boolean {
  const latest = latestStart(time, timeZone, now);
  if (latest !== null) return (start) => start < latest;
  if (time === undefined) return () => true;
  return (start) => {
    const wall = start + clockSpell(timeZone, start).offset;
    if (time === 'evenings') return Math.floor((wall % day) / hour) >= eveningFrom;
    // 1970-01-01 was a Thursday.
    return (Math.floor(wall / day) + 3) % 7 >= 5;
  };
}
