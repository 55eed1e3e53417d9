import type { Page } from '@playwright/test';
import { startProduct } from '../../scripts/product.ts';
import { becomeSpecialist, bookDirectly, offeredTimes } from './support/booking.ts';
import { addressOf, expect, forgetSession, signIn, someone, test } from './support/fixtures.ts';

// Flags are the whole site's, so this product is nobody else's.
test.use({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const product = await startProduct({ env: { RATE_LIMIT_FACTOR: '1000' } });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

// Each test leaves the features as they were delivered.
test.afterEach(async ({ product }) => {
  await product.query(
    `update feature_flags set version = version + 1, roles = case when id in ('video_sessions', 'calendar_integration') then '{doctor,pastor}'::text[]
      when id = 'two_factor_authentication' then '{doctor,pastor,super_admin}' else '{}' end,
      enabled = id not in ('calendar_integration', 'two_factor_authentication'),
      scope = case when id in ('video_sessions', 'calendar_integration', 'two_factor_authentication') then 'role_based' else 'global' end`,
  );
  await product.query('delete from feature_flag_users');
});

const feature = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const toggle = (page: Page, name: string) => page.getByRole('switch', { name: new RegExp(`^${name}`) });
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first();
const figure = (page: Page, name: string) =>
  page
    .getByRole('main')
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd');

async function openFlags(page: Page): Promise<void> {
  await signIn(page, 'admin');
  await page.goto('/admin/settings?tab=features');
  await expect(toggle(page, 'Wellness Tracking')).toBeEnabled({ timeout: 15_000 });
}

test('features stand by category with how many are on; a switch says what it did, by whom and when', async ({
  page,
}) => {
  await openFlags(page);
  await expect(page.getByRole('heading', { name: 'Feature Flags', level: 2 })).toBeVisible();
  await expect(figure(page, 'Total')).toHaveText('8');
  await expect(figure(page, 'Enabled')).toHaveText('6');
  await expect(figure(page, 'Disabled')).toHaveText('2');
  const sessions = page.getByRole('region', { name: 'Sessions', exact: true });
  await expect(sessions).toContainText('2 of 3 enabled');

  await toggle(page, 'Group Sessions').press('Space');
  await expect(toast(page, 'Feature Disabled')).toBeVisible();
  await expect(toast(page, 'Group Sessions has been disabled successfully.')).toBeVisible();
  await expect(sessions).toContainText('1 of 3 enabled');
  await expect(figure(page, 'Enabled')).toHaveText('5');
  await expect(feature(page, 'Group Sessions')).toContainText(/Last modified .+ · \w+/);

  await page.reload();
  await expect(toggle(page, 'Group Sessions')).not.toBeChecked({ timeout: 15_000 });
  await expect(toggle(page, 'Group Sessions')).toBeEnabled();
  await toggle(page, 'Group Sessions').press('Space');
  await expect(toast(page, 'Feature Enabled')).toBeVisible();
  await expect(toast(page, 'Group Sessions has been enabled successfully.')).toBeVisible();
});

test('a page that is open hides what is switched off, and shows it again, by itself', async ({
  page,
  open: openPage,
  expectNoise,
}) => {
  // What the page asks for before it has heard is refused.
  expectNoise(/404.*\/api\/conversations/);
  const open = await openPage();
  await signIn(open, someone('openpage'));
  await open.goto('/home');
  const growth = open.getByRole('main').locator('a[href="/growth"]');
  const messages = open.locator('a[href="/messages"]').first();
  await expect(growth).toBeVisible();
  await expect(messages).toBeVisible();

  await openFlags(page);
  for (const name of ['Wellness Tracking', 'Direct Messaging']) {
    await toggle(page, name).press('Space');
    await expect(toast(page, `${name} has been disabled successfully.`)).toBeVisible();
  }
  await expect(growth).toHaveCount(0);
  await expect(messages).toHaveCount(0);
  for (const name of ['Wellness Tracking', 'Direct Messaging']) {
    await toggle(page, name).press('Space');
    await expect(toast(page, `${name} has been enabled successfully.`)).toBeVisible();
  }
  await expect(growth).toBeVisible();
  await expect(messages).toBeVisible();
});

test('what was switched off after a page was made, and before its line stood, goes as soon as the line stands', async ({
  page,
  open: openPage,
  expectNoise,
}) => {
  // What the page asks for before it has heard is refused.
  expectNoise(/404.*\/api\/conversations/);
  const open = await openPage();
  await signIn(open, someone('early'));
  const line = Promise.withResolvers<void>();
  await open.routeWebSocket('**/realtime', async (socket) => {
    await line.promise;
    socket.connectToServer();
  });
  const renewals: string[] = [];
  open.on('request', (request) => {
    if (request.url().includes('.data')) renewals.push(request.url());
  });
  await open.goto('/home');
  const growth = open.getByRole('main').locator('a[href="/growth"]');
  await expect(growth).toBeVisible();

  await openFlags(page);
  await toggle(page, 'Wellness Tracking').press('Space');
  await expect(toast(page, 'Wellness Tracking has been disabled successfully.')).toBeVisible();
  await expect(growth).toBeVisible();
  line.resolve();
  await expect(growth).toHaveCount(0);

  // A page that is as the site is isn't made anew.
  renewals.length = 0;
  const compared = open.waitForResponse((answer) => answer.url().endsWith('/api/site'));
  await open.reload();
  await compared;
  await open.waitForLoadState('networkidle');
  expect(renewals).toEqual([]);
});

test('nobody is offered to write to a specialist who exchanges no messages', async ({ page, product }) => {
  await product.query(
    `update feature_flags set version = version + 1, scope = 'role_based', roles = '{client,doctor}'
      where id = 'direct_messaging'`,
  );
  await product.query('notify pages');
  const rows = await product.query<{ slug: string; kind: string }>(
    'select slug, kind from providers where listed order by position, id',
  );
  const writes = page.getByRole('button', { name: /^Send Message/ });
  for (const who of [null, 'client']) {
    if (who) await signIn(page, who);
    await page.goto('/therapists');
    await expect(page.getByRole('button', { name: /^Book Session/ })).toHaveCount(rows.length);
    await expect(writes).toHaveCount(rows.filter(({ kind }) => kind === 'doctor').length);
    for (const kind of ['doctor', 'pastor']) {
      await page.goto(`/therapists/${rows.find((row) => row.kind === kind)!.slug}`);
      await expect(page.getByRole('button', { name: /^Book Session/ }).first()).toBeVisible();
      await expect(writes).toHaveCount(kind === 'doctor' ? 1 : 0);
    }
  }
});

test('nor beside a session with them, nor are they to write to their clients', async ({
  page,
  product,
  open,
}) => {
  const theirs = await open();
  const writing = await becomeSpecialist(theirs, product, { name: 'Dr. Ada Writes' });
  const silent = await becomeSpecialist(theirs, product, { name: 'Dr. Ben Silent' });
  await product.query(
    `update feature_flags set version = version + 1, scope = 'user_specific' where id = 'direct_messaging'`,
  );
  await product.query(`insert into feature_flag_users values ('direct_messaging', $1)`, [writing.id]);
  const email = someone('ofboth');
  await signIn(page, email);
  const times = await offeredTimes(page, product, writing);
  const sessions = new Map([
    [writing, await bookDirectly(page, writing, times.at(-1)!)],
    [silent, await bookDirectly(page, silent, times.at(-3)!)],
  ]);
  const [client] = await product.query<{ id: string }>('select id from users where email = $1', [email]);
  for (const [specialist, session] of sessions) {
    const count = specialist === writing ? 1 : 0;
    const message = (of: Page) => of.getByRole('main').getByRole('link', { name: /^Message to / });
    await page.goto('/home');
    const card = page.getByRole('article').filter({ hasText: specialist.name });
    await expect(card).toBeVisible();
    await expect(card.getByRole('link', { name: /^Message to / })).toHaveCount(count);
    await page.goto(`/session/${session}`);
    await expect(page.getByRole('main')).toContainText(specialist.name);
    await expect(message(page)).toHaveCount(count);
    await forgetSession(theirs);
    await signIn(theirs, specialist.email);
    await theirs.goto(`${product.url}/clients/${client!.id}`);
    await expect(theirs.getByRole('article')).toBeVisible();
    // By their name, and beside the session.
    await expect(message(theirs)).toHaveCount(2 * count);
  }
});

test('a feature is on for chosen people alone, who are found by name', async ({ page, open: openPage }) => {
  const chosen = someone('chosenone');
  const open = await openPage();
  await signIn(open, chosen);
  await open.goto('/home');
  const growth = open.getByRole('main').locator('a[href="/growth"]');
  await expect(growth).toBeVisible();

  await openFlags(page);
  await feature(page, 'Wellness Tracking').getByRole('button', { name: 'Edit scope' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Scope of Wellness Tracking' });
  await dialog.getByRole('radio', { name: 'Role-based' }).check();
  await dialog.getByRole('checkbox', { name: 'doctor' }).check();
  await dialog.getByRole('button', { name: 'Save scope' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(feature(page, 'Wellness Tracking')).toContainText('doctor');
  await expect(growth).toHaveCount(0);

  await feature(page, 'Wellness Tracking').getByRole('button', { name: 'Edit scope' }).press('Enter');
  await dialog.getByRole('radio', { name: 'User-specific' }).check();
  const search = dialog.getByRole('combobox', { name: 'People for whom it is on' });
  await search.fill(addressOf(chosen));
  await dialog.getByRole('option', { name: addressOf(chosen) }).click();
  await expect(dialog.getByRole('list', { name: 'Chosen people' })).toContainText(addressOf(chosen));
  await dialog.getByRole('button', { name: 'Save scope' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(feature(page, 'Wellness Tracking')).toContainText('1 chosen');
  await expect(growth).toBeVisible();
});
