import type { FaithPart, SessionType, Specialist } from '#/features/providers/contract.ts';
import { oneLine } from '#/kernel/text.ts';
import { isFormatZone } from '#/kernel/date-text.ts';
import { m } from '#/texts/messages.js';
import type { FindInput, MeetingTime } from '../contract.ts';
import { sessionTypeText } from '#/features/appointments/ui/session-texts.ts';

type Kind = Specialist['kind'];

/** Page size and maximum number of pages. */
export const pageSize = 12;
const maxPages = 20;
const longestWord = 100;

/** Search parameters in the directory's URL. */
export interface Search {
  /** Service id. */
  care: string | null;
  kind: Kind | null;
  tradition: string | null;
  faith: FaithPart | null;
  language: string | null;
  type: SessionType | null;
  time: MeetingTime | null;
  /** Time zone `time` is interpreted in. */
  zone: string | null;
  place: string | null;
  order: 'soonest' | null;
  /** Pages shown, one below the other. */
  page: number;
}

export type Filter = 'care' | 'kind' | 'faith' | 'tradition' | 'language' | 'type' | 'time' | 'place';

const kinds: Record<Kind, () => string> = { doctor: m.finding_kind_doctor, pastor: m.finding_kind_pastor };
const faiths: Record<FaithPart, () => string> = {
  as_you_wish: m.finding_faith_as_you_wish,
  woven_in: m.finding_faith_woven_in,
  central: m.finding_faith_central,
};
export const typeTexts: Record<SessionType, () => string> = {
  online: () => sessionTypeText('online'),
  phone: () => sessionTypeText('phone'),
  'in-person': () => sessionTypeText('in-person'),
};
export function typeTextsOf(hasVideo: boolean): Partial<typeof typeTexts> {
  const { online, ...others } = typeTexts;
  return hasVideo ? { online, ...others } : others;
}
export const timeTexts: Record<MeetingTime, () => string> = {
  tomorrow: m.finding_time_tomorrow,
  three_days: m.finding_time_three_days,
  week: m.finding_time_week,
  evenings: m.finding_time_evenings,
  weekends: m.finding_time_weekends,
};

/** Others use values of specialists' profiles. */
export const closedChoices: Partial<Record<Filter, Readonly<Record<string, () => string>>>> = {
  kind: kinds,
  faith: faiths,
  type: typeTexts,
  time: timeTexts,
};

export const filters: readonly (readonly [Filter, () => string])[] = [
  ['care', m.finding_filter_service],
  ['kind', m.finding_filter_kind],
  ['faith', m.therapists_faith],
  ['time', m.finding_filter_time],
  ['type', m.booking_session_type],
  ['place', m.finding_filter_place],
  ['language', m.finding_filter_language],
  ['tradition', m.finding_filter_tradition],
];

/** Parses URL parameters and drops invalid values. */
export function searchOf(
  params: URLSearchParams,
  { serviceIds, hasVideo }: { serviceIds: readonly string[]; hasVideo: boolean },
): Search {
  const time = knownKey(timeTexts, params.get('time'));
  const page = Number(params.get('page') ?? 1);
  return {
    care: serviceIds.find((id) => id === params.get('care')) ?? null,
    kind: knownKey(kinds, params.get('kind')),
    faith: knownKey(faiths, params.get('faith')),
    type: knownKey(typeTextsOf(hasVideo), params.get('type')),
    time,
    zone: time && zoneIn(params.get('zone')),
    place: searchLine(params.get('place')),
    language: searchLine(params.get('language')),
    tradition: searchLine(params.get('tradition')),
    order: params.get('order') === 'soonest' ? 'soonest' : null,
    page: Number.isInteger(page) && page >= 1 ? Math.min(page, maxPages) : 1,
  };
}

function knownKey<Key extends string>(
  known: Readonly<Partial<Record<Key, unknown>>>,
  value: string | null,
): Key | null {
  return value !== null && Object.hasOwn(known, value) ? (value as Key) : null;
}

function searchLine(value: string | null): string | null {
  const line = (value ?? '').trim();
  return line !== '' && line.length <= longestWord && oneLine.test(line) ? line : null;
}

function zoneIn(value: string | null): string | null {
  return value !== null && isFormatZone(value) ? value : null;
}

/** Returns URL parameters; empty for the default directory. */
export function queryOf(search: Search): Record<string, string> {
  const { page, zone, ...rest } = search;
  const said = Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== null);
  return {
    ...Object.fromEntries(said),
    ...(search.time && zone ? { zone } : {}),
    ...(page > 1 ? { page: String(page) } : {}),
  };
}

export function addressOf(search: Search): string {
  const query = new URLSearchParams(queryOf(search)).toString();
  return query === '' ? '/therapists' : `/therapists?${query}`;
}

/** The filters that decide which open times match. */
export type TimeFilter = Pick<Search, 'care' | 'type' | 'time' | 'zone'>;

export function timeFilterOf({ care, type, time, zone }: TimeFilter) {
  return {
    ...(care ? { serviceId: care } : {}),
    ...(type ? { sessionType: type } : {}),
    ...(time ? { time } : {}),
    ...(time && zone ? { timeZone: zone } : {}),
  };
}

/** Returns API input covering all pages shown. */
export function findInputOf(search: Search): Partial<FindInput> {
  const { kind, tradition, faith, language, place, order, page } = search;
  return {
    ...timeFilterOf(search),
    ...(kind ? { kind } : {}),
    ...(tradition ? { tradition } : {}),
    ...(faith ? { faithPart: faith } : {}),
    ...(language ? { language } : {}),
    ...(place ? { place } : {}),
    ...(order ? { order } : {}),
    limit: page * pageSize,
  };
}

export function pageFollows({ page }: Search): boolean {
  return page < maxPages;
}

function valueText(
  filter: Filter,
  search: Search,
  services: readonly { id: string; title: string }[],
): string | null {
  const value = search[filter];
  if (value === null) return null;
  if (filter === 'care') return services.find(({ id }) => id === value)?.title ?? value;
  return closedChoices[filter]?.[value]?.() ?? value;
}

export function activeFilters(
  search: Search,
  services: readonly { id: string; title: string }[],
): { filter: Filter; name: string; value: string }[] {
  return filters.flatMap(([filter, name]) => {
    const value = valueText(filter, search, services);
    return value === null ? [] : [{ filter, name: name(), value }];
  });
}

export function withoutFilter(search: Search, filter: Filter): Search {
  return { ...search, [filter]: null, page: 1, ...(filter === 'time' ? { zone: null } : {}) };
}
