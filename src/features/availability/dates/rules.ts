import type { FieldProblem } from '#/kernel/errors.ts';
import type { WallWindow } from '../rules.ts';
import { shortProblems, windowProblem } from '../week/rules.ts';

export const longestRange = 366;

/** Days: three years. */
const maxDaysAhead = 1_096;

/** `to` is inclusive. */
export interface DatesQuestion {
  from: string;
  to: string;
  windows: readonly WallWindow[];
  today: string;
  timeZone: string;
  placeIds: readonly string[];
  shortestMinutes: number;
}

export function datesProblems(question: DatesQuestion): FieldProblem[] {
  const { from, to, windows, today, timeZone, placeIds, shortestMinutes } = question;
  const range = rangeProblem(question);
  if (range) return [range];
  if (from < today) return [{ field: 'from', reason: 'in_past' }];
  if (daysBetween(today, to) > maxDaysAhead)
    return [{ field: to === from ? 'from' : 'to', reason: 'too_far' }];
  const dates = datesIn(from, to);
  const problems = windows.flatMap((window, index) => {
    const reason =
      windowProblem(window, windows.slice(0, index), placeIds) ??
      (dates.some((date) => isSkipped(date, window, timeZone)) ? 'skipped_time' : null);
    return reason === null ? [] : [{ field: `windows.${index}`, reason }];
  });
  if (problems.length > 0) return problems;
  return shortProblems(
    // Midweek: nothing wraps into another date.
    windows.map((window) => ({ ...window, weekday: 2 })),
    'windows',
    shortestMinutes,
  );
}

export function rangeProblem({ from, to }: { from: string; to: string }): FieldProblem | null {
  if (to < from) return { field: 'to', reason: 'before_from' };
  return daysBetween(from, to) >= longestRange ? { field: 'to', reason: 'too_far' } : null;
}

/** Both ends inclusive. */
export function datesIn(from: string, to: string): string[] {
  const first = Temporal.PlainDate.from(from);
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, days) => first.add({ days }).toString());
}

function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days;
}

/** DST can skip a window's start or end. */
function isSkipped(date: string, { from, to }: WallWindow, timeZone: string): boolean {
  return [from, to].some((time) => {
    if (time === '24:00') return false;
    const wanted = Temporal.PlainDateTime.from(`${date}T${time}`);
    return !wanted.toZonedDateTime(timeZone, { disambiguation: 'earlier' }).toPlainDateTime().equals(wanted);
  });
}
