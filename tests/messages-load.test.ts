import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadMessages } from '../scripts/bench/message-load.ts';
import { startProduct, type Product } from '../scripts/product.ts';
import { testDatabase } from './support/database.ts';
import { proving } from './support/prove.ts';

const { url: databaseUrl } = await testDatabase();
const authSecret = 'a secret for tests, long enough to be one';
const encryptionKeys = `load:${randomBytes(32).toString('base64url')}`;
const products: Product[] = [];

async function start(port?: number): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'italk-load-'));
  const env = {
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: authSecret,
    ENCRYPTION_KEYS: encryptionKeys,
    RATE_LIMIT_FACTOR: '1000000',
  };
  const product = await startProduct({ dataDir, env, ...(port ? { port } : {}) });
  products.push(product);
  return product;
}

afterAll(async () => {
  for (const product of products) {
    await product.stop();
    await rm(product.dataDir, { recursive: true, force: true });
  }
});

test('delivers messages once and in order across two processes, lost connections and a crash', async () => {
  const [first, second] = [await start(), await start()];
  const crash = async () => {
    await second.kill();
    await start(Number(new URL(second.url).port));
  };
  const target = { urls: [first.url, second.url] as const, databaseUrl, authSecret, crash };
  // `npm run bench messages` runs the full load.
  const size = proving ? { senders: 8, messages: 40, cuts: 4 } : { senders: 4, messages: 10, cuts: 1 };
  const figures = await loadMessages(target, size);
  expect(figures.filter(({ must }) => must)).toHaveLength(4);
  expect(figures.filter(({ must, met }) => must && !met)).toEqual([]);
});
