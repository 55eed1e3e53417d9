import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isKnownZone } from '#/kernel/zone-clock.ts';
import { testDatabase } from '../tests/support/database.ts';
import { cityFile, listedCities } from './cities.ts';

const { db } = await testDatabase();

test('seeds every installation with the script’s cities', async () => {
  expect(await readFile(new URL('../data/cities.tsv', import.meta.url), 'utf8')).toBe(cityFile());
  const { count } = await db
    .selectFrom('cities')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(listedCities().length);
});

test('lists at most 4,000 cities, with valid coordinates, a known zone and a typable name', () => {
  const cities = listedCities();
  expect(cities.length).toBeGreaterThan(3_000);
  expect(cities.length).toBeLessThanOrEqual(4_000);
  for (const { name, latitude, longitude, timeZone, search, population } of cities) {
    expect([name, isKnownZone(timeZone)]).toEqual([name, true]);
    expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
    expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
    expect(population).toBeGreaterThan(0);
    expect(search, name).toMatch(/^[\x20-\x7e]+$/);
  }
});
