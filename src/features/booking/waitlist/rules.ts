import { overlaps, type Interval } from '#/kernel/interval.ts';
import { day, minute } from '#/kernel/zone-clock.ts';
import type { DayPart, WishesInput } from './contract.ts';

/** How long one who waits has a time for themself among those who wait. */
const toAnswer = 60 * minute;
/** A time that can't be booked for this long any more isn't worth a mail. */
const shortestAnswer = 10 * minute;
/** Nobody is hurried between these hours of their own clock. */
const nightFrom = 21;
const nightUntil = 8;

/** Whether a start (epoch milliseconds) is as a client wishes, by the clock of their zone. */
function fits(start: number, wishes: WishesInput): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(wishes.timeZone);
  return (
    local.toPlainDate().toString() <= wishes.untilDate &&
    wishes.weekdays.includes(local.dayOfWeek) &&
    wishes.dayParts.includes(partOf(local.hour))
  );
}

/** The part of the day that an hour belongs to. */
export function partOf(hour: number): DayPart {
  if (hour < 12) return 'morning';
  return hour < 17 ? 'afternoon' : 'evening';
}

/** Whether the last date of the wishes is over where the client lives. */
export function datePassed(wishes: Pick<WishesInput, 'untilDate' | 'timeZone'>, now: number): boolean {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(wishes.timeZone).toPlainDate();
  return wishes.untilDate < today.toString();
}

/**
 * Until when a time is offered to one person alone: an hour, which in the night begins in the morning, but no longer
 * than it can be taken at all. Null where that would be too short to ask.
 */
function offerDeadline({
  now,
  latest,
  timeZone,
}: {
  now: number;
  /** When the time can be taken at the latest. */
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

/** A time that was offered to somebody and may still be taken; instants are epoch milliseconds. */
interface StandingOffer {
  id: string;
  start: number;
  offeredAt: number;
  deadline: number;
}

/** One who waits, with the starts that are free for them now, whatever they wish. */
export interface Waiting {
  id: string;
  wishes: WishesInput;
  /** The session with the buffer after it. */
  blockMinutes: number;
  /** Only earlier starts are wanted: when the appointment that is to be moved begins; null without one. */
  before: number | null;
  /** Ascending. */
  free: readonly number[];
  /** How long before its start a session must be taken, in milliseconds. */
  notice: number;
  /** Until when the appointment can be moved; null without one. */
  movableUntil: number | null;
  offers: readonly StandingOffer[];
  /** Starts that they would rather not have. */
  passed: readonly number[];
}

/** What is to be written: offers that nobody can take any more, and new ones. */
export interface Turn {
  gone: string[];
  offered: { waitId: string; start: number; deadline: number }[];
}

/**
 * Whose turn it is, for a line of those who wait for one provider, in the order of asking. Each who has nothing to answer
 * gets the first free start that fits and that nobody else is being asked about. Who let one lapse keeps it as long as it
 * is free, and is asked about another a day later at the earliest.
 */
export function nextTurn(line: readonly Waiting[], now: number): Turn {
  const turn: Turn = { gone: [], offered: [] };
  const asked: Interval[] = [];
  const standing = line.map((waiting) => {
    const { free, offers } = waiting;
    turn.gone.push(...offers.filter(({ start }) => !free.includes(start)).map(({ id }) => id));
    const open = offers.filter(({ start }) => free.includes(start));
    for (const { start, deadline } of open) if (deadline > now) asked.push(blocked(waiting, start));
    return { waiting, open };
  });
  for (const { waiting, open } of standing) {
    if (open.some(({ deadline, offeredAt }) => deadline > now || offeredAt + day > now)) continue;
    const found = firstFor(waiting, open, asked, now);
    if (!found) continue;
    turn.offered.push({ waitId: waiting.id, ...found });
    asked.push(blocked(waiting, found.start));
  }
  return turn;
}

function firstFor(
  waiting: Waiting,
  open: readonly StandingOffer[],
  asked: readonly Interval[],
  now: number,
): { start: number; deadline: number } | null {
  const { wishes, passed, notice, movableUntil } = waiting;
  for (const start of wanted(waiting)) {
    if (passed.includes(start) || open.some((offer) => offer.start === start)) continue;
    if (asked.some((other) => overlaps(other, blocked(waiting, start)))) continue;
    const latest = Math.min(start - notice, movableUntil ?? Infinity);
    const deadline = offerDeadline({ now, latest, timeZone: wishes.timeZone });
    if (deadline !== null) return { start, deadline };
  }
  return null;
}

/** The free starts that fit the wishes and are earlier than the appointment. */
export function wanted({ free, wishes, before }: Pick<Waiting, 'free' | 'wishes' | 'before'>): number[] {
  return free.filter((start) => (before === null || start < before) && fits(start, wishes));
}

function blocked({ blockMinutes }: Waiting, start: number): Interval {
  return { start, end: start + blockMinutes * minute };
}
