import { dateAfter } from '#/features/booking/agenda/rules.ts';
import { wallClock } from '#/web/times.ts';

/** The instant of a time (`09:30`) on a date (`2026-03-02`) in a zone; null where its clocks skip it. Needs Temporal. */
export function instantAt(date: string, time: string, timeZone: string): string | null {
  const plain = Temporal.PlainDateTime.from(`${date}T${time}`);
  const shown = plain.toZonedDateTime(timeZone);
  return shown.toPlainDateTime().equals(plain) ? shown.toInstant().toString() : null;
}

/** When a date begins in a zone, also where its clocks skip midnight. Needs Temporal. */
export function startOf(date: string, timeZone: string): string {
  return Temporal.PlainDate.from(date).toZonedDateTime(timeZone).toInstant().toString();
}

/** A time of the wall clock as a control for times takes it, such as `09:30`. */
export function timeValue(instant: string, timeZone: string): string {
  const { hour, minute } = wallClock(instant, timeZone);
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** Whole days that a stretch of time is, both included; null where it begins or ends within one. Needs Temporal. */
export function wholeDays(
  { startsAt, endsAt }: { startsAt: string; endsAt: string },
  timeZone: string,
): { first: string; last: string } | null {
  const [first, after] = [startsAt, endsAt].map((instant) => wallClock(instant, timeZone).date);
  const exact = (date: string, instant: string) =>
    Date.parse(startOf(date, timeZone)) === Date.parse(instant);
  if (!exact(first!, startsAt) || !exact(after!, endsAt)) return null;
  return { first: first!, last: dateAfter(after!, -1) };
}
