import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { benchRaces } from '../scripts/bench/races.ts';
import { startProduct, type Product } from '../scripts/product.ts';
import { testDatabase } from './support/database.ts';
import { proving } from './support/prove.ts';

const { url: databaseUrl, keys } = await testDatabase();
const authSecret = 'a secret for tests, long enough to be one';
const products: Product[] = [];

async function start(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'italk-race-'));
  const env = {
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: authSecret,
    RATE_LIMIT_FACTOR: '1000000',
    ...keys,
  };
  products.push(await startProduct({ dataDir, env }));
}

afterAll(async () => {
  for (const product of products) {
    await product.stop();
    await rm(product.dataDir, { recursive: true, force: true });
  }
});

test('books each time once, series whole and days within their maximum across two processes', async () => {
  await start();
  await start();
  // `npm run bench` runs the full race.
  const size = proving
    ? { people: 16, starts: 10, inFlight: 16, stored: 5_000 }
    : { people: 6, starts: 10, inFlight: 16, stored: 500 };
  const target = { urls: products.map(({ url }) => url), databaseUrl, authSecret };
  const figures = await benchRaces(target, size);
  expect(figures.filter(({ must }) => must)).toHaveLength(6);
  expect(figures.filter(({ must, met }) => must && !met)).toEqual([]);
});
