import { clockSpell, day } from '#/kernel/zone-clock.ts';
import type { MeetingTime } from './contract.ts';

/** The hour from which on a start is one in the evening. */
const eveningFrom = 17;

const hour = 3_600_000;

/** How many days after today still count. */
const lastDays: Partial<Record<MeetingTime, number>> = { tomorrow: 1, three_days: 3, week: 7 };

/** How long a session is with a specialist who offers these lengths: as wanted, else the next longer one, else their longest. */
export function lengthOffered(offered: readonly number[], wanted: number): number {
  const ascending = offered.toSorted((a, b) => a - b);
  return ascending.find((length) => length >= wanted) ?? ascending.at(-1) ?? wanted;
}

/** The instant before which a start has to lie, in epoch milliseconds; null where any day is right. */
export function latestStart(time: MeetingTime | undefined, timeZone: string, now: number): number | null {
  const days = time && lastDays[time];
  if (days === undefined) return null;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  return today.add({ days: days + 1 }).toZonedDateTime(timeZone).epochMilliseconds;
}

/** Asks whether a start is when somebody would like to meet, by the clock of their zone. */
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
    // Day 0 was a Thursday.
    return (Math.floor(wall / day) + 3) % 7 >= 5;
  };
}
