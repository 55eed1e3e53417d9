export interface Compared {
  now: number;
  before: number;
}

/** Returns percent to one decimal; `new` avoids division by zero. */
export function changeOf({ now, before }: Compared): number | 'new' {
  if (now === before) return 0;
  if (before === 0) return 'new';
  return Math.round(((now - before) / before) * 1_000) / 10;
}

export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((100 * part) / whole);
}

/** Value of a full-height bar (administrator spec, section 9). */
const scales = { sessions: 500, users: 1_300 } as const;

/** Returns the fixed scale, or the largest value if higher. */
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
