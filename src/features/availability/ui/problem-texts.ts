import type { FieldProblem } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import type { AvailabilityView } from '../contract.ts';
import { shortestOf, shortProblems, weeklyProblems } from '../week/rules.ts';
import { draftOf, type TypedWeek } from './week-draft.ts';

/** A window's field is its key. */
export type Problems = Readonly<Partial<Record<string, string>>>;

const windowTexts: Readonly<Partial<Record<string, () => string>>> = {
  not_a_time: m.availability_bad_time,
  ends_before_it_begins: m.availability_bad_order,
  crosses_midnight: m.availability_bad_midnight,
  overlaps: m.availability_bad_overlap,
  too_short: m.availability_bad_short,
  too_many: m.availability_bad_many,
  unknown_place: m.availability_bad_place,
  skipped_time: m.availability_bad_skipped,
};

export function windowText(reason: string): string {
  return (windowTexts[reason] ?? m.availability_bad_window)();
}

export function typedProblems(week: TypedWeek, { site, places }: AvailabilityView): Problems {
  const { draft, keys } = draftOf(week);
  const { sessionLengths, bufferMinutes, noticeHours, dailyMaximum } = draft.terms;
  const { place, kind } = draft.rest;
  const found: Record<string, string> = {};
  const say = (field: string, sentence: string) => {
    found[field] ??= sentence;
  };
  const number = (field: string, value: number | null, bad: (value: number) => string | null) => {
    if (value === null) return;
    const sentence = Number.isNaN(value) ? m.availability_bad_number() : bad(value);
    if (sentence) say(field, sentence);
  };
  const atLeast = (least: number) => (value: number) =>
    value < least ? m.availability_bad_below({ site: least }) : null;
  const placeIds = places.map(({ id }) => id);
  const problems = weeklyProblems(draft.weekly, 'weekly', placeIds);
  const shortest = shortestOf(sessionLengths, site.sessionLengths);
  for (const { field, reason } of problems.length > 0
    ? problems
    : shortProblems(draft.weekly, 'weekly', shortest))
    say(keys[indexIn(field)]!, windowText(reason));
  if (sessionLengths?.length === 0) say('lengths', m.availability_bad_lengths());
  number('buffer', bufferMinutes, atLeast(site.bufferMinutes));
  number('notice', noticeHours, atLeast(site.noticeHours));
  number('daily', dailyMaximum, (value) => {
    if (value < 1) return m.availability_bad_below({ site: 1 });
    return value > site.dailyMaximum ? m.availability_bad_above({ site: site.dailyMaximum }) : null;
  });
  if (kind !== 'sabbath') return found;
  if (week.place.by === 'city') {
    if (!place) say('place', m.availability_bad_city());
    return found;
  }
  if (!place || !(Math.abs(place.latitude) <= 90)) say('latitude', m.availability_bad_degrees({ max: 90 }));
  if (!place || !(Math.abs(place.longitude) <= 180))
    say('longitude', m.availability_bad_degrees({ max: 180 }));
  return found;
}

/** `keys` identify the submitted windows. */
export function refusedProblems(
  fields: readonly FieldProblem[],
  keys: readonly string[],
  site: AvailabilityView['site'],
): Problems {
  const texts: Readonly<Record<string, [field: string, sentence: string]>> = {
    timeZone: ['timeZone', m.web_zone_bad()],
    'terms.sessionLengths': ['lengths', m.web_choice_gone()],
    'terms.bufferMinutes': ['buffer', m.availability_bad_below({ site: site.bufferMinutes })],
    'terms.noticeHours': ['notice', m.availability_bad_below({ site: site.noticeHours })],
    'terms.dailyMaximum': ['daily', m.availability_bad_above({ site: site.dailyMaximum })],
    'rest.place.latitude': ['latitude', m.availability_bad_degrees({ max: 90 })],
    'rest.place.longitude': ['longitude', m.availability_bad_degrees({ max: 180 })],
    rest: ['place', m.availability_bad_city()],
  };
  return Object.fromEntries(
    fields.flatMap(({ field, reason }) => {
      if (field.startsWith('weekly.')) return [[keys[indexIn(field)] ?? '', windowText(reason)]];
      const path = Object.keys(texts).find((one) => field === one || field.startsWith(`${one}.`));
      return path === undefined ? [] : [texts[path]!];
    }),
  );
}

function indexIn(field: string): number {
  return Number(field.split('.')[1]);
}

export interface PartProps {
  week: TypedWeek;
  view: AvailabilityView;
  problems: Problems;
  onChange: (week: TypedWeek) => void;
  onNews: (news: string) => void;
}

export interface WeekPartProps extends PartProps {
  /** Changes days; can be undone. */
  onAct: (week: TypedWeek) => void;
  /** Undefined while there is nothing to undo. */
  onUndo: (() => void) | undefined;
}
