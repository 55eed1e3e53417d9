import type { FieldProblem } from '#/kernel/errors.ts';
import { isKnownZone } from '#/kernel/zone-clock.ts';
import type { AvailabilityDraft } from '../contract.ts';
import type { OwnTerms } from '../terms/contract.ts';
import type { Rest } from '../rest/contract.ts';
import type { Frame, WallWindow, WeeklyWindow } from '../rules.ts';
import { allLengths, lengthsOf } from '../terms/rules.ts';

/** Rejects more windows per day as a mistake. */
const windowsPerDay = 12;

/** Reversed hours within these bounds report `crosses_midnight`: the provider probably meant an overnight window. */
const evening = '17:00';
const morning = '08:00';

/** Returns errors by field; any error blocks saving. */
export function weekProblems(week: AvailabilityDraft, frame: Frame): FieldProblem[] {
  const problems = [
    ...(isKnownZone(week.timeZone) ? [] : [{ field: 'timeZone', reason: 'unknown_zone' }]),
    ...termsProblems(week.terms, frame),
    ...restProblems(week.rest),
    ...weeklyProblems(week.weekly, 'weekly', frame.placeIds),
  ];
  return problems.length > 0
    ? problems
    : shortProblems(week.weekly, 'weekly', shortestOf(week.terms.sessionLengths, frame.servicesMinutes));
}

export function draftProblems(
  draft: AvailabilityDraft & {
    dates?: readonly { date: string; windows: readonly WallWindow[] }[] | undefined;
  },
  frame: Frame,
): FieldProblem[] {
  const problems = weekProblems(draft, frame);
  for (const [index, { windows }] of (draft.dates ?? []).entries()) {
    for (const [at, window] of windows.entries()) {
      const reason = windowProblem(window, windows.slice(0, at), frame.placeIds);
      if (reason !== null) problems.push({ field: `dates.${index}.windows.${at}`, reason });
    }
  }
  return problems;
}

export function weeklyProblems(
  windows: readonly WeeklyWindow[],
  field: string,
  placeIds: readonly string[],
): FieldProblem[] {
  return windows.flatMap((window, index) => {
    const { weekday } = window;
    const sameDay = windows.slice(0, index).filter((other) => other.weekday === weekday);
    const isWeekday = Number.isInteger(weekday) && weekday >= 1 && weekday <= 7;
    const reason = isWeekday ? windowProblem(window, sameDay, placeIds) : 'not_a_weekday';
    return reason === null ? [] : [{ field: `${field}.${index}`, reason }];
  });
}

const wallTime = /^([01]\d|2[0-3]):[0-5]\d$/;

/** `before` holds earlier windows of the same day. */
export function windowProblem(
  { from, to, placeId }: WallWindow,
  before: readonly WallWindow[],
  placeIds: readonly string[],
): string | null {
  if (!wallTime.test(from) || !(wallTime.test(to) || to === '24:00')) return 'not_a_time';
  if (from >= to) return from >= evening && to <= morning ? 'crosses_midnight' : 'ends_before_it_begins';
  if (before.length >= windowsPerDay) return 'too_many';
  if (before.some((other) => other.from < to && from < other.to)) return 'overlaps';
  return !placeId || placeIds.includes(placeId) ? null : 'unknown_place';
}

const dayMinutes = 24 * 60;
const weekMinutes = 7 * dayMinutes;

/** Finds windows too short for any session. Adjacent windows count as one, even across midnight. */
export function shortProblems(
  windows: readonly WeeklyWindow[],
  field: string,
  shortestMinutes: number,
): FieldProblem[] {
  const spans = windows
    .map(({ weekday, from, to }, index) => ({
      index,
      start: (weekday - 1) * dayMinutes + minutesOf(from),
      end: (weekday - 1) * dayMinutes + minutesOf(to),
    }))
    .toSorted((a, b) => a.start - b.start);
  const joined: { index: number; start: number; end: number }[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && last.end === span.start) last.end = span.end;
    else joined.push({ ...span });
  }
  const [first, last] = [joined[0], joined.at(-1)];
  // Sunday midnight wraps around to Monday.
  const around = first && last && first !== last && first.start === 0 && last.end === weekMinutes;
  return joined
    .filter((span) => {
      const other = span === first ? last : first;
      const more = around && (span === first || span === last) ? other!.end - other!.start : 0;
      return span.end - span.start + more < shortestMinutes;
    })
    .map(({ index }) => ({ field: `${field}.${index}`, reason: 'too_short' }));
}

export function shortestOf(chosen: readonly number[] | null, servicesMinutes: readonly number[]): number {
  const lengths = servicesMinutes.flatMap((minutes) => lengthsOf(minutes, chosen));
  return Math.min(...(lengths.length > 0 ? lengths : (chosen ?? allLengths([]))));
}

function minutesOf(wall: string): number {
  return Number(wall.slice(0, 2)) * 60 + Number(wall.slice(3));
}

function termsProblems(own: OwnTerms, { site, servicesMinutes }: Frame): FieldProblem[] {
  const { sessionLengths, bufferMinutes, noticeHours, dailyMaximum } = own;
  const offered = allLengths(servicesMinutes);
  const problems: FieldProblem[] = [];
  if (sessionLengths?.some((length) => !offered.includes(length)))
    problems.push({ field: 'terms.sessionLengths', reason: 'not_offered' });
  if (bufferMinutes !== null && bufferMinutes < site.bufferMinutes)
    problems.push({ field: 'terms.bufferMinutes', reason: 'below_site' });
  if (noticeHours !== null && noticeHours < site.advanceNoticeHours)
    problems.push({ field: 'terms.noticeHours', reason: 'below_site' });
  if (dailyMaximum !== null && dailyMaximum > site.dailyMaximum)
    problems.push({ field: 'terms.dailyMaximum', reason: 'above_site' });
  return problems;
}

function restProblems({ kind, place }: Rest): FieldProblem[] {
  if (!place) return kind === 'sabbath' ? [{ field: 'rest.place', reason: 'required' }] : [];
  const problems: FieldProblem[] = [];
  if (!(Math.abs(place.latitude) <= 90))
    problems.push({ field: 'rest.place.latitude', reason: 'out_of_bounds' });
  if (!(Math.abs(place.longitude) <= 180))
    problems.push({ field: 'rest.place.longitude', reason: 'out_of_bounds' });
  if (place.timeZone !== null && !isKnownZone(place.timeZone))
    problems.push({ field: 'rest.place.timeZone', reason: 'unknown_zone' });
  return problems;
}
