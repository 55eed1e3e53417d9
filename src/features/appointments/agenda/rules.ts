import type { Interval } from '#/kernel/interval.ts';
import type { AgendaBlock, AgendaDay, AgendaEntry } from './contract.ts';

const dayLength = 86_400_000;

export function dateAfter(date: string, days: number): string {
  return textOf(numberOf(date) + days * dayLength);
}

/** Starts on Sunday, matching the spec's date picker. */
export function weekOf(date: string): string[] {
  const sunday = dateAfter(date, -weekdayOf(date));
  return Array.from({ length: 7 }, (_, index) => dateAfter(sunday, index));
}

/** Returns the full Sunday-to-Saturday weeks covering the date's month. */
export function monthWeeks(date: string): string[][] {
  const month = date.slice(0, 7);
  const weeks: string[][] = [];
  for (let week = weekOf(`${month}-01`); week[0]!.slice(0, 7) <= month; week = weekOf(dateAfter(week[6]!, 1)))
    weeks.push(week);
  return weeks;
}

/** Clamps to the last day of shorter months. */
export function monthsAfter(date: string, months: number): string {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split('-').map(Number);
  const first = Date.UTC(year, month - 1 + months);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return textOf(first + (Math.min(dayOfMonth, last) - 1) * dayLength);
}

/** Maps keys to dates per the WAI-ARIA grid pattern; null for unhandled keys. `page` is the visible range. */
export function keyTarget(
  key: string,
  date: string,
  page: 'day' | 'week' | 'month',
  today: string,
): string | null {
  const weekday = weekdayOf(date);
  switch (key) {
    case 'ArrowLeft':
      return dateAfter(date, -1);
    case 'ArrowRight':
      return dateAfter(date, 1);
    case 'ArrowUp':
      return dateAfter(date, -7);
    case 'ArrowDown':
      return dateAfter(date, 7);
    case 'Home':
      return dateAfter(date, -weekday);
    case 'End':
      return dateAfter(date, 6 - weekday);
    case 'PageUp':
    case 'PageDown': {
      const way = key === 'PageUp' ? -1 : 1;
      return page === 'month' ? monthsAfter(date, way) : dateAfter(date, way * 7);
    }
    case 't':
    case 'T':
      return today;
    default:
      return null;
  }
}

/** Rejects impossible dates such as February 30. */
export function isShownDate(text: string): boolean {
  return /^2\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(numberOf(text)) && textOf(numberOf(text)) === text;
}

/** Subtracts intervals, dropping remainders shorter than `least` milliseconds. */
function subtractIntervals(
  stretches: readonly Interval[],
  others: readonly Interval[],
  least = 0,
): Interval[] {
  return others
    .reduce<readonly Interval[]>(
      (rest, other) =>
        rest.flatMap(({ start, end }) =>
          other.start < end && start < other.end
            ? [
                { start, end: Math.min(end, other.start) },
                { start: Math.max(start, other.end), end },
              ]
            : [{ start, end }],
        ),
      stretches,
    )
    .filter(({ start, end }) => end - start >= least && end > start)
    .toSorted((a, b) => a.start - b.start);
}

/** Assigns overlapping intervals to the fewest lanes. Input must be sorted by start. */
export function lanesOf(stretches: readonly Interval[]): { lane: number; lanes: number }[] {
  const placed: { lane: number; lanes: number }[] = [];
  let group: { lane: number; lanes: number }[] = [];
  let ends: number[] = [];
  for (const { start, end } of stretches) {
    if (ends.every((until) => until <= start)) {
      group = [];
      ends = [];
    }
    const free = ends.findIndex((until) => until <= start);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = end;
    const position = { lane, lanes: 0 };
    group.push(position);
    placed.push(position);
    for (const one of group) one.lanes = ends.length;
  }
  return placed;
}

/** Sunday is 0. 1970-01-01 was a Thursday. */
function weekdayOf(date: string): number {
  return (((numberOf(date) / dayLength + 4) % 7) + 7) % 7;
}

function numberOf(date: string): number {
  return Date.parse(`${date}T00:00Z`);
}

function textOf(number: number): string {
  return new Date(number).toISOString().slice(0, 10);
}

/** Shortest free time and rounding step, in milliseconds. */
const leastFree = 30 * 60_000;

export type DayItem = Interval &
  (
    | { kind: 'session'; entry: AgendaEntry }
    | { kind: 'block'; block: AgendaBlock }
    | { kind: 'rest' }
    | { kind: 'free' }
  );

/** Merges sessions, blocks, rest and remaining free time, sorted by start. */
export function dayItems(day: AgendaDay, blocks: readonly AgendaBlock[], now: number | null): DayItem[] {
  const within = { start: Date.parse(day.startsAt), end: Date.parse(day.endsAt) };
  const sessions = day.entries.map((entry) => ({ kind: 'session' as const, entry, ...spanOf(entry) }));
  const blocked = blocks.flatMap((block) => {
    const { start, end } = spanOf(block);
    if (end <= within.start || start >= within.end) return [];
    const part = { start: Math.max(start, within.start), end: Math.min(end, within.end) };
    return [{ kind: 'block' as const, block, ...part }];
  });
  const rest = day.rest.map((part) => ({ kind: 'rest' as const, ...spanOf(part) }));
  const past = now === null ? Infinity : Math.ceil(now / leastFree) * leastFree;
  const held = sessions.filter(({ entry }) => entry.status === 'pending' || entry.status === 'confirmed');
  const free = subtractIntervals(
    day.open.map(spanOf),
    [...held, ...blocked, { start: -Infinity, end: past }],
    leastFree,
  ).map((part) => ({ kind: 'free' as const, ...part }));
  return [...rest, ...blocked, ...sessions, ...free].toSorted((a, b) => a.start - b.start || b.end - a.end);
}

function spanOf({ startsAt, endsAt }: { startsAt: string; endsAt: string }): Interval {
  return { start: Date.parse(startsAt), end: Date.parse(endsAt) };
}
