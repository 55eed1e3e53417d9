import type { Interval } from '#/kernel/interval.ts';
import type { SeriesScope } from './contract.ts';

/** A session of a series: its local date (`YYYY-MM-DD`) and its start, null where the clocks skip that time on that date. */
export interface SeriesSession {
  date: string;
  start: number | null;
}

const daysBetween = { one_time: 0, weekly: 7, biweekly: 14 };

/**
 * The sessions of a series, each at the first one's time on the provider's wall clock, whatever the clocks do between
 * them; instants are epoch milliseconds. A repeated time means its first occurrence, as in the free starts. A skipped
 * one isn't moved: the client is told of it as of any other clash.
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

/** The span in which a series lies, with room for the clock changes between its sessions. */
export function seriesSpan(
  start: number,
  { recurrence, sessions }: { recurrence: keyof typeof daysBetween; sessions: number },
): Interval {
  const days = recurrence === 'one_time' ? 0 : daysBetween[recurrence] * (sessions - 1) + 1;
  return { start, end: start + days * 24 * 3_600_000 + 1 };
}

/** The sessions of a series that a scope reaches from one that starts at `from`; earlier ones only for `all`. */
export function withinScope<Session>(
  sessions: readonly Session[],
  startOf: (session: Session) => number,
  { from, scope }: { from: number; scope: SeriesScope },
): Session[] {
  return sessions.filter((session) => scope === 'all' || startOf(session) >= from);
}

/**
 * A start moved as another was, by days and hours on the wall clock of a zone, whatever its clocks do in between. A
 * repeated time means its first occurrence; a skipped one is named by what the clocks show instead.
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
