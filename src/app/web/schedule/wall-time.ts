import { dateAfter } from '#/features/appointments/agenda/rules.ts';
import { dateIn, wallClock } from '#/web/times.ts';

/** Converts a local date (`2026-03-02`) and time (`09:30`) to an instant; null inside a DST gap. Needs Temporal. */
export function instantAt(date: string, time: string, timeZone: string): string | null {
  const plain = Temporal.PlainDateTime.from(`${date}T${time}`);
  const shown = plain.toZonedDateTime(timeZone);
  return shown.toPlainDateTime().equals(plain) ? shown.toInstant().toString() : null;
}

/** Returns the first instant of a local date, even if DST skips midnight. Needs Temporal. */
export function startOf(date: string, timeZone: string): string {
  return Temporal.PlainDate.from(date).toZonedDateTime(timeZone).toInstant().toString();
}

/** An instant in a time input: `09:30`. */
export function timeValue(instant: string, timeZone: string): string {
  const { hour, minute } = wallClock(instant, timeZone);
  return clockValue(hour * 60 + minute);
}

/** Formats minutes since midnight for a time input; the end of the day is `00:00`. */
export function clockValue(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60) % 24, minutes % 60];
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** Returns inclusive dates if the range covers whole local days, otherwise null. Needs Temporal. */
export function wholeDays(
  { startsAt, endsAt }: { startsAt: string; endsAt: string },
  timeZone: string,
): { first: string; last: string } | null {
  const [first, after] = [startsAt, endsAt].map((instant) => dateIn(instant, timeZone));
  const exact = (date: string, instant: string) =>
    Date.parse(startOf(date, timeZone)) === Date.parse(instant);
  if (!exact(first!, startsAt) || !exact(after!, endsAt)) return null;
  return { first: first!, last: dateAfter(after!, -1) };
}
