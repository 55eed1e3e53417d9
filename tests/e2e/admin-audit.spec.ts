import type { Page } from '@playwright/test';
import { textOf } from './support/calendar.ts';
import {
  addressOf,
  expect,
  forgetSession,
  reauthenticate,
  signIn,
  someone,
  test,
} from './support/fixtures.ts';

const day = 86_400_000;
/** A date as its field takes it, on the clock of this machine, which is the browser's too. */
const dateIn = (days: number) => {
  const then = new Date(Date.now() + days * day);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
};

/** The log's rows without its headings. */
const rows = (page: Page) => page.getByRole('table', { name: 'Recent Activities' }).locator('tbody tr');

async function openLog(page: Page): Promise<void> {
  await page.goto('/admin/settings?tab=audit');
  await expect(page.getByRole('heading', { level: 2, name: 'Audit Logs' })).toBeVisible();
  await expect(rows(page).first()).toBeVisible();
}

/** Signs somebody new in, who is their own client then, and the administrator after them. */
async function newcomerThenAdmin(page: Page, who: string): Promise<void> {
  await signIn(page, who);
  await forgetSession(page);
  await signIn(page, 'admin');
}

const search = (page: Page) => page.getByPlaceholder('Search logs...');

test('what somebody did is found by their name, by what it was and by its details; category and days narrow it', async ({
  page,
  product,
}) => {
  const who = someone('sought');
  await newcomerThenAdmin(page, who);
  const wrong = await page.request.post(`${product.url}/api/auth/sign-in/email`, {
    headers: { origin: product.url },
    data: { email: who, password: 'not-the-password' },
  });
  expect(wrong.ok()).toBe(false);
  await openLog(page);
  await expect(page.getByRole('columnheader')).toHaveText([
    'Timestamp',
    'User',
    'Action',
    'Category',
    'Details',
    'IP Address',
    'Status',
  ]);
  await search(page).fill(who);
  const refused = rows(page).filter({ hasText: 'wrong credentials' });
  await expect(refused).toHaveCount(1);
  await expect(refused).toContainText('Failed');
  await expect(refused).toContainText('127.0.0.1');
  const signedIn = rows(page).filter({ hasText: 'Success' }).filter({ hasText: 'Signed in' });
  await expect(signedIn).toHaveCount(1);
  await expect(signedIn).toContainText(who);
  await expect(rows(page).filter({ hasText: 'Created an account' })).toHaveCount(1);

  await page.getByLabel('Category', { exact: true }).selectOption({ label: 'User management' });
  await expect(rows(page).filter({ hasText: 'Created an account' })).toHaveCount(1);
  await expect(rows(page).filter({ hasText: 'Signed in' })).toHaveCount(0);
  await page.getByLabel('Category', { exact: true }).selectOption({ label: 'All Categories' });
  await expect(rows(page).filter({ hasText: 'Signed in' })).toHaveCount(2);
  await page.getByLabel('From', { exact: true }).fill(dateIn(2));
  await expect(page.getByText('Nothing fits', { exact: true })).toBeVisible();
  await page.getByLabel('From', { exact: true }).fill(dateIn(-1));
  await page.getByLabel('To', { exact: true }).fill(dateIn(1));
  await expect(rows(page).filter({ hasText: 'Signed in' })).toHaveCount(2);

  await page.getByLabel('To', { exact: true }).fill('');
  await search(page).fill('WRONG credentials');
  await expect(rows(page).filter({ hasNotText: 'wrong credentials' })).toHaveCount(0);
  await expect(refused.first()).toBeVisible();
});

test('the cards and tiles count what the log holds, and that it was read stands in it', async ({
  page,
  product,
}) => {
  await signIn(page, 'admin');
  await openLog(page);
  const [{ total, failed, people }] = (await product.query<{ total: number; failed: number; people: number }>(
    `select count(*)::integer as total, count(*) filter (where not success)::integer as failed,
        count(distinct actor_id)::integer as people from audit_entries`,
  )) as [{ total: number; failed: number; people: number }];
  const figure = async (name: string) =>
    Number(
      (
        await page
          .locator('div')
          .filter({ has: page.getByRole('term').getByText(name, { exact: true }) })
          .last()
          .getByRole('definition')
          .textContent()
      )?.replaceAll(',', ''),
    );
  // Jobs go on meanwhile: figures are at least what was counted before they were drawn anew.
  await page.reload();
  await expect(rows(page).first()).toBeVisible();
  await expect.poll(() => figure('Total Actions')).toBeGreaterThanOrEqual(total);
  expect(await figure('Failed')).toBeGreaterThanOrEqual(failed);
  expect(await figure('Active Users')).toBeGreaterThanOrEqual(people);
  const tiles = ['User management', 'Provider approval', 'System settings', 'Security', 'Service management'];
  // They may be drawn anew while they are read one by one.
  await expect(async () => {
    const counted = await Promise.all(tiles.map(figure));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(await figure('Total Actions'));
    expect(await figure('Successful')).toBe((await figure('Total Actions')) - (await figure('Failed')));
  }).toPass({ timeout: 10_000 });
  await search(page).fill('Read the audit log');
  await expect(rows(page).first()).toContainText(addressOf('admin'));
});

test('what is filtered is exported as CSV and as JSON', async ({ page }) => {
  const who = someone('exported');
  await newcomerThenAdmin(page, who);
  await reauthenticate(page);
  await openLog(page);
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(decodeURIComponent(request.url())));
  await search(page).fill(who);
  await expect(rows(page).filter({ hasText: 'Signed in' })).toHaveCount(1);
  const count = await rows(page).count();
  const take = async (item: string) => {
    await page.getByRole('button', { name: 'Export Logs' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ]);
    return download;
  };
  const csv = await take('As CSV, for spreadsheets');
  expect(csv.suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await textOf(csv)).split('\r\n');
  expect(lines[0]).toBe('\ufeffTimestamp,User,Action,Category,Details,IP Address,Status,Email,Entry');
  expect(lines).toHaveLength(count + 2);
  const name = who.split('@')[0]!.replace('.', ' ');
  for (const line of lines.slice(1, -1)) expect(line.toLowerCase()).toContain(name);
  const json = JSON.parse(await textOf(await take('As JSON, for programs'))) as {
    user: string;
    action: string;
    success: boolean;
  }[];
  expect(json).toHaveLength(count);
  expect(json.map(({ action }) => action)).toContain('Signed in');
  // Whoever keeps the addresses that are asked for learns nobody's name from them.
  expect(addresses.filter((address) => address.includes('/audit-log'))).not.toEqual([]);
  expect(addresses.filter((address) => address.includes(who))).toEqual([]);
});

test('new entries are told of, and come when they are asked for', async ({ page, open }) => {
  const who = someone('lively');
  await newcomerThenAdmin(page, who);
  await openLog(page);
  await search(page).fill(who);
  const signedIn = rows(page).filter({ hasText: 'Signed in' });
  await expect(signedIn).toHaveCount(1);
  // The line to the server stands once it has told of something.
  const other = await open();
  await signIn(other, who);
  const news = page.getByRole('status').filter({ hasText: /new entr/ });
  await expect(news).toBeVisible({ timeout: 20_000 });
  await expect(signedIn).toHaveCount(1);
  await news.getByRole('button', { name: 'Show' }).click();
  await expect(signedIn).toHaveCount(2);
  await expect(news).toBeHidden();
});
