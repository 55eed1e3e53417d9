import { dateFormat, formatDate, formatInstant } from '#/kernel/date-text.ts';
import { timeLabel } from '#/kernel/wall-clock.ts';
import { m } from '#/texts/messages.js';

/** Local date (`2026-03-08`), hour and minute. */
interface WallClock {
  date: string;
  hour: number;
  minute: number;
}

const clockParts = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;

/** Converts an instant (ISO or epoch milliseconds) to local time without Temporal, which some browsers lack. */
export function wallClock(instant: string | number, timeZone: string): WallClock {
  const clock = dateFormat(timeZone, clockParts, 'en-US-u-ca-gregory-nu-latn');
  const parts = new Map(clock.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
  return {
    date: `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`,
    hour: Number(parts.get('hour')),
    minute: Number(parts.get('minute')),
  };
}

/** Returns an instant's local date (`2026-03-08`). */
export function dateIn(instant: string | number, timeZone: string): string {
  return wallClock(instant, timeZone).date;
}

/** Returns today's date, or null if the runtime doesn't support the time zone. */
export function todayIn(timeZone: string | null): string | null {
  try {
    return timeZone && dateIn(Date.now(), timeZone);
  } catch {
    return null;
  }
}

/** Returns a time zone's city. */
export function zoneText(timeZone: string): string {
  return timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** Formats as `09:00 AM`, the spec's label of an open time. */
export function openTimeText(instant: string, timeZone: string): string {
  const { hour, minute } = wallClock(instant, timeZone);
  return timeLabel(hour, minute);
}

/** Formats as `9:00 AM`. */
export function timeText(instant: string, timeZone: string): string {
  return openTimeText(instant, timeZone).replace(/^0/, '');
}

/** Formats as `Thursday, March 12, 2026`. */
export function dateText(instant: string, timeZone: string): string {
  return formatInstant(instant, timeZone, { dateStyle: 'full' });
}

/** Formats as `Thu, Mar 12`. */
export function shortDateText(instant: string, timeZone: string): string {
  return formatInstant(instant, timeZone, { weekday: 'short', month: 'short', day: 'numeric' });
}

/** Formats as `Thu, Mar 12, 2026`. */
export function weekdayDateText(instant: string, timeZone: string): string {
  return formatInstant(instant, timeZone, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
  });
}

/** Formats as `Today`, `Tomorrow` or `Thu, Mar 12`; `now` is in epoch milliseconds. */
export function nearDayText(instant: string, now: number, timeZone: string): string {
  const days = (Date.parse(dateIn(instant, timeZone)) - Date.parse(dateIn(now, timeZone))) / 86_400_000;
  if (days === 0) return m.web_day_today();
  if (days === 1) return m.web_day_tomorrow();
  return shortDateText(instant, timeZone);
}

/** Formats as `Mar 12, 2026`. */
export function mediumDateText(instant: string, timeZone: string): string {
  return formatInstant(instant, timeZone, { dateStyle: 'medium' });
}

/**
 * Formats as `March 12, 2026`, the same on server and browser; in UTC without a zone, or where the stored one is newer
 * than this runtime's time zone data.
 */
export function longDateText(instant: string, timeZone: string | null): string {
  try {
    return formatInstant(instant, timeZone ?? 'UTC', { dateStyle: 'long' });
  } catch {
    return formatInstant(instant, 'UTC', { dateStyle: 'long' });
  }
}

/** Formats as `Mar 12, 2026, 9:00 AM`. */
export function momentText(instant: string, timeZone: string): string {
  return `${mediumDateText(instant, timeZone)}, ${timeText(instant, timeZone)}`;
}

/** Formats a deadline for unknown time zones, such as `March 5 at 12:00 PM UTC`. */
export function deadlineText(instant: string): string {
  const options = { month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return formatInstant(instant, 'UTC', { ...options, timeZoneName: 'short' });
}

/** Formats as `Thursday, March 12`. */
export function plainDateText(date: string): string {
  return formatDate(date, { weekday: 'long', month: 'long', day: 'numeric' });
}

/** Formats as `Thursday, March 12, 2026`. */
export function fullPlainDateText(date: string): string {
  return formatDate(date, { dateStyle: 'full' });
}

/** Formats as `Mar 12, 2026`. */
export function mediumPlainDateText(date: string): string {
  return formatDate(date, { dateStyle: 'medium' });
}

/** Formats a month (`2026-03`) as `March`. */
export function monthText(month: string): string {
  return formatDate(`${month}-01`, { month: 'long' });
}

/** Formats a month (`2026-03`) as `March 2026`. */
export function monthAndYear(month: string): string {
  return formatDate(`${month}-01`, { month: 'long', year: 'numeric' });
}

/** Formats a month (`2026-03`) as `Mar 2026`. */
export function shortMonthAndYear(month: string): string {
  return formatDate(`${month}-01`, { month: 'short', year: 'numeric' });
}

/** Formats a month (`2026-03`) as `Mar`. */
export function monthLetters(month: string): string {
  return formatDate(`${month}-01`, { month: 'short' });
}

/** Adds months to a month (`2026-03`). */
export function monthAfter(month: string, count = 1): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7);
}

