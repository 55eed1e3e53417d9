import { overlaps, type Interval } from '#/kernel/interval.ts';
import { day, minute } from '#/kernel/zone-clock.ts';
import type { DayPart, WaitPreferences } from './contract.ts';

/** An offer's exclusive time. */
const toAnswer = 60 * minute;
/** Don't email offers that expire sooner than this. */
const shortestAnswer = 10 * minute;
/** Quiet hours in local time. An offer's answer time starts afterward. */
const nightFrom = 21;
const nightUntil = 8;

/** `start` is in epoch milliseconds. */
function matchesPreferences(start: number, wishes: WaitPreferences): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(wishes.timeZone);
  return (
    local.toPlainDate().toString() <= wishes.untilDate &&
    wishes.weekdays.includes(local.dayOfWeek) &&
    wishes.dayParts.includes(partOf(local.hour))
  );
}

export function partOf(hour: number): DayPart {
  if (hour < 12) return 'morning';
  return hour < 17 ? 'afternoon' : 'evening';
}

/** Compares dates in the client's time zone. */
export function datePassed(wishes: Pick<WaitPreferences, 'untilDate' | 'timeZone'>, now: number): boolean {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(wishes.timeZone).toPlainDate();
  return wishes.untilDate < today.toString();
}

/** Allows one hour, starting at 8 AM if offered at night, but never past `latest`. Null if too little time remains. */
function offerDeadline({
  now,
  latest,
  timeZone,
}: {
  now: number;
  /** Latest moment the time can be booked. */
  latest: number;
  timeZone: string;
}): number | null {
  if (latest - now < shortestAnswer) return null;
  return Math.min(awakeFrom(now, timeZone) + toAnswer, latest);
}

function awakeFrom(now: number, timeZone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  if (local.hour >= nightUntil && local.hour < nightFrom) return now;
  const date = local.toPlainDate().add({ days: local.hour >= nightFrom ? 1 : 0 });
  return date.toZonedDateTime({ timeZone, plainTime: { hour: nightUntil } }).epochMilliseconds;
}

/** Instants are epoch milliseconds. */
interface Offer {
  id: string;
  start: number;
  offeredAt: number;
  deadline: number;
}

/** Includes all free times, matching or not. */
export interface Waiting {
  id: string;
  wishes: WaitPreferences;
  /** Includes the buffer after the session. */
  blockMinutes: number;
  /** Only earlier times; null: a new booking. */
  before: number | null;
  /** Ascending. */
  free: readonly number[];
  /** Lead time in milliseconds. */
  notice: number;
  /** Rescheduling deadline; null without an appointment. */
  movableUntil: number | null;
  offers: readonly Offer[];
  /** Times the client declined. */
  passed: readonly number[];
}

export interface Turn {
  gone: string[];
  offered: { waitId: string; start: number; deadline: number }[];
}

/**
 * Chooses new offers, longest wait first. Each client without an exclusive offer gets the first matching time not
 * offered to another client. A lapsed offer stays open while its time is free and matches, and delays the next offer by
 * a day.
 */
export function nextTurn(line: readonly Waiting[], now: number): Turn {
  const turn: Turn = { gone: [], offered: [] };
  const asked: Interval[] = [];
  const checked = line.map((waiting) => {
    const { free, offers } = waiting;
    const suits = ({ start }: Offer) =>
      free.includes(start) && matchingTimes({ ...waiting, free: [start] }).length > 0;
    turn.gone.push(...offers.filter((offer) => !suits(offer)).map(({ id }) => id));
    const open = offers.filter(suits);
    for (const { start, deadline } of open) if (deadline > now) asked.push(blocked(waiting, start));
    return { waiting, open };
  });
  for (const { waiting, open } of checked) {
    if (open.some(({ deadline, offeredAt }) => deadline > now || offeredAt + day > now)) continue;
    const found = firstInLine(waiting, open, asked, now);
    if (!found) continue;
    turn.offered.push({ waitId: waiting.id, ...found });
    asked.push(blocked(waiting, found.start));
  }
  return turn;
}

function firstInLine(
  waiting: Waiting,
  open: readonly Offer[],
  asked: readonly Interval[],
  now: number,
): { start: number; deadline: number } | null {
  const { wishes, passed, notice, movableUntil } = waiting;
  for (const start of matchingTimes(waiting)) {
    if (passed.includes(start) || open.some((offer) => offer.start === start)) continue;
    if (asked.some((other) => overlaps(other, blocked(waiting, start)))) continue;
    const latest = Math.min(start - notice, movableUntil ?? Infinity);
    const deadline = offerDeadline({ now, latest, timeZone: wishes.timeZone });
    if (deadline !== null) return { start, deadline };
  }
  return null;
}

export function matchingTimes({
  free,
  wishes,
  before,
}: Pick<Waiting, 'free' | 'wishes' | 'before'>): number[] {
  return free.filter((start) => (before === null || start < before) && matchesPreferences(start, wishes));
}

function blocked({ blockMinutes }: Waiting, start: number): Interval {
  return { start, end: start + blockMinutes * minute };
}
