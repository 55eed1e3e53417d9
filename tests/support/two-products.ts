import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { demoPassword } from '#/features/accounts/demo.ts';
import { changeSettings } from '#/features/settings/commands.ts';
import { settingDefaults, type SiteSettings } from '#/features/settings/rules.ts';
import { startProduct, type Product } from '../../scripts/product.ts';
import { authSecret, type TestDatabase } from './database.ts';

/** Sends a request to the first or second product: as JSON if it has a body. */
export type Ask = (at: 0 | 1, path: string, body?: unknown) => Promise<Response>;

/** Starts two products on the calling test file's database. Settings return to their defaults after each test. */
export function twoProducts({ url: databaseUrl, db, as, keys }: TestDatabase) {
  const products: Product[] = [];
  const system = as({ kind: 'system' });

  async function start(port?: number): Promise<Product> {
    const dataDir = await mkdtemp(join(tmpdir(), 'italk-two-'));
    const env = { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret, RATE_LIMIT_FACTOR: '1000000', ...keys };
    const product = await startProduct({ dataDir, env, ...(port ? { port } : {}) });
    products.push(product);
    return product;
  }

  beforeAll(async () => {
    await start();
    await start();
  });

  afterAll(async () => {
    for (const product of products) {
      await product.stop();
      await rm(product.dataDir, { recursive: true, force: true });
    }
  });

  afterEach(async () => {
    await changeSettings(system, { ...settingDefaults, passwordMinLength: 6 });
  });

  function asker(cookie: string): Ask {
    return (at, path, body) => {
      const { url } = products[at]!;
      return fetch(`${url}${path}`, {
        headers: { cookie, origin: url, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
    };
  }

  async function signIn(email: string): Promise<Ask> {
    const answer = await asker('')(0, '/api/auth/sign-in/email', { email, password: demoPassword });
    expect(answer.status).toBe(200);
    return asker(answer.headers.getSetCookie()[0]!.split(';')[0]!);
  }

  async function save(admin: Ask, change: Partial<SiteSettings>): Promise<void> {
    await db
      .updateTable('sessions')
      .set({ reauthenticated_at: new Date('2100-01-01') })
      .execute();
    const { version } = (await (await admin(0, '/api/admin/settings')).json()) as { version: number };
    const saved = await admin(0, '/api/admin/settings', { version, change });
    expect(saved.status, await saved.clone().text()).toBe(200);
  }

  return { products, start, system, asker, signIn, save };
}
