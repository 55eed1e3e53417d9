import type { Page } from '@playwright/test';
import { startProduct } from '../../scripts/product.ts';
import { expect, signIn, test } from './support/fixtures.ts';
import { expectNoViolation } from './support/look.ts';

// The settings are the whole site's, so this product is nobody else's.
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

const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' });
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first();

async function openSettings(page: Page): Promise<void> {
  await signIn(page, 'admin');
  await page.goto('/admin/settings?tab=settings');
  await expect(page.getByLabel('Site name')).toBeVisible({ timeout: 15_000 });
}

test('settings are saved in their sections with their bounds in words, kept, told in the history, and reset', async ({
  page,
}) => {
  await openSettings(page);
  for (const section of [
    'Site Configuration',
    'Appointment Settings',
    'Notification Settings',
    'Security Settings',
    'System Settings',
  ])
    await expect(page.getByRole('region', { name: section })).toBeVisible();
  await expect(page.getByText('Not available yet', { exact: false })).toHaveCount(4);
  await expect(save(page)).toBeDisabled();

  const timeout = page.getByLabel('Session timeout (minutes)');
  await page.getByLabel('Site name').fill('Cedar House');
  for (const wrong of ['abc', '4', '1441', '']) {
    await timeout.fill(wrong);
    await save(page).click();
    await expect(timeout).toBeFocused();
    await expect(timeout).toHaveAccessibleDescription(/Please enter a whole number from 5 to 1440\./);
  }
  await timeout.fill('45');
  await expect(timeout).toHaveAccessibleDescription(/Not saved yet\. Saved: 30 minutes/);
  await expect(page.getByText('2 not saved yet')).toBeVisible();
  await expectNoViolation(page, 'the settings with something wrong in them');

  await page.getByRole('link', { name: 'Audit Logs' }).click();
  const leaving = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await leaving.getByRole('button', { name: 'Stay here' }).click();
  await expect(timeout).toHaveValue('45');

  await save(page).click();
  await expect(toast(page, 'Settings Saved')).toBeVisible();
  await expect(toast(page, 'All configuration changes have been saved successfully.')).toBeVisible();
  await expect(page).toHaveTitle(/Cedar House/);
  const history = page.getByRole('region', { name: 'History' }).getByRole('listitem').first();
  await expect(history).toContainText('saved');
  await expect(history).toContainText('Site name: “iTalk Health” → “Cedar House”');
  await expect(history).toContainText('Session timeout: 30 minutes → 45 minutes');
  await page.reload();
  await expect(timeout).toHaveValue('45');

  await page.getByRole('button', { name: 'Reset to Default' }).click();
  const reset = page.getByRole('alertdialog', { name: 'Reset all settings?' });
  await expect(reset).toContainText('Session timeout: 45 minutes → 30 minutes');
  await reset.getByRole('button', { name: 'Reset to Default' }).click();
  await expect(toast(page, 'Settings Reset')).toBeVisible();
  await expect(toast(page, 'All settings have been reset to default values.')).toBeVisible();
  await expect(timeout).toHaveValue('30');
  await expect(history).toContainText('reset to defaults');
});

test('what another administrator saves meanwhile is shown, and nothing that was typed is lost', async ({
  page,
  open,
}) => {
  const other = await open();
  await openSettings(page);
  await openSettings(other);
  await page.getByLabel('Reminder (minutes before)').fill('45');
  await page.getByLabel('Booking notice (hours)').fill('36');
  await other.getByLabel('Reminder (minutes before)').fill('90');
  await save(other).click();
  await expect(toast(other, 'Settings Saved')).toBeVisible();

  const news = page.getByRole('alert').filter({ hasText: 'These settings were saved meanwhile' });
  await expect(news).toContainText('Reminder: 60 minutes → 90 minutes');
  await expect(news).toContainText('You changed some of the same settings: Reminder.');
  await save(page).click();
  await expect(page.getByLabel('Reminder (minutes before)')).toHaveValue('45');
  await news.getByRole('button', { name: 'Take theirs' }).click();
  await expect(page.getByLabel('Reminder (minutes before)')).toHaveValue('90');
  await expect(page.getByLabel('Booking notice (hours)')).toHaveValue('36');
  await save(page).click();
  await expect(toast(page, 'Settings Saved')).toBeVisible();
  await expect(other.getByLabel('Booking notice (hours)')).toHaveValue('36');
});

test('maintenance closes every open page of others at once, and opens them again by itself', async ({
  page,
  open,
  expectNoise,
}) => {
  test.setTimeout(90_000);
  expectNoise(/503|WebSocket/);
  const client = await open();
  await signIn(client, 'client');
  await client.goto('/home');
  await expect(client.getByRole('heading', { level: 1 })).toBeVisible();
  await openSettings(page);
  await page.getByLabel('Maintenance mode').check();
  await save(page).click();
  const ask = page.getByRole('alertdialog', { name: 'Close the site?' });
  await ask.getByRole('button', { name: 'Save and close the site' }).click();
  await expect(page.getByText('Maintenance mode is on', { exact: false })).toBeVisible();
  await expect(client.getByRole('heading', { name: 'We’ll be back soon' })).toBeVisible();

  const guest = await open();
  const answer = await guest.goto('/services');
  expect([answer?.status(), answer?.headers()['retry-after']]).toEqual([503, '300']);
  await expect(guest.getByRole('heading', { name: 'We’ll be back soon' })).toBeVisible();
  await expectNoViolation(guest, 'a closed site');
  await guest.goto('/admin/settings');
  await expect(guest.getByLabel('Email')).toBeVisible();

  await page.getByLabel('Maintenance mode').uncheck();
  await save(page).click();
  await expect(page.getByText('Maintenance mode is on', { exact: false })).toHaveCount(0);
  await expect(client.getByRole('heading', { name: 'We’ll be back soon' })).toHaveCount(0, {
    timeout: 30_000,
  });
});

test('a session that is about to end is warned of in every tab, extended for all, and ended', async ({
  page,
  product,
}) => {
  await signIn(page, 'pastor');
  await page.goto('/home');
  const second = await page.context().newPage();
  await second.goto('/home');
  await expect(second.getByRole('heading', { level: 1 })).toBeVisible();
  const usedAgo = (minutes: number) =>
    product.query(
      `update sessions set updated_at = now() - interval '1 minute' * $1
        where user_id = (select id from users where email = 'pastor@italk.example')`,
      [minutes],
    );
  /** As when somebody comes back to the tab. */
  const look = (tab: Page) => tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const warning = (tab: Page) => tab.getByRole('dialog', { name: 'Are you still there?' });
  // What the pages still ask for as they open is a use of the session.
  for (const tab of [page, second])
    await expect(async () => {
      await usedAgo(28.5);
      await look(tab);
      await expect(warning(tab)).toBeVisible({ timeout: 2_000 });
    }).toPass();
  await expectNoViolation(page, 'the warning before a session ends');
  await warning(page).getByRole('button', { name: 'Stay signed in' }).click();
  await expect(warning(page)).toHaveCount(0);
  await expect(warning(second)).toHaveCount(0);

  await usedAgo(31);
  await look(second);
  await expect(second.getByText('You were signed out', { exact: true }).first()).toBeVisible();
});
