import type { ErrorCode } from '#/kernel/errors.ts';
import { overlaps, type Interval } from '#/kernel/interval.ts';
import {
  freeStarts,
  placeOf,
  refuseStart,
  startsByPlace,
  type Schedule,
} from '#/features/availability/rules.ts';
import { effectiveTerms, lengthsOf, type Terms } from '#/features/availability/terms/rules.ts';
import type { Recurrence, StartRefusal } from './contract.ts';
import { seriesStarts } from './series/rules.ts';

/** How far ahead a session may start, in milliseconds: a year. */
export const furthestAhead = 366 * 24 * 3_600_000;

const minute = 60_000;

/** What the site's settings say about bookings; a provider's own terms narrow them. */
export type BookingSettings = Terms;

/** Time that a provider can't be booked in; a session's reaches to the end of the buffer it was stored with. */
export interface BusyTime extends Interval {
  /** When the session in it ends; null for time that the provider has blocked, which no buffer follows. */
  sessionEnd: number | null;
}

/** What a provider's time looks like; instants are epoch milliseconds. */
export interface Diary {
  schedule: Schedule;
  busy: readonly BusyTime[];
  /** Starts of everything that counts for the daily maximum. */
  appointments: readonly number[];
}

/** What decides about a booking, or about a new time for an appointment. */
export interface BookingQuery {
  input: { start: number; durationMinutes: number; recurrence: Recurrence; sessions: number };
  diary: Diary;
  /** The client's other sessions. */
  own: readonly Interval[];
  settings: BookingSettings;
  /** Whether the two are to meet at a place. */
  inPerson: boolean;
  now: number;
  /** A provider who books or moves a session owes nobody the advance notice. */
  withoutNotice?: boolean;
  /** A provider books outside their own hours: hours, grid and daily maximum don't count, what holds the time does. */
  outsideHours?: boolean;
}

/** A session as it was decided; `end` is without, `blockedUntil` with the buffer. */
export interface DecidedSession extends Interval {
  blockedUntil: number;
  /** The start's date on the provider's wall clock. */
  localDate: string;
  /** Where they meet; null where they don't, or where that is arranged by themselves. */
  placeId: string | null;
  refusal: StartRefusal | null;
}

/** Decides every session of a booking, each by itself; it may be stored when none is refused. */
export function decideBooking(asked: BookingQuery): DecidedSession[] {
  const { input, diary, own, now, outsideHours = false } = asked;
  const { timeZone } = diary.schedule;
  const query = { ...sessionQuery(asked, input.durationMinutes), now };
  const refuse = (session: Interval): StartRefusal | null => {
    if (session.start > now + furthestAhead) return 'too_far_ahead';
    const refusal = outsideHours
      ? refuseAnyHour(session, query.busy, query.bufferMinutes, now)
      : refuseStart({ ...query, start: session.start });
    if (refusal !== null && refusal !== 'taken' && refusal !== 'day_full') return refusal;
    if (own.some((other) => overlaps(other, session))) return 'own_clash';
    return refusal === 'taken' ? 'slot_taken' : refusal;
  };
  return seriesStarts({ ...input, first: input.start, timeZone }).map(({ date, start: found }) => {
    // A skipped time is named by what the clocks show instead, so that the refusal can be shown.
    const start = found ?? shownInstead(input.start, date, timeZone);
    const end = start + input.durationMinutes * minute;
    const session = { start, end };
    const refusal = found === null ? 'skipped_time' : refuse(session);
    const placeId = refusal === null ? placeOf({ ...query, start }) : null;
    return {
      ...session,
      blockedUntil: end + query.bufferMinutes * minute,
      localDate: date,
      placeId,
      refusal,
    };
  });
}

/** Starts outside a provider's hours lie on whole steps of this, in minutes. */
const freeStep = 5;

/** Why a provider can't take this start whatever their hours, or null if they can. */
function refuseAnyHour(
  { start, end }: Interval,
  busy: readonly Interval[],
  bufferMinutes: number,
  now: number,
): 'past' | 'unaligned' | 'taken' | null {
  if (start < now) return 'past';
  if (start % (freeStep * minute) !== 0) return 'unaligned';
  const session = { start, end: end + bufferMinutes * minute };
  return busy.some((other) => other.start < other.end && overlaps(other, session)) ? 'taken' : null;
}

function sessionQuery(
  { diary, settings, inPerson, now, withoutNotice = false }: Omit<BookingQuery, 'input' | 'own'>,
  durationMinutes: number,
) {
  const terms = effectiveTerms(settings, diary.schedule.terms);
  return {
    ...diary,
    busy: reservedTimes(diary.busy, terms.bufferMinutes),
    durationMinutes,
    bufferMinutes: terms.bufferMinutes,
    earliest: withoutNotice ? now : now + terms.advanceNoticeHours * 60 * minute,
    dailyMaximum: terms.dailyMaximum,
    inPerson,
  };
}

/** Reserves the larger buffer behind each session: the one it was stored with, or today's, which may have been raised since. */
function reservedTimes(busy: readonly BusyTime[], bufferMinutes: number): Interval[] {
  return busy.map(({ start, end, sessionEnd }) => ({
    start,
    end: sessionEnd === null ? end : Math.max(end, sessionEnd + bufferMinutes * minute),
  }));
}

/** The starts within a span that a provider has free, ascending, without those at which the client is elsewhere. */
export function openStarts(
  { own, ...query }: Omit<BookingQuery, 'input'>,
  durationMinutes: number,
  span: Interval,
): number[] {
  const within = bookable(span, query.now);
  if (within.end <= within.start) return [];
  const free = freeStarts({ ...sessionQuery(query, durationMinutes), within });
  const length = durationMinutes * minute;
  return free.filter((at) => !own.some((other) => overlaps(other, { start: at, end: at + length })));
}

/** The same starts by the place that they would be held at, whatever else the client has; null where they need none. */
export function openStartsByPlace(
  query: Omit<BookingQuery, 'input' | 'own'>,
  durationMinutes: number,
  span: Interval,
): { placeId: string | null; starts: number[] }[] {
  const within = bookable(span, query.now);
  if (within.end <= within.start) return [];
  return startsByPlace({ ...sessionQuery(query, durationMinutes), within });
}

function bookable({ start, end }: Interval, now: number): Interval {
  return { start: Math.max(start, now), end: Math.min(end, now + furthestAhead + 1) };
}

function shownInstead(first: number, date: string, timeZone: string): number {
  const plainTime = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(timeZone).toPlainTime();
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
}

/** Whether a service can be booked at this length with a provider who has chosen these lengths; null: all. */
export function durationOffered(
  durationMinutes: number,
  serviceMinutes: number,
  chosen: readonly number[] | null,
): boolean {
  return lengthsOf(serviceMinutes, chosen).includes(durationMinutes);
}

const refusalCodes: Readonly<Record<StartRefusal, ErrorCode>> = {
  past: 'invalid',
  unaligned: 'invalid',
  outside_hours: 'invalid',
  skipped_time: 'invalid',
  too_far_ahead: 'invalid',
  too_little_notice: 'precondition',
  day_full: 'precondition',
  slot_taken: 'conflict',
  own_clash: 'conflict',
};

/** The code under which a refused start is answered. */
export function refusalCode(refusal: StartRefusal): ErrorCode {
  return refusalCodes[refusal];
}
