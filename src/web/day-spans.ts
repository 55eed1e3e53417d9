/** The drawn hours: one column per day, all of the same width. */
export interface DrawnHours<Day = string> {
  days: readonly Day[];
  /** In minutes since midnight. */
  first: number;
  last: number;
}

export interface Point<Day = string> {
  day: Day;
  /** Since midnight of the day. */
  minute: number;
}

/** In minutes since midnight of a day, such as a date in the calendar's time zone. */
export interface DaySpan<Day = string> {
  day: Day;
  from: number;
  to: number;
}

export type Edge = 'from' | 'to';

/** In minutes. */
export const step = 15;

/** Where a point lies in a box that shows these hours. Points beyond it count as on its edge. */
export function pointIn<Day>(
  { days, first, last }: DrawnHours<Day>,
  box: { left: number; top: number; width: number; height: number },
  { x, y }: { x: number; y: number },
): Point<Day> {
  const column = Math.floor(((x - box.left) / box.width) * days.length);
  const minute = first + ((y - box.top) / box.height) * (last - first);
  return {
    day: days[clamp(column, 0, days.length - 1)]!,
    minute: clamp(minute, first, last),
  };
}

/** The quarter hours from one point to another, all on the first one's day. `least` is their shortest length. */
export function spanBetween<Day>(
  from: Point<Day>,
  to: Point<Day>,
  { first, last }: DrawnHours<Day>,
  least = step,
): DaySpan<Day> {
  const begins = Math.floor(Math.min(from.minute, to.minute) / step) * step;
  const ends = Math.min(Math.ceil(Math.max(from.minute, to.minute) / step) * step, last);
  const start = clamp(begins, first, Math.max(last - least, first));
  return { day: from.day, from: start, to: Math.max(ends, start + least) };
}

/** Returns where a span grabbed at one point and dropped at another goes, in quarter hours. */
export function droppedSpan<Day>(
  span: DaySpan<Day>,
  from: Point<Day>,
  to: Point<Day>,
  { first, last }: DrawnHours<Day>,
): DaySpan<Day> {
  const length = span.to - span.from;
  const wanted = Math.round((span.from + to.minute - from.minute) / step) * step;
  const begins = clamp(wanted, first, Math.max(last - length, first));
  return { day: to.day, from: begins, to: begins + length };
}

/** Returns the span with one edge at the nearest quarter hour, and at least `least` minutes long. */
export function stretchedSpan<Day>(
  span: DaySpan<Day>,
  edge: Edge,
  minute: number,
  { first, last }: DrawnHours<Day>,
  least = step,
): DaySpan<Day> {
  const wanted = Math.round(minute / step) * step;
  return edge === 'from'
    ? { ...span, from: clamp(wanted, Math.min(first, span.from), Math.max(span.to - least, 0)) }
    : { ...span, to: clamp(wanted, span.from + least, Math.max(last, span.from + least)) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
