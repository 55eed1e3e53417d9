import { timeLabel } from '#/kernel/wall-clock.ts';

/** Local date (`2026-03-08`), hour and minute. */
interface WallClock {
  date: string;
  hour: number;
  minute: number;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Converts an instant to local time without Temporal, which some browsers lack. */
export function wallClock(instant: string, timeZone: string): WallClock {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    clocks.set(timeZone, clock);
  }
  const parts = new Map(clock.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
  return {
    date: `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`,
    hour: Number(parts.get('hour')),
    minute: Number(parts.get('minute')),
  };
}

/** Returns the device's time zone; browser only. */
export function deviceZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns a time zone's city. */
export function zoneText(timeZone: string): string {
  return timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** Formats as `09:00 AM`, the spec's format. */
export function timeText(instant: string, timeZone: string): string {
  const { hour, minute } = wallClock(instant, timeZone);
  return timeLabel(hour, minute);
}

/** Formats as `Thursday, March 12, 2026`. */
export function dateText(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone }).format(new Date(instant));
}

/** Formats as `Thu, Mar 12`. */
export function shortDateText(instant: string, timeZone: string): string {
  const options = { weekday: 'short', month: 'short', day: 'numeric', timeZone } as const;
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(new Date(instant));
}

/** Formats as `Mar 12, 2026, 09:00 AM`. */
export function momentText(instant: string, timeZone: string): string {
  const date = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium' }).format(new Date(instant));
  return `${date}, ${timeText(instant, timeZone)}`;
}

/** Formats a deadline for unknown time zones, such as `March 5 at 12:00 PM UTC`. */
export function deadlineText(instant: string): string {
  const options = { month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC', timeZoneName: 'short' }).format(
    new Date(instant),
  );
}

/** Formats as `Thursday, March 12`. */
export function plainDateText(date: string): string {
  const options = { weekday: 'long', month: 'long', day: 'numeric' } as const;
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(new Date(`${date}T00:00Z`));
}

/** Formats as `March`. */
export function monthText(month: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00Z`),
  );
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
    if (wallClock(new Date(middle).toISOString(), timeZone).date < date) before = middle;
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
    const { date } = wallClock(instant, timeZone);
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
  const labels = instants.map((instant) => timeText(instant, timeZone));
  return instants.map((instant, index) => {
    const label = labels[index]!;
    const twice = labels.indexOf(label) !== labels.lastIndexOf(label);
    return { instant, label: twice ? `${label} ${clockName(instant, timeZone)}` : label };
  });
}

function clockName(instant: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(
    new Date(instant),
  );
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

export function clocksDiffer(instant: string, one: string, other: string): boolean {
  return (
    one !== other &&
    `${dateText(instant, one)} ${timeText(instant, one)}` !==
      `${dateText(instant, other)} ${timeText(instant, other)}`
  );
}
