import { droppedSpan, step, stretchedSpan, type DaySpan } from '#/web/day-spans.ts';
import { typedWindow, withDay, type TypedDay, type TypedWeek, type TypedWindow } from './week-draft.ts';

/** ISO 8601: Monday is 1, Sunday is 7. */
export type WeekSpan = DaySpan<number>;

export interface PlacedSpan extends WeekSpan {
  placeId: string | null;
}

export const midnight = 24 * 60;

/** Null for missing or reversed times. */
export function spanOf(weekday: number, { from, to }: TypedWindow): WeekSpan | null {
  const [begins, ends] = [minuteOf(from), minuteOf(to)];
  return begins < ends ? { day: weekday, from: begins, to: ends } : null;
}

export function minuteOf(time: string): number {
  return /^\d\d:\d\d$/.test(time) ? Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) : NaN;
}

/** For example `09:30`; the end of the day is `24:00`. */
export function wallTime(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/**
 * Opens hours on a day, in place of the window `moved` if there is one. They join hours that they touch at the same
 * place, and fill only the time around hours at another place. Hours that end before they begin go on into the next
 * day. Returns null if no time is left for them; `key` is the window that now holds their first minute.
 */
export function withHours(week: TypedWeek, hours: PlacedSpan, moved?: string): OpenedHours | null {
  return splitAtMidnight(hours).reduce<OpenedHours | null>((opened, part) => {
    const next = withDayHours(opened?.week ?? week, part, opened ? undefined : moved);
    return next ? { week: next.week, key: opened?.key ?? next.key } : opened;
  }, null);
}

export interface OpenedHours {
  week: TypedWeek;
  key: string;
}

function splitAtMidnight({ day, from, to, placeId }: PlacedSpan): PlacedSpan[] {
  if (to > from) return [{ day, from, to, placeId }];
  const today = { day, from, to: midnight, placeId };
  return to === 0 ? [today] : [today, { day: (day % 7) + 1, from: 0, to, placeId }];
}

function withDayHours(
  week: TypedWeek,
  { day, from, to, placeId }: PlacedSpan,
  moved: string | undefined,
): OpenedHours | null {
  const cleared = moved === undefined ? week : withoutHours(week, moved);
  // Days off keep hours only to restore them.
  const { off, windows } = cleared.days.find(({ weekday }) => weekday === day)!;
  let kept = (off ? [] : windows).map((window) => ({ window, span: spanOf(day, window) }));
  const elsewhere = kept.flatMap(({ window, span }) => (span && window.placeId !== placeId ? [span] : []));
  const made = elsewhere
    .reduce((free, taken) => free.flatMap((piece) => subtract(piece, taken)), [{ from, to }])
    .map((piece, index) => {
      const joined = kept.flatMap(({ window, span }) =>
        span && window.placeId === placeId && span.from <= piece.to && piece.from <= span.to ? [span] : [],
      );
      kept = kept.filter(({ span }) => !span || !joined.includes(span));
      const window = typedWindow({
        from: wallTime(Math.min(piece.from, ...joined.map((span) => span.from))),
        to: wallTime(Math.max(piece.to, ...joined.map((span) => span.to))),
        placeId,
      });
      return index === 0 && moved !== undefined ? { ...window, key: moved } : window;
    });
  if (made.length === 0) return null;
  const sorted = [...kept.map(({ window }) => window), ...made].toSorted((a, b) =>
    a.from < b.from ? -1 : 1,
  );
  return {
    week: withDay(cleared, day, (last) => ({ ...last, off: false, windows: sorted })),
    key: made[0]!.key,
  };
}

/** Finds a window by its key; its span is null for times that are missing or reversed. */
export function windowIn(week: TypedWeek, key: string) {
  for (const { weekday, windows } of week.days) {
    const window = windows.find((one) => one.key === key);
    if (window) return { weekday, window, span: spanOf(weekday, window) };
  }
  return undefined;
}

/** A day without hours is off. */
export function withoutHours(week: TypedWeek, key: string): TypedWeek {
  const day = week.days.find(({ windows }) => windows.some((window) => window.key === key));
  if (!day) return week;
  const windows = day.windows.filter((window) => window.key !== key);
  return withDay(week, day.weekday, (last) => ({ ...last, windows, off: last.off || windows.length === 0 }));
}

/** Cells of a day's column: windows, and the remaining hours. */
export type Cell = { from: number; to: number } & (
  | { kind: 'open'; window: TypedWindow; span: WeekSpan | null }
  | { kind: 'free' }
);

/**
 * Returns a day's cells between two full hours, in order. A window without valid times takes the hour at its start, or
 * the first one.
 */
export function cellsOf({ weekday, off, windows }: TypedDay, first: number, last: number): Cell[] {
  const open = (off ? [] : windows).map((window) => {
    const span = spanOf(weekday, window);
    const from = Math.min(span?.from ?? (minuteOf(window.from) || first), last - 60);
    return { kind: 'open' as const, window, span, from, to: span?.to ?? from + 60 };
  });
  const free: Cell[] = [];
  for (let hour = first; hour < last; hour += 60) {
    let pieces = [{ from: hour, to: hour + 60 }];
    for (const cell of open) pieces = pieces.flatMap((piece) => subtract(piece, cell));
    free.push(...pieces.map((piece) => ({ kind: 'free' as const, ...piece })));
  }
  return [...open, ...free].toSorted((a, b) => a.from - b.from || a.to - b.to);
}

/** In minutes. */
export function openMinutes({ weekday, off, windows }: TypedDay): number {
  const spans = off ? [] : windows.flatMap((window) => spanOf(weekday, window) ?? []);
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

interface Minutes {
  from: number;
  to: number;
}

function subtract({ from, to }: Minutes, taken: Minutes): Minutes[] {
  return [
    { from, to: Math.min(to, taken.from) },
    { from: Math.max(from, taken.to), to },
  ].filter((piece) => piece.from < piece.to);
}

const wholeDay = { days: [], first: 0, last: midnight };

/**
 * Returns the hours after an arrow key: Shift moves their end, Alt moves all of them. Returns undefined for other keys,
 * and unchanged hours at the edge of the week.
 */
export function keyedSpan(
  { key, shiftKey, altKey }: { key: string; shiftKey: boolean; altKey: boolean },
  span: WeekSpan,
  least: number,
): WeekSpan | undefined {
  const minutes = { ArrowUp: -step, ArrowDown: step }[key];
  const days = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (shiftKey && !altKey && minutes) return stretchedSpan(span, 'to', span.to + minutes, wholeDay, least);
  if (!altKey || shiftKey || (!minutes && !days)) return undefined;
  const held = { day: span.day, minute: span.from };
  const day = Math.min(Math.max(span.day + (days ?? 0), 1), 7);
  return droppedSpan(span, held, { day, minute: span.from + (minutes ?? 0) }, wholeDay);
}