/** Largest UTC offset in hours, rounded up. */
const furthestOffset = 15;

/** Returns the start of a date (`2026-03-08`) in a time zone, even if DST skips midnight. */
export function startOfDate(date: string, timeZone: string): string {
  const midnight = Date.parse(`${date}T00:00Z`);
  const minute = 60_000;
  let before = midnight - furthestOffset * 60 * minute;
  let begun = midnight + furthestOffset * 60 * minute;
  while (begun - before > minute) {
    const middle = before + Math.floor((begun - before) / 2 / minute) * minute;
    if (dateIn(middle, timeZone) < date) before = middle;
    else begun = middle;
  }
  return new Date(begun).toISOString();
}

/** Covers a month (`2026-03`) in every time zone. */
export function spanOfMonth(month: string): { from: string; to: string } {
  const start = Date.parse(`${month}-01T00:00Z`);
  const end = Date.parse(`${monthAfter(month)}-01T00:00Z`);
  const reach = furthestOffset * 3_600_000;
  return { from: new Date(start - reach).toISOString(), to: new Date(end + reach).toISOString() };
}

export function byDate(instants: readonly string[], timeZone: string): Map<string, string[]> {
  const days = new Map<string, string[]>();
  for (const instant of instants) {
    const date = dateIn(instant, timeZone);
    const day = days.get(date);
    if (day) day.push(instant);
    else days.set(date, [instant]);
  }
  return days;
}

/** Labels a date's instants. When DST ends and a label repeats, adds the time zone abbreviation. */
export function timeChoices(
  instants: readonly string[],
  timeZone: string,
): { instant: string; label: string }[] {
  const labels = instants.map((instant) => openTimeText(instant, timeZone));
  return instants.map((instant, index) => {
    const label = labels[index]!;
    const twice = labels.indexOf(label) !== labels.lastIndexOf(label);
    return { instant, label: twice ? `${label} ${clockName(instant, timeZone)}` : label };
  });
}

function clockName(instant: string, timeZone: string): string {
  const parts = dateFormat(timeZone, { timeZoneName: 'short' }).formatToParts(new Date(instant));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Formats as `9:00 AM in New York`, with the date if it differs too; null where clocks agree. */
export function elsewhereText(instant: string, here: string, there: string): string | null {
  if (!clocksDiffer(instant, here, there)) return null;
  const time = timeText(instant, there);
  const sameDate = dateIn(instant, here) === dateIn(instant, there);
  return m.web_time_elsewhere({
    time: sameDate ? time : `${shortDateText(instant, there)}, ${time}`,
    zone: zoneText(there),
  });
}

export function clocksDiffer(instant: string, one: string, other: string): boolean {
  return (
    one !== other &&
    `${dateText(instant, one)} ${timeText(instant, one)}` !==
      `${dateText(instant, other)} ${timeText(instant, other)}`
  );
}
