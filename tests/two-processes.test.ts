import { expect, test } from 'vitest';
import type { PublicSite } from '#/features/settings/contract.ts';
import { loadMessages } from '../scripts/bench/message-load.ts';
import { benchRaces } from '../scripts/bench/races.ts';
import { authSecret, testDatabase } from './support/database.ts';
import { proving } from './support/prove.ts';
import { twoProducts } from './support/two-products.ts';

const database = await testDatabase();
const { products, start, asker, signIn, save } = twoProducts(database);
const target = () => {
  const [first, second] = products;
  return { urls: [first!.url, second!.url] as const, databaseUrl: database.url, authSecret };
};

test('shows saved settings to users of another process', { tags: ['long'] }, async () => {
  const [admin, client] = [await signIn('admin@italk.example'), await signIn('client@italk.example')];
  const site = async () => (await (await client(1, '/api/site')).json()) as PublicSite;

  await save(admin, {
    siteName: 'Cedar House',
    siteDescription: 'A quiet place',
    supportEmail: 'help@cedar.example',
    timezone: 'Asia/Kathmandu',
    defaultSessionDuration: 90,
    bookingAdvanceNotice: 48,
    cancellationDeadline: 12,
    passwordMinLength: 11,
  });
  expect(await site()).toMatchObject({
    siteName: 'Cedar House',
    siteDescription: 'A quiet place',
    supportEmail: 'help@cedar.example',
    timeZone: 'Asia/Kathmandu',
    defaultSessionDuration: 90,
    bookingAdvanceNoticeHours: 48,
    cancellationDeadlineHours: 12,
    passwordMinLength: 11,
  });
  const short = { name: 'Ruth Amsel', email: 'ruth@amsel.example', password: 'ten-digits' };
  const refused = await asker('')(1, '/api/auth/sign-up/email', short);
  expect(await refused.json()).toMatchObject({
    fields: [{ field: 'password', reason: 'too_small' }],
    data: { least: 11 },
  });
  const guest = asker('');
  await expect.poll(async () => (await guest(1, '/services')).text()).toContain('Cedar House');
  const manifest = (await (await guest(1, '/manifest.webmanifest')).json()) as object;
  expect(manifest).toMatchObject({ name: 'Cedar House', description: 'A quiet place' });

  await save(admin, { sessionTimeout: 45 });
  const session = (await (await client(1, '/api/me/session')).json()) as { secondsLeft: number };
  expect(session.secondsLeft).toBeGreaterThan(44 * 60 - 60);

  await save(admin, { debugMode: true });
  const seen = (await (await admin(1, '/api/site')).json()) as PublicSite;
  expect([seen.debug, (await site()).debug]).toEqual([true, false]);

  await save(admin, { maintenanceMode: true });
  await expect.poll(async () => (await client(1, '/api/me')).status).toBe(503);
  const page = await client(1, '/home');
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '300']);
  const text = await page.text();
  expect(text).toContain('We’ll be back soon');
  expect(text).not.toContain('client@italk.example');
  expect((await admin(1, '/home')).status).toBe(200);
  expect((await guest(1, '/admin/settings')).status).toBe(200);
  await save(admin, { maintenanceMode: false });
  await expect.poll(async () => (await client(1, '/home')).status).toBe(200);
});

test('rejects conflicting settings saved by two administrators on two processes', async () => {
  const [one, other] = [await signIn('admin@italk.example'), await signIn('admin@italk.example')];
  const { version } = (await (await one(0, '/api/admin/settings')).json()) as { version: number };
  const [first, second] = await Promise.all([
    one(0, '/api/admin/settings', { version, change: { reminderTime: 45 } }),
    other(1, '/api/admin/settings', { version, change: { reminderTime: 90 } }),
  ]);
  expect(new Set([first.status, second.status])).toEqual(new Set([200, 409]));
  const refusal = (await (first.status === 409 ? first : second).json()) as object;
  expect(refusal).toMatchObject({
    code: 'conflict',
    reason: 'settings_changed',
    data: { version: version + 1 },
  });
});

test('applies the log level in the other process', async () => {
  const [admin, client] = [await signIn('admin@italk.example'), await signIn('client@italk.example')];
  const asked = async () => (await admin(1, '/api/site')).headers.get('x-request-id')!;
  const isLogged = (id: string) => products[1]!.written().includes(id);
  const isClosed = async () => (await client(1, '/api/me')).status === 503;
  await save(admin, { debugMode: true });
  await expect.poll(async () => isLogged(await asked())).toBe(true);
  // Both settings load together: once maintenance mode applies, so does the log level.
  await save(admin, { logLevel: 'error', maintenanceMode: true });
  await expect.poll(isClosed).toBe(true);
  const quiet = await asked();
  await save(admin, { logLevel: 'debug', maintenanceMode: false });
  await expect.poll(isClosed).toBe(false);
  const loud = await asked();
  await expect.poll(() => isLogged(loud)).toBe(true);
  expect(isLogged(quiet)).toBe(false);
});

test(
  'books each time once, series whole and days within their maximum across two processes',
  { tags: ['long'] },
  async () => {
    // `npm run bench` runs the full race.
    const size = proving
      ? { people: 16, starts: 10, inFlight: 16, stored: 5_000 }
      : { people: 6, starts: 10, inFlight: 16, stored: 500 };
    const figures = await benchRaces(target(), size);
    expect(figures.filter(({ must }) => must)).toHaveLength(6);
    expect(figures.filter(({ must, met }) => must && !met)).toEqual([]);
  },
);

test(
  'delivers messages once and in order across two processes, lost connections and a crash',
  { tags: ['long'] },
  async () => {
    const second = products[1]!;
    const crash = async () => {
      await second.kill();
      await start(Number(new URL(second.url).port));
    };
    // `npm run bench messages` runs the full load.
    const size = proving ? { senders: 8, messages: 40, cuts: 4 } : { senders: 4, messages: 10, cuts: 1 };
    const figures = await loadMessages({ ...target(), crash }, size);
    expect(figures.filter(({ must }) => must)).toHaveLength(4);
    expect(figures.filter(({ must, met }) => must && !met)).toEqual([]);
  },
);
