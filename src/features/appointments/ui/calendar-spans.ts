/** The drawn hours: one column per date, all of the same width. */
export interface DrawnHours {
  dates: readonly string[];
  /** In minutes since midnight. */
  first: number;
  last: number;
}

export interface Point {
  date: string;
  /** Since midnight of the date. */
  minute: number;
}

/** In minutes since midnight of a date in the calendar's time zone. */
export interface DaySpan {
  date: string;
  from: number;
  to: number;
}

/** In minutes. */
const step = 15;

/** Where a point lies in a box that shows these hours. Points beyond it count as on its edge. */
export function pointIn(
  { dates, first, last }: DrawnHours,
  box: { left: number; top: number; width: number; height: number },
  { x, y }: { x: number; y: number },
): Point {
  const column = Math.floor(((x - box.left) / box.width) * dates.length);
  const minute = first + ((y - box.top) / box.height) * (last - first);
  return {
    date: dates[within(column, 0, dates.length - 1)]!,
    minute: within(minute, first, last),
  };
}

/** The quarter hours from one point to another, all on the first one's date. */
export function spanBetween(from: Point, to: Point, { first, last }: DrawnHours): DaySpan {
  const begins = Math.max(Math.floor(Math.min(from.minute, to.minute) / step) * step, first);
  const ends = Math.min(Math.ceil(Math.max(from.minute, to.minute) / step) * step, last);
  return { date: from.date, from: begins, to: Math.max(ends, begins + step) };
}

/** Returns where a session grabbed at one point and dropped at another goes, in quarter hours. */
export function droppedSpan(
  session: { start: number; length: number },
  from: Point,
  to: Point,
  { first, last }: DrawnHours,
): DaySpan {
  const wanted = Math.round((session.start + to.minute - from.minute) / step) * step;
  const begins = within(wanted, first, Math.max(last - session.length, first));
  return { date: to.date, from: begins, to: begins + session.length };
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
