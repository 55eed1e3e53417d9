/** Generates the city table: `cities.ts > data/cities.tsv`. */
import { cityMapping } from 'city-timezones';

export interface ListedCity {
  name: string;
  region: string;
  country: string;
  /** Search key: lowercase, without accents. */
  search: string;
  latitude: number;
  longitude: number;
  timeZone: string;
  population: number;
}

/** Smaller cities are listed only as the largest of their zone, country or province. */
const largeFrom = 100_000;

/** Returns large cities plus the largest of every zone, country and province, largest first. */
export function listedCities(): ListedCity[] {
  const known = cityMapping.filter(({ timezone, pop }) => timezone && pop > 0);
  const chosen = new Set([
    ...known.filter(({ pop }) => pop >= largeFrom),
    ...largestBy(known, ({ timezone }) => timezone),
    ...largestBy(known, ({ country }) => country),
    ...largestBy(known, ({ country, province }) => `${country}/${province}`),
  ]);
  const cities = [...chosen].map(
    ({ city, city_ascii, province, country, lat, lng, timezone, pop }): ListedCity => ({
      name: city,
      region: province ?? '',
      country,
      search: searched(city_ascii || city),
      latitude: rounded(lat),
      longitude: rounded(lng),
      timeZone: timezone,
      population: Math.round(pop),
    }),
  );
  const named = largestBy(cities, ({ name, region, country }) => `${name}/${region}/${country}`);
  return named.toSorted((a, b) => b.population - a.population || (a.name < b.name ? -1 : 1));
}

function largestBy<City extends { pop: number } | { population: number }>(
  cities: readonly City[],
  keyOf: (city: City) => string,
): City[] {
  const size = (city: City) => ('pop' in city ? city.pop : city.population);
  const largest = new Map<string, City>();
  for (const city of cities) {
    const other = largest.get(keyOf(city));
    if (!other || size(other) < size(city)) largest.set(keyOf(city), city);
  }
  return [...largest.values()];
}

/** Accurate to a few meters, which changes sunset by under a second. */
function rounded(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000;
}

function searched(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

export function cityFile(): string {
  const rows = listedCities().map(
    ({ name, region, country, search, latitude, longitude, timeZone, population }) =>
      [name, region, country, search, latitude, longitude, timeZone, population].join('\t'),
  );
  return ['name\tregion\tcountry\tsearch\tlatitude\tlongitude\ttime_zone\tpopulation', ...rows, ''].join(
    '\n',
  );
}

if (import.meta.main) process.stdout.write(cityFile());
