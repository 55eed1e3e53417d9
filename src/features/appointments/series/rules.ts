import type { Interval } from '#/kernel/interval.ts';
import type { SeriesScope } from './contract.ts';

/** Local date (`YYYY-MM-DD`) and start; null if DST skips that time. */
export interface SeriesSession {
  date: string;
  start: number | null;
}

const daysBetween = { one_time: 0, weekly: 7, biweekly: 14 };

/**
 * Returns series sessions at the same wall-clock time in the provider's zone, as epoch milliseconds. Times repeated by
 * DST use the first occurrence, like free times. Skipped times aren't shifted but refused like any clash.
 */
export function seriesStarts(series: {
  first: number;
  timeZone: string;
  recurrence: keyof typeof daysBetween;
  sessions: number;
}): SeriesSession[] {
  const { first, timeZone, recurrence } = series;
  const wall = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(timeZone).toPlainDateTime();
  return Array.from({ length: recurrence === 'one_time' ? 1 : series.sessions }, (_, index) => {
    const wanted = wall.add({ days: index * daysBetween[recurrence] });
    const found = wanted.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
    const exists = found.toPlainDateTime().equals(wanted);
    return { date: wanted.toPlainDate().toString(), start: exists ? found.epochMilliseconds : null };
  });
}

/** Returns a series' range with room for DST changes. */
export function seriesSpan(
  start: number,
  { recurrence, sessions }: { recurrence: keyof typeof daysBetween; sessions: number },
): Interval {
  const days = recurrence === 'one_time' ? 0 : daysBetween[recurrence] * (sessions - 1) + 1;
  return { start, end: start + days * 24 * 3_600_000 + 1 };
}

/** Filters sessions by scope; only `all` includes sessions before `from`. */
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
export function shiftedStart(
  start: number,
  shift: { from: number; to: number; timeZone: string },
): { start: number; skipped: boolean } {
  const wall = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(shift.timeZone).toPlainDateTime();
  const wanted = wall(start).add(wall(shift.from).until(wall(shift.to)));
  const found = wanted.toZonedDateTime(shift.timeZone, { disambiguation: 'compatible' });
  return { start: found.epochMilliseconds, skipped: !found.toPlainDateTime().equals(wanted) };
}
