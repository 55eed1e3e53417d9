/** A figure now and as it was at the end of last month. */
export interface Compared {
  now: number;
  before: number;
}

/** How far a figure has changed, in percent to one decimal; `new` where there was nothing before, which nothing can be divided by. */
export function changeOf({ now, before }: Compared): number | 'new' {
  if (now === before) return 0;
  if (before === 0) return 'new';
  return Math.round(((now - before) / before) * 1_000) / 10;
}

/** A part of a whole in percent, to one; null without a whole. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((100 * part) / whole);
}

/** What a bar of full height stands for (administrator spec, section 9). */
const scales = { sessions: 500, users: 1_300 } as const;

/** The same, or the largest of the values where that is more. */
export function fullBar<Key extends keyof typeof scales>(
  months: readonly Readonly<Record<Key, number>>[],
  key: Key,
): number {
  return Math.max(scales[key], ...months.map((month) => month[key]));
}

/** Months in parts of twelve at most, so that each bar has its room; the last part is whole. */
export function inYears<Month>(months: readonly Month[]): Month[][] {
  const parts: Month[][] = [];
  for (let end = months.length; end > 0; end -= 12) parts.unshift(months.slice(Math.max(0, end - 12), end));
  return parts;
}
