import type { Self } from '#/features/access/rules.ts';
import Holidays from 'date-holidays';
import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { HolidaysView } from '../contract.ts';
import { todayIn } from '../queries.ts';
import { coveredDates, holidayName } from './rules.ts';

/** How far ahead holidays are taken off, in months. */
const monthsAhead = 24;

/** The countries whose states have holidays of their own that people know by. */
const countriesByState = ['AU', 'CA', 'US'];

/** A holiday of a region with its dates, by name. */
interface RegionHoliday {
  name: string;
  isPublic: boolean;
  dates: string[];
}

interface Region {
  id: string;
  name: string;
}

/** What the library says doesn't change while a process runs, and takes it some milliseconds. */
const known: { regions: Region[] | null; byYear: Map<string, readonly RegionHoliday[]> } = {
  regions: null,
  byYear: new Map(),
};
const yearsKept = 300;

/** The regions whose holidays can be kept, by name: countries, and the states of some. */
function regionsOffered(): readonly Region[] {
  return (known.regions ??= listRegions());
}

function listRegions(): Region[] {
  const all = new Holidays();
  return Object.entries(all.getCountries('en')).flatMap(([id, name]) => {
    if (!countriesByState.includes(id)) return [{ id, name }];
    const states = Object.entries(all.getStates(id, 'en') ?? {}).map(([state, stateName]) => ({
      id: `${id}-${state}`.toUpperCase(),
      name: `${name}: ${stateName}`,
    }));
    return [{ id, name }, ...states];
  });
}

/** The holidays of a region from a date on to another, both included, by their next date; English names. */
export function holidaysOf(region: string, from: string, to: string): RegionHoliday[] {
  const byName = new Map<string, RegionHoliday>();
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year += 1) {
    for (const { name, isPublic, dates } of holidaysIn(region, year)) {
      const met = byName.get(name) ?? { name, isPublic: false, dates: [] };
      met.isPublic ||= isPublic;
      met.dates.push(...dates.filter((date) => from <= date && date <= to));
      byName.set(name, met);
    }
  }
  return [...byName.values()]
    .filter(({ dates }) => dates.length > 0)
    .map((holiday) => ({ ...holiday, dates: [...new Set(holiday.dates)].toSorted() }))
    .toSorted((a, b) => (a.dates[0]! < b.dates[0]! ? -1 : 1));
}

function holidaysIn(region: string, year: number): readonly RegionHoliday[] {
  const key = `${region} ${year}`;
  const before = known.byYear.get(key);
  if (before) return before;
  if (known.byYear.size >= yearsKept) known.byYear.clear();
  const [country = '', state] = region.split('-');
  const found = (state ? new Holidays(country, state) : new Holidays(country))
    .getHolidays(year, 'en')
    .map(({ name, type, date, start, end }) => ({
      name: holidayName(name),
      isPublic: type === 'public',
      dates: coveredDates(date, end.getTime() - start.getTime()),
    }));
  known.byYear.set(key, found);
  return found;
}

/** The holidays that a provider may keep, of a region or of the one whose they keep, and which those are. */
export async function holidaysView(
  ctx: Ctx,
  providerId: Self,
  wanted: string | undefined,
): Promise<HolidaysView> {
  if (wanted !== undefined) requireRegion(wanted);
  const row = await ctx.db
    .selectFrom('providers')
    .leftJoin('kept_holidays', 'kept_holidays.provider_id', 'providers.id')
    .select(['time_zone', 'region', 'names'])
    .where('providers.id', '=', providerId)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'specialist');
  const kept = row.region === null || row.names === null ? null : { region: row.region, names: row.names };
  const region = wanted ?? kept?.region;
  const today = todayIn(ctx, row.time_zone);
  const holidays = region === undefined ? [] : holidaysOf(region, today, lastDate(today));
  const isKept = (name: string) => kept !== null && kept.region === region && kept.names.includes(name);
  return {
    regions: [...regionsOffered()],
    kept,
    holidays: holidays.map((holiday) => ({ ...holiday, isKept: isKept(holiday.name) })),
  };
}

/** The last date up to which holidays are taken off. */
export function lastDate(today: string): string {
  return Temporal.PlainDate.from(today).add({ months: monthsAhead }).toString();
}

/** Refuses a region that isn't offered. */
export function requireRegion(region: string): void {
  if (!regionsOffered().some(({ id }) => id === region)) throw invalidField('region', 'not_an_option');
}
