import { becomeSpecialist } from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';
import { becomeAdministrator } from './support/people.ts';
import { watchScripts } from './support/weight.ts';

test('keeps the server-rendered home while its script loads, even when updates arrive', async ({
  page,
  product,
}) => {
  const { id } = await becomeSpecialist(page, product);
  const { promise: come, resolve: bring } = Promise.withResolvers<void>();
  await page.route(/\/assets\/provider-dashboard-/, async (route) => {
    await come;
    await route.continue();
  });
  // Holds the entry script: hydration would otherwise start once the page has loaded.
  const { promise: stands, resolve: awaken } = Promise.withResolvers<void>();
  await page.route(/\/assets\/entry\.client-/, async (route) => {
    await stands;
    await route.continue();
  });
  const connected = page.waitForEvent('websocket');
  const unread = page.waitForResponse(/\/unread/);
  await page.goto('/home', { waitUntil: 'commit' });
  const help = page.getByRole('button', { name: 'Need help now?' });
  const lines = page.getByRole('group', { name: 'You don’t have to wait' });
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
  awaken();
  await help.focus();
  await page.keyboard.press('Enter');
  await expect(lines).toBeVisible();
  await connected;
  await product.query(`select pg_notify('realtime', $1)`, [
    JSON.stringify({ topics: [`person:${id}`], message: { type: 'missed', id: '' } }),
  ]);
  await unread;
  await expect(lines).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
  bring();
  await expect(page.getByRole('button', { name: 'Calendar Sync' })).toBeEnabled();
  await expect(lines).toBeVisible();
});

for (const [who, kilobytes, max] of [
  ['a client', 186, 14],
  ['a doctor', 190, 14],
  ['an administrator', 175, 12],
] as const)
  test(`sends the home of ${who} with its data, in ${kilobytes} kB of script and ${max} files`, async ({
    page,
    product,
  }) => {
    if (who === 'a client') await signIn(page, someone());
    else if (who === 'a doctor') await becomeSpecialist(page, product);
    else await becomeAdministrator(page, product);
    // Otherwise the first visit saves the browser's.
    await product.query(`update profiles set time_zone = 'America/New_York' where time_zone is null`);
    const scripts = watchScripts(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) asked.push(pathname);
    });
    await expect(async () => {
      asked.length = 0;
      const connected = page.waitForEvent('websocket');
      await page.goto('/home');
      await connected;
      await page.waitForLoadState('networkidle');
      // Clients' devices also store the next sessions.
      expect(asked.filter((path) => path !== '/api/appointments')).toEqual(['/api/me/session']);
      // In its first seconds, a process doesn't know what a page missed.
    }).toPass({ timeout: 20_000 });
    const { bytes, files } = await scripts();
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThanOrEqual(kilobytes * 1_000);
    expect(files).toBeLessThanOrEqual(max);
  });

for (const [tab, shown] of [
  ['sessions', 'Past and canceled sessions'],
  ['settings', 'Sign-in and access'],
] as const)
  test(`sends what the ${tab} tab shows with its page`, async ({ page, product }) => {
    await signIn(page, someone());
    await product.query(`update profiles set time_zone = 'America/New_York' where time_zone is null`);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) asked.push(pathname);
    });
    await expect(async () => {
      asked.length = 0;
      const connected = page.waitForEvent('websocket');
      await page.goto(`/profile?tab=${tab}`);
      await expect(page.getByRole('heading', { name: shown })).toBeVisible();
      await connected;
      await page.waitForLoadState('networkidle');
      const usual = ['/api/appointments', '/api/conversations/unread', '/api/me/session'];
      expect(asked.filter((path) => !usual.includes(path))).toEqual([]);
    }).toPass({ timeout: 20_000 });
  });

test('loads a page’s code when its link is pointed at or focused, and its data when it’s followed', async ({
  page,
}) => {
  await signIn(page, someone());
  await page.goto('/home');
  const data: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.data')) data.push(pathname);
  });
  const header = page.getByRole('banner');
  const profile = page.waitForRequest(/\/assets\/profile-/);
  await header.getByRole('link', { name: 'Profile' }).hover();
  await profile;
  const resources = page.waitForRequest(/\/assets\/resources-/);
  await header.getByRole('link', { name: 'Resources' }).focus();
  await resources;
  expect(data).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/resources$/);
  expect(data).toEqual(['/resources.data']);
});
