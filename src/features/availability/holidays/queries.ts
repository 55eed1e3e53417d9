import type { Self } from '#/features/access/rules.ts';
import { invalidField } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { HolidaysView } from '../contract.ts';
import { requireProvider } from '../policies.ts';
import { todayIn } from '../queries.ts';

const monthsAhead = 24;

/** Countries with well-known state holidays. */
const countriesByState = ['AU', 'CA', 'US'];

interface RegionHoliday {
  name: string;
  isPublic: boolean;
  dates: string[];
}

interface Region {
  id: string;
  name: string;
}

/** Results never change, and take milliseconds to compute. */
const known: { regions: Region[] | null; byYear: Map<string, readonly RegionHoliday[]> } = {
  regions: null,
  byYear: new Map(),
};
const yearsKept = 300;

/** Loaded when first needed: it holds every country's holidays and time zones. */
const library = async () => (await import('date-holidays')).default;

async function regionsOffered(): Promise<readonly Region[]> {
  return (known.regions ??= await listRegions());
}

async function listRegions(): Promise<Region[]> {
  const Holidays = await library();
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

/** Returns an inclusive range, sorted by next date, with English names. */
export async function holidaysOf(region: string, from: string, to: string): Promise<RegionHoliday[]> {
  const byName = new Map<string, RegionHoliday>();
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year += 1) {
    for (const { name, isPublic, dates } of await holidaysIn(region, year)) {
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

async function holidaysIn(region: string, year: number): Promise<readonly RegionHoliday[]> {
  const key = `${region} ${year}`;
  const before = known.byYear.get(key);
  if (before) return before;
  if (known.byYear.size >= yearsKept) known.byYear.clear();
  const Holidays = await library();
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

/** A region's holidays; by default, the provider's. */
export async function holidaysView(
  ctx: Ctx,
  providerId: Self,
  wanted: string | undefined,
): Promise<HolidaysView> {
  if (wanted !== undefined) await requireRegion(wanted);
  const found = await ctx.db
    .selectFrom('providers')
    .leftJoin('kept_holidays', 'kept_holidays.provider_id', 'providers.id')
    .select(['time_zone', 'region', 'names'])
    .where('providers.id', '=', providerId)
    .executeTakeFirst();
  const row = requireProvider(found);
  const kept = row.region === null || row.names === null ? null : { region: row.region, names: row.names };
  const region = wanted ?? kept?.region;
  const today = todayIn(ctx, row.time_zone);
  const holidays = region === undefined ? [] : await holidaysOf(region, today, lastDate(today));
  const isKept = (name: string) => kept !== null && kept.region === region && kept.names.includes(name);
  return {
    regions: [...(await regionsOffered())],
    kept,
    holidays: holidays.map((holiday) => ({ ...holiday, isKept: isKept(holiday.name) })),
  };
}

export function lastDate(today: string): string {
  return Temporal.PlainDate.from(today).add({ months: monthsAhead }).toString();
}

/** Throws `not_an_option` for an unknown region. */
export async function requireRegion(region: string): Promise<void> {
  if (!(await regionsOffered()).some(({ id }) => id === region))
    throw invalidField('region', 'not_an_option');
}

const dayMilliseconds = 24 * 3_600_000;

function holidayName(name: string): string {
  return name.replace(/ \(substitute day\)$/i, '');
}

/** `begin` starts with `YYYY-MM-DD`; `length` in milliseconds. */
function coveredDates(begin: string, length: number): string[] {
  const first = Temporal.PlainDate.from(begin.slice(0, 10));
  const days = Math.max(1, Math.round(length / dayMilliseconds));
  return Array.from({ length: days }, (_, index) => first.add({ days: index }).toString());
}
