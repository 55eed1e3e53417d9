/** Inclusive report dates, `YYYY-MM-DD`. */
export interface Range {
  from: string;
  to: string;
}

/** Three years in days, including a leap day. */
const longestRange = 1_096;

export const earliest = '2000-01-01';

export type RangeProblem =
  | { field: 'from'; reason: 'range_from_missing' | 'range_too_early' | 'range_reversed' | 'range_too_long' }
  | { field: 'to'; reason: 'range_to_missing' | 'range_in_future' };

/** Returns the first problem, or null; empty strings are missing dates. */
export function rangeProblem({ from, to }: Range, today: string): RangeProblem | null {
  if (from === '') return { field: 'from', reason: 'range_from_missing' };
  if (to === '') return { field: 'to', reason: 'range_to_missing' };
  if (from < earliest) return { field: 'from', reason: 'range_too_early' };
  if (to > today) return { field: 'to', reason: 'range_in_future' };
  if (from > to) return { field: 'from', reason: 'range_reversed' };
  if (dayNumber(to) - dayNumber(from) >= longestRange) return { field: 'from', reason: 'range_too_long' };
  return null;
}

export const presets = ['this_month', 'last_month', 'six_months', 'twelve_months', 'this_year'] as const;

export type Preset = (typeof presets)[number];

/** Whole months, the current one until today. */
export function presetRange(preset: Preset, today: string): Range {
  const month = today.slice(0, 7);
  if (preset === 'this_month') return { from: `${month}-01`, to: today };
  if (preset === 'this_year') return { from: `${today.slice(0, 4)}-01-01`, to: today };
  if (preset === 'last_month') return { from: `${monthsBefore(month, 1)}-01`, to: dayBefore(`${month}-01`) };
  return { from: `${monthsBefore(month, preset === 'six_months' ? 5 : 11)}-01`, to: today };
}

/** Fills in missing dates; defaults to six months, including the current one. */
export function rangeOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  today: string,
): Range {
  return { from: from ?? presetRange('six_months', to ?? today).from, to: to ?? today };
}

export function monthsOf({ from, to }: Range): { month: string; from: string }[] {
  const months = [];
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = monthsBefore(month, -1)) {
    months.push({ month, from: month === from.slice(0, 7) ? from : `${month}-01` });
  }
  return months;
}

export function dayAfter(day: string): string {
  return dayAt(dayNumber(day) + 1);
}

export function daysIn({ from, to }: Range): string[] {
  const first = dayNumber(from);
  return Array.from({ length: dayNumber(to) - first + 1 }, (_, index) => dayAt(first + index));
}

/** Counts a weekday (1 is Monday) in a range. */
export function weekdaysBetween(weekday: number, { from, to }: Range): number {
  // Counts the weekday up to `day`: day 0 was Thursday.
  const until = (day: number) => Math.floor((day - weekday + 4) / 7);
  return Math.max(0, until(dayNumber(to)) - until(dayNumber(from) - 1));
}

export function dayBefore(day: string): string {
  return dayAt(dayNumber(day) - 1);
}

function monthsBefore(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const index = year * 12 + number - 1 - count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/** Days since 1970. */
function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00Z`) / 86_400_000;
}

function dayAt(number: number): string {
  return new Date(number * 86_400_000).toISOString().slice(0, 10);
}

export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((100 * part) / whole);
}

/** Value of a full-height bar (administrator spec, section 9). */
const scales = { sessions: 500, users: 1_300 } as const;

/** The fixed scale, or a higher value. */
export function fullBar<Key extends keyof typeof scales>(
  months: readonly Readonly<Record<Key, number>>[],
  key: Key,
): number {
  return Math.max(scales[key], ...months.map((month) => month[key]));
}

/** Splits into groups of twelve for readable charts; the first may be shorter. */
export function inYears<Month>(months: readonly Month[]): Month[][] {
  const parts: Month[][] = [];
  for (let end = months.length; end > 0; end -= 12) parts.unshift(months.slice(Math.max(0, end - 12), end));
  return parts;
}
