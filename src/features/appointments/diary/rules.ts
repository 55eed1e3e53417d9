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
import type { SessionType } from '#/features/providers/contract.ts';
import type { Recurrence, StartRefusal } from '../appointment/contract.ts';

/** Milliseconds ahead that a session may start. */
export const bookingHorizon = 366 * 24 * 3_600_000;

const minute = 60_000;
const day = 24 * 60 * minute;

/** How far ahead refusals suggest other times. */
const near = 14 * day;

/** Includes the buffer stored with a session. */
export interface BusyTime extends Interval {
  /** Null for blocked time, which needs no buffer. */
  sessionEnd: number | null;
}

/** Instants are epoch milliseconds. */
export interface Diary {
  schedule: Schedule;
  busy: readonly BusyTime[];
  /** Start times counted toward the daily maximum. */
  appointments: readonly number[];
}

export interface BookingQuery {
  input: { start: number; durationMinutes: number; recurrence: Recurrence; sessions: number };
  diary: Diary;
  own: readonly Interval[];
  /** A provider's own terms can only tighten these. */
  settings: Terms;
  inPerson: boolean;
  now: number;
  /** Providers moving own sessions skip advance notice. */
  withoutNotice?: boolean;
  /** Ignores working hours, time grid and daily maximum, but not existing sessions and blocks. */
  outsideHours?: boolean;
}

/** `end` excludes the buffer; `blockedUntil` includes it. */
export interface DecidedSession extends Interval {
  blockedUntil: number;
  /** Start date in the provider's time zone. */
  localDate: string;
  /** Null for remote sessions, or when the parties arrange it themselves. */
  placeId: string | null;
  refusal: StartRefusal | null;
}

/** Checks each session of a booking independently. Store only if none is refused. */
export function decideBooking(asked: BookingQuery): DecidedSession[] {
  const { input, diary, own, now, outsideHours = false } = asked;
  const { timeZone } = diary.schedule;
  const query = { ...sessionQuery(asked, input.durationMinutes), now };
  const refuse = (session: Interval): StartRefusal | null => {
    if (session.start > now + bookingHorizon) return 'too_far_ahead';
    const refusal = outsideHours
      ? refuseAnyHour(session, query.busy, query.bufferMinutes, now)
      : refuseStart({ ...query, start: session.start });
    if (refusal !== null && refusal !== 'taken' && refusal !== 'day_full') return refusal;
    if (own.some((other) => overlaps(other, session))) return 'own_clash';
    return refusal === 'taken' ? 'slot_taken' : refusal;
  };
  return seriesStarts({ ...input, first: input.start, timeZone }).map(({ date, start: found }) => {
    // DST can skip a time; uses the shifted one so the refusal can be displayed.
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

const freeStep = 5;

/** Ignores working hours; null if free. */
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

/** Reserves the larger of the stored and current buffers, since the setting may have been raised. */
function reservedTimes(busy: readonly BusyTime[], bufferMinutes: number): Interval[] {
  return busy.map(({ start, end, sessionEnd }) => ({
    start,
    end: sessionEnd === null ? end : Math.max(end, sessionEnd + bufferMinutes * minute),
  }));
}

/** Returns a provider's free times, ascending, excluding the client's other sessions. */
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

/** Groups free times by place, ignoring the client's sessions; null means no place needed. */
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
  return { start: Math.max(start, now), end: Math.min(end, now + bookingHorizon + 1) };
}

function shownInstead(first: number, date: string, timeZone: string): number {
  const plainTime = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(timeZone).toPlainTime();
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
}

export function durationOffered(
  durationMinutes: number,
  serviceMinutes: number,
  chosen: readonly number[] | null,
): boolean {
  return lengthsOf(serviceMinutes, chosen).includes(durationMinutes);
}

export function sessionOffered(
  offer: {
    service: { durationMinutes: number } | null;
    sessionLengths: readonly number[] | null;
    sessionTypes: readonly SessionType[];
    offersVideo: boolean;
  },
  { durationMinutes, sessionType }: { durationMinutes: number; sessionType: SessionType },
): boolean {
  const { service, sessionLengths, sessionTypes, offersVideo } = offer;
  return (
    service !== null &&
    durationOffered(durationMinutes, service.durationMinutes, sessionLengths) &&
    sessionTypes.includes(sessionType) &&
    (sessionType !== 'online' || offersVideo)
  );
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

export function refusalCode(refusal: StartRefusal): ErrorCode {
  return refusalCodes[refusal];
}

/** Local date (`YYYY-MM-DD`) and start; null if DST skips that time. */
interface SeriesStart {
  date: string;
  start: number | null;
}

const daysBetween: Readonly<Record<Recurrence, number>> = { one_time: 0, weekly: 7, biweekly: 14 };

/**
 * Returns series sessions at the same wall-clock time in the provider's zone, as epoch milliseconds. Times repeated by
 * DST use the first occurrence, like free times. Skipped times aren't shifted but refused like any clash.
 */
function seriesStarts(series: {
  first: number;
  timeZone: string;
  recurrence: Recurrence;
  sessions: number;
}): SeriesStart[] {
  const { first, timeZone, recurrence } = series;
  const wall = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(timeZone).toPlainDateTime();
  return Array.from({ length: recurrence === 'one_time' ? 1 : series.sessions }, (_, index) => {
    const wanted = wall.add({ days: index * daysBetween[recurrence] });
    const found = wanted.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
    const exists = found.toPlainDateTime().equals(wanted);
    return { date: wanted.toPlainDate().toString(), start: exists ? found.epochMilliseconds : null };
  });
}

/** Covers the series, and times to suggest instead. */
export function spanFrom(
  start: number,
  now: number,
  series: { recurrence: Recurrence; sessions: number } = { recurrence: 'one_time', sessions: 1 },
): Interval {
  const from = Math.max(start, now);
  return { start: from, end: Math.max(from + near, seriesSpan(start, series).end) };
}

/** A series' range with room for DST. */
export function seriesSpan(
  start: number,
  { recurrence, sessions }: { recurrence: Recurrence; sessions: number },
): Interval {
  const days = recurrence === 'one_time' ? 0 : daysBetween[recurrence] * (sessions - 1) + 1;
  return { start, end: start + days * day + 1 };
}

export function isCallable(phone: string | undefined): boolean {
  return (phone?.match(/\d/g) ?? []).length >= 5;
}
