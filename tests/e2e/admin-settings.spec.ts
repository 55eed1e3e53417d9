import type { Page } from '@playwright/test';
import { startProduct } from '../../scripts/product.ts';
import { expect, reauthenticate, test } from './support/fixtures.ts';
import { expectNoViolation } from './support/look.ts';
import { becomeAdministrator, becomeClient } from './support/people.ts';

// Settings and features are site-wide, so these tests need their own product.
test.use({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const product = await startProduct({ env: { RATE_LIMIT_FACTOR: '1000' } });
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
});

const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first();

test(
  'closes and reopens the site; every open page follows automatically',
  { tag: '@long' },
  async ({ page, open, product, expectNoise }) => {
    expectNoise(/503|WebSocket/);
    const client = await open();
    await becomeClient(client, product);
    await client.goto(`${product.url}/home`);
    await expect(client.getByRole('heading', { level: 1 })).toBeVisible();
    const closed = (one: Page) => one.getByRole('heading', { name: 'We’ll be back soon' });
    await becomeAdministrator(page, product);
    await page.goto('/admin/settings?tab=settings');
    const save = page.getByRole('button', { name: 'Save Changes' });
    for (const name of ['Site Configuration', 'System Settings'])
      await page.getByRole('button', { name }).click();
    await page.getByLabel('Site name').fill('Cedar House');
    await page.getByLabel('Maintenance mode').check();
    await save.click();
    await page
      .getByRole('alertdialog', { name: 'Close the site?' })
      .getByRole('button', { name: 'Save and close the site' })
      .click();
    await expect(toast(page, 'Settings Saved')).toBeVisible();
    await expect(closed(client)).toBeVisible();

    const guest = await open();
    const answer = await guest.goto(`${product.url}/services`);
    expect([answer?.status(), answer?.headers()['retry-after']]).toEqual([503, '300']);
    await expect(closed(guest)).toBeVisible();
    await expectNoViolation(guest, 'a closed site');
    await guest.goto(`${product.url}/admin/settings`);
    await expect(guest.getByLabel('Email')).toBeVisible();

    await page.getByLabel('Maintenance mode').uncheck();
    await save.click();
    await expect(closed(client)).toHaveCount(0);
    await expect(client).toHaveTitle(/Cedar House/);

    await reauthenticate(page);
    await page.getByRole('button', { name: 'Reset to Default' }).click();
    await page
      .getByRole('alertdialog', { name: 'Reset all settings?' })
      .getByRole('button', { name: 'Reset to Default' })
      .click();
    await expect(toast(page, 'Settings Reset')).toBeVisible();
    await page.reload();
    await page.getByRole('button', { name: 'Site Configuration' }).click();
    await expect(page.getByLabel('Site name')).toHaveValue('iTalk Health');
    const history = page.getByRole('region', { name: 'History' });
    await expect(history.getByText('Site name: “iTalk Health” → “Cedar House”')).toBeVisible();
  },
);

test(
  'switches a feature off, then on for one person; their page follows automatically',
  { tag: '@long' },
  async ({ page, open, product, expectNoise }) => {
    // Requests sent before the page learns of the change fail.
    expectNoise(/404.*\/api\//);
    const client = await open();
    const email = await becomeClient(client, product);
    await client.goto(`${product.url}/home`);
    const growth = client.getByRole('main').locator('a[href="/growth"]');
    await expect(growth).toBeVisible();

    await becomeAdministrator(page, product);
    await page.goto('/admin/settings?tab=features');
    const toggle = page.getByRole('switch', { name: /^Wellness Tracking/ });
    await toggle.press('Space');
    await expect(toast(page, 'Wellness Tracking has been disabled successfully.')).toBeVisible();
    await expect(growth).toHaveCount(0);
    await page.reload();
    await expect(toggle).not.toBeChecked();
    await expect(toggle).toBeEnabled();
    await toggle.press('Space');
    await expect(toast(page, 'Wellness Tracking has been enabled successfully.')).toBeVisible();
    await expect(growth).toBeVisible();

    const feature = page.getByRole('article', { name: 'Wellness Tracking', exact: true });
    const dialog = page.getByRole('dialog', { name: 'Scope of Wellness Tracking' });
    const save = dialog.getByRole('button', { name: 'Save scope' });
    await feature.getByRole('button', { name: 'Edit scope' }).click();
    await dialog.getByRole('radio', { name: 'Role-based' }).check();
    await dialog.getByRole('checkbox', { name: 'Doctor' }).check();
    await save.click();
    await expect(growth).toHaveCount(0);

    await feature.getByRole('button', { name: 'Edit scope' }).click();
    await dialog.getByRole('radio', { name: 'User-specific' }).check();
    await dialog.getByRole('combobox', { name: 'People who can use it' }).fill(email);
    await dialog.getByRole('option', { name: email }).click();
    await save.click();
    await expect(feature).toContainText('1 chosen');
    await expect(growth).toBeVisible();
  },
);
