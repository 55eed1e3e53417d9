import { overlaps, type Interval } from '#/kernel/interval.ts';
import type { AppointmentStatus, StartRefusal } from '../appointment/contract.ts';
import {
  holdsTime,
  refuseAction,
  type ActionQuery,
  type ActionRefusal,
  type Side,
} from '../appointment/rules.ts';
import { decideBooking, type BookingQuery, type DecidedSession } from '../diary/rules.ts';
import type { SeriesScope } from './contract.ts';

/** `not_free` means a guest is busy. */
export type MoveRefusal = StartRefusal | 'not_free';

interface MovingSession extends Interval {
  id: string;
  blockedUntil: number;
  guests: readonly Interval[];
}

export interface MovedSession extends Omit<DecidedSession, 'refusal'> {
  id: string;
  from: number;
  refusal: MoveRefusal | null;
}

/** Diary and `own` exclude the moving sessions. */
interface SeriesMove extends Omit<BookingQuery, 'input'> {
  sessions: readonly MovingSession[];
  anchorId: string;
  start: number;
}

/**
 * Decides new times for a series move. Refused sessions keep their time, which may block others, so it repeats until
 * stable. Stops early if the anchor is refused.
 */
export function decideSeriesMove({ sessions, anchorId, start, ...query }: SeriesMove): MovedSession[] {
  const anchor = sessions.find(({ id }) => id === anchorId)!;
  const shift = { from: anchor.start, to: start, timeZone: query.diary.schedule.timeZone };
  const targets = sessions.map((session) => ({
    session,
    target: session.id === anchorId ? { start, skipped: false } : shiftedStart(session.start, shift),
  }));
  const decided = new Map<string, MovedSession>();
  for (;;) {
    const moving = targets.filter(({ session }) => !decided.get(session.id)?.refusal);
    const staying = sessions.filter(({ id }) => decided.get(id)?.refusal);
    for (const one of moving) {
      const others = moving.filter((other) => other !== one);
      decided.set(one.session.id, decideOne(one, { others, staying, query }));
    }
    const refused = moving.some(({ session }) => decided.get(session.id)!.refusal);
    if (!refused || decided.get(anchorId)!.refusal) return sessions.map(({ id }) => decided.get(id)!);
  }
}

interface Target {
  session: MovingSession;
  target: { start: number; skipped: boolean };
}

function decideOne(
  { session, target }: Target,
  {
    others,
    staying,
    query,
  }: { others: readonly Target[]; staying: readonly MovingSession[]; query: Omit<BookingQuery, 'input'> },
): MovedSession {
  const length = session.end - session.start;
  const moved = others.map((other) => {
    const end = other.target.start + other.session.end - other.session.start;
    return { start: other.target.start, end, sessionEnd: end };
  });
  const stays = staying.map(({ start, end, blockedUntil }) => ({
    start,
    end: blockedUntil,
    sessionEnd: end,
  }));
  const { busy, appointments, schedule } = query.diary;
  const [decision] = decideBooking({
    ...query,
    diary: {
      schedule,
      busy: [...busy, ...moved, ...stays],
      appointments: [...appointments, ...[...moved, ...stays].map((other) => other.start)],
    },
    input: {
      start: target.start,
      durationMinutes: length / 60_000,
      recurrence: 'one_time',
      sessions: 1,
    },
  });
  const { refusal, ...time } = decision!;
  return { id: session.id, from: session.start, ...time, refusal: firstRefusal() };

  function firstRefusal(): MoveRefusal | null {
    if (target.skipped) return 'skipped_time';
    if (refusal !== null) return refusal;
    return session.guests.some((other) => overlaps(other, time)) ? 'not_free' : null;
  }
}

/** Hides the client's other sessions from the provider. */
export function refusalFor(party: Side, refusal: MoveRefusal | null): MoveRefusal | null {
  return party === 'provider' && refusal === 'own_clash' ? 'slot_taken' : refusal;
}

/** Returns the refusal or null. Past sessions can't change; providers decline pending ones. */
export function refuseInSeries(action: 'cancel' | 'reschedule', query: ActionQuery): ActionRefusal | null {
  const { appointment, now, party } = query;
  if (holdsTime(appointment.status) && now >= appointment.start) {
    return { code: 'precondition', reason: 'already_started' };
  }
  return refuseAction(action === 'cancel' && declines(party, appointment.status) ? 'decline' : action, query);
}

export function declines(party: Side, status: AppointmentStatus): boolean {
  return party === 'provider' && status === 'pending';
}

/** Only `all` includes sessions before `from`. */
export function withinScope<Session>(
  sessions: readonly Session[],
  startOf: (session: Session) => number,
  { from, scope }: { from: number; scope: SeriesScope },
): Session[] {
  return sessions.filter((session) => scope === 'all' || startOf(session) >= from);
}

/**
 * Shifts a start by another session's wall-clock move. Times repeated by DST use the first occurrence; skipped times
 * return the shifted clock time.
 */
function shiftedStart(
  start: number,
  shift: { from: number; to: number; timeZone: string },
): { start: number; skipped: boolean } {
  const wall = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(shift.timeZone).toPlainDateTime();
  const wanted = wall(start).add(wall(shift.from).until(wall(shift.to)));
  const found = wanted.toZonedDateTime(shift.timeZone, { disambiguation: 'compatible' });
  return { start: found.epochMilliseconds, skipped: !found.toPlainDateTime().equals(wanted) };
}
