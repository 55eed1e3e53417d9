import type { Page } from '@playwright/test';
import { textOf } from './support/calendar.ts';
import { expect, reauthenticate, signIn, test } from './support/fixtures.ts';
import { becomeAdministrator, becomeClient } from './support/people.ts';

const rows = (page: Page) => page.getByRole('table', { name: 'Recent Activities' }).locator('tbody tr');

test(
  'finds a person’s actions, follows new ones live and exports them',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const theirs = await open();
    const who = await becomeClient(theirs, product, 'Ruth Sought');
    const wrong = await theirs.request.post(`${product.url}/api/auth/sign-in/email`, {
      headers: { origin: product.url },
      data: { email: who, password: 'not-the-password' },
    });
    expect(wrong.ok()).toBe(false);
    await becomeAdministrator(page, product);
    await reauthenticate(page);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(decodeURIComponent(request.url())));
    await page.goto('/admin/settings?tab=audit');
    await page.getByPlaceholder('Search logs...').fill(who);
    const refused = rows(page).filter({ hasText: 'wrong credentials' });
    await expect(refused).toHaveCount(1);
    await expect(refused).toContainText('Failed');
    await expect(refused).toContainText('127.0.0.1');
    const signedIn = rows(page).filter({ hasText: 'Success' }).filter({ hasText: 'Signed in' });
    await expect(signedIn).toHaveCount(1);
    await expect(signedIn).toContainText('Ruth Sought');
    await page.getByLabel('Category', { exact: true }).selectOption({ label: 'User management' });
    await expect(rows(page).filter({ hasText: 'Created an account' })).toHaveCount(1);
    await expect(signedIn).toHaveCount(0);
    await page.getByLabel('Category', { exact: true }).selectOption({ label: 'All Categories' });
    await expect(signedIn).toHaveCount(1);

    await signIn(theirs, who);
    const news = page.getByRole('status').filter({ hasText: /new entr/ });
    await news.getByRole('button', { name: 'Show' }).click();
    await expect(signedIn).toHaveCount(2);

    const count = await rows(page).count();
    const take = async (item: string) => {
      await page.getByRole('button', { name: 'Export Logs' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ]);
      return download;
    };
    const csv = await take('CSV for spreadsheets');
    expect(csv.suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await textOf(csv)).split('\r\n');
    expect(lines[0]).toBe('\ufeffTimestamp,User,Action,Category,Details,IP Address,Status,Email,Entry');
    expect(lines).toHaveLength(count + 2);
    const json = JSON.parse(await textOf(await take('JSON for programs'))) as { action: string }[];
    expect(json.map(({ action }) => action)).toContain('Signed in');
    expect(json).toHaveLength(count);
    // Searched names stay out of URLs, and so out of access logs.
    expect(addresses.filter((address) => address.includes('/audit-log'))).not.toEqual([]);
    expect(addresses.filter((address) => address.includes(who))).toEqual([]);
  },
);
