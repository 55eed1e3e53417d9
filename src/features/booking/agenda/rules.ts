import type { Interval } from '#/kernel/interval.ts';
import type { AgendaBlock, AgendaDay, AgendaEntry } from './contract.ts';

const dayLength = 86_400_000;

/** A date (`YYYY-MM-DD`) so many days after another. */
export function dateAfter(date: string, days: number): string {
  return textOf(numberOf(date) + days * dayLength);
}

/** The week that holds a date, from its Sunday on, as the spec's date picker draws it. */
export function weekOf(date: string): string[] {
  const sunday = dateAfter(date, -weekdayOf(date));
  return Array.from({ length: 7 }, (_, index) => dateAfter(sunday, index));
}

/** The whole weeks, from Sundays on, that hold the month of a date. */
export function monthWeeks(date: string): string[][] {
  const month = date.slice(0, 7);
  const weeks: string[][] = [];
  for (let week = weekOf(`${month}-01`); week[0]!.slice(0, 7) <= month; week = weekOf(dateAfter(week[6]!, 1)))
    weeks.push(week);
  return weeks;
}

/** The same day so many months later, or the last one of a month that is shorter. */
export function monthsAfter(date: string, months: number): string {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split('-').map(Number);
  const first = Date.UTC(year, month - 1 + months);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return textOf(first + (Math.min(dayOfMonth, last) - 1) * dayLength);
}

/** Where a key leads from a date in a grid of days (WAI-ARIA grid), or null for any other key; a page is what the grid shows. */
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

/** Whether a text is a date that the calendar can show. */
export function isShownDate(text: string): boolean {
  return /^2\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(numberOf(text)) && textOf(numberOf(text)) === text;
}

/** What is left of some stretches without others, ascending; what is shorter than `least` milliseconds is left out. */
function leftOver(stretches: readonly Interval[], others: readonly Interval[], least = 0): Interval[] {
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

/** Which of as few lanes as it takes each stretch lies in, so that none that meet share one; they come by start. */
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
    const place = { lane, lanes: 0 };
    group.push(place);
    placed.push(place);
    for (const one of group) one.lanes = ends.length;
  }
  return placed;
}

/** 0 for Sunday to 6 for Saturday; 1970-01-01 was a Thursday. */
function weekdayOf(date: string): number {
  return (((numberOf(date) / dayLength + 4) % 7) + 7) % 7;
}

function numberOf(date: string): number {
  return Date.parse(`${date}T00:00Z`);
}

function textOf(number: number): string {
  return new Date(number).toISOString().slice(0, 10);
}

/** The shortest stretch that is shown as free, and the step on which one that has begun goes on, in milliseconds. */
const leastFree = 30 * 60_000;

/** What stands in a day, as its column and its list show it. */
export type DayItem = Interval &
  (
    | { kind: 'session'; entry: AgendaEntry }
    | { kind: 'block'; block: AgendaBlock }
    | { kind: 'rest' }
    | { kind: 'free' }
  );

/** Everything that stands in a day, by start: what is booked, what blocks it, rest, and what is still free. */
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
  const free = leftOver(
    day.open.map(spanOf),
    [...held, ...blocked, { start: -Infinity, end: past }],
    leastFree,
  ).map((part) => ({ kind: 'free' as const, ...part }));
  return [...rest, ...blocked, ...sessions, ...free].toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** The times of an answer in epoch milliseconds. */
function spanOf({ startsAt, endsAt }: { startsAt: string; endsAt: string }): Interval {
  return { start: Date.parse(startsAt), end: Date.parse(endsAt) };
}
