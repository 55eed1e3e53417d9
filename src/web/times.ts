import { timeLabel } from '#/kernel/wall-clock.ts';

/** What the wall clock of a zone shows: a plain date (`2026-03-08`), hour and minute. */
interface WallClock {
  date: string;
  hour: number;
  minute: number;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What the wall clock of a zone shows at an instant. Without Temporal, which not every browser has. */
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

/** The zone of the person's own device; in the browser only. */
export function deviceZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A zone as people name it: its city. */
export function zoneText(timeZone: string): string {
  return timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** The spec's label of a time, such as `09:00 AM`. */
export function timeText(instant: string, timeZone: string): string {
  const { hour, minute } = wallClock(instant, timeZone);
  return timeLabel(hour, minute);
}

/** A date in full, such as `Thursday, March 12, 2026`. */
export function dateText(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone }).format(new Date(instant));
}

/** A date in short, such as `Thu, Mar 12`. */
export function shortDateText(instant: string, timeZone: string): string {
  const options = { weekday: 'short', month: 'short', day: 'numeric', timeZone } as const;
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(new Date(instant));
}

/** A short date and time, such as `Mar 12, 2026, 09:00 AM`. */
export function momentText(instant: string, timeZone: string): string {
  const date = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium' }).format(new Date(instant));
  return `${date}, ${timeText(instant, timeZone)}`;
}

/** A deadline for a reader whose zone isn't known, such as `March 5 at 12:00 PM UTC`. */
export function deadlineText(instant: string): string {
  const options = { month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC', timeZoneName: 'short' }).format(
    new Date(instant),
  );
}

/** A plain date in words, such as `Thursday, March 12`. */
export function plainDateText(date: string): string {
  const options = { weekday: 'long', month: 'long', day: 'numeric' } as const;
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(new Date(`${date}T00:00Z`));
}

/** A month (`2026-03`) in words, such as `March`. */
export function monthText(month: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00Z`),
  );
}

/** The month so many months after another, both as `2026-03`. */
export function monthAfter(month: string, count = 1): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7);
}

/** How far a zone's clock can be from UTC, in hours, both ways rounded up. */
const furthestOffset = 15;

/** When a date (`2026-03-08`) begins in a zone, even where its clocks skip midnight. Without Temporal. */
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

/** A span of UTC that holds a month (`2026-03`) of every zone. */
export function spanOfMonth(month: string): { from: string; to: string } {
  const start = Date.parse(`${month}-01T00:00Z`);
  const end = Date.parse(`${monthAfter(month)}-01T00:00Z`);
  const reach = furthestOffset * 3_600_000;
  return { from: new Date(start - reach).toISOString(), to: new Date(end + reach).toISOString() };
}

/** Instants by the date that a zone's wall clock shows at them; each date's in their order. */
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

/** The instants of one date with their labels; where clocks are set back and a label comes twice, it names the clock. */
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

/** Whether the clocks of two zones differ at an instant, so that the other one has to be named. */
export function clocksDiffer(instant: string, one: string, other: string): boolean {
  return (
    one !== other &&
    `${dateText(instant, one)} ${timeText(instant, one)}` !==
      `${dateText(instant, other)} ${timeText(instant, other)}`
  );
}
