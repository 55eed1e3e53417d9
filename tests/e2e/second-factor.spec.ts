import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { startProduct } from '../../scripts/product.ts';
import { giveAuthenticator } from './support/authenticator.ts';
import {
  expect,
  forgetSession,
  password,
  reauthenticate,
  signIn,
  someone,
  test,
} from './support/fixtures.ts';

// These tests change site flags and settings.
test.use({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const product = await startProduct({ env: { RATE_LIMIT_FACTOR: '1000' } });
      await product.query(
        `update feature_flags set enabled = true, scope = 'global' where id = 'two_factor_authentication'`,
      );
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
});

/** Returns an authenticator for the displayed key; codes are single-use, so pass a higher `later` each time. */
async function appOf(key: Locator): Promise<(later?: number) => string> {
  const secret = (await key.locator('code').innerText()).replaceAll(' ', '');
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  // The server also accepts adjacent codes, in case the clock ticks before they're read.
  return (later = 0) => totp.generate({ timestamp: Date.now() + later * 30_000 });
}

async function openSignIn(page: Page, email: string): Promise<Locator> {
  await forgetSession(page);
  return enterPassword(page, email);
}

async function enterPassword(page: Page, email: string): Promise<Locator> {
  await page.goto('/?auth=1');
  const main = page.getByRole('main');
  await main.getByLabel('Email').fill(email);
  await main.getByLabel('Password', { exact: true }).fill(password);
  await main.getByRole('button', { name: 'Sign In', exact: true }).click();
  return main;
}

test(
  'makes a passkey the second step, trusts a device and ends both',
  { tag: '@long' },
  async ({ page, expectNoise }) => {
    // Turning it off asks for a confirmation first.
    expectNoise(/status of 412/);
    await giveAuthenticator(page);
    const email = someone('by.passkey');
    await signIn(page, email);
    await reauthenticate(page);
    await page.goto('/profile?tab=settings');
    const card = page.getByRole('region', { name: 'Two-factor authentication' });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save name' }).click();
    await card.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'I’ve saved it' }).click();
    await expect(card).toContainText('Sign-in requires one of your passkeys. Backup codes left: 10.');

    const main = await openSignIn(page, email);
    await main.getByLabel('Don’t ask again on this device for 30 days').check();
    await main.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page).toHaveURL(/\/home$/);
    await test.step('doesn’t ask this device again', async () => {
      await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
      await expect(page).toHaveURL(/:\d+\/$/);
      await enterPassword(page, email);
      await expect(page).toHaveURL(/\/home$/);
    });

    await page.goto('/profile?tab=settings');
    await card.getByRole('button', { name: /^Stop trusting/ }).click();
    await expect(card.getByRole('list', { name: 'Trusted devices' })).toHaveCount(0);
    await card.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click();
    await expect(card.getByText('Off', { exact: true })).toBeVisible();
  },
);

test(
  'sets up a second factor, signs in with app or backup codes, and enforces required setup',
  { tag: '@long' },
  async ({ page, product }) => {
    const email = someone('careful');
    await signIn(page, email);
    await page.goto('/profile?tab=settings');
    const card = page.getByRole('region', { name: 'Two-factor authentication' });
    await card.getByRole('button', { name: 'Set up two-factor authentication' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByLabel('Password', { exact: true }).press('Enter');
    const shown = await appOf(dialog);
    await dialog.getByLabel('Code from your app').fill(shown());
    await dialog.getByLabel('Code from your app').press('Enter');
    const codes = dialog.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
    await expect(codes).toHaveCount(10);
    const onPaper = await codes.allInnerTexts();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toEqual(onPaper);
    await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
    await expect(card).toContainText('Backup codes left: 10.');

    const main = await openSignIn(page, email);
    const code = main.getByLabel('Code from your app');
    // Codes are single-use, so this takes a later one.
    await code.fill(shown(1));
    await code.press('Enter');
    await expect(page).toHaveURL(/\/home$/);
    await openSignIn(page, email);
    await code.fill(onPaper[0]!.toLowerCase());
    await code.press('Enter');
    await expect(page).toHaveURL(/\/home$/);
    await page.goto('/profile?tab=settings');
    await expect(card).toContainText('Backup codes left: 9.');

    await test.step('signs out people without a required second factor, and sets it up at sign-in', async () => {
      const other = someone('demanded');
      await forgetSession(page);
      await signIn(page, other);
      await product.query('update site_settings set require_two_factor = true');
      await page.goto('/home');
      await expect(page).toHaveURL(/:\d+\/$/);
      await openSignIn(page, other);
      await code.fill((await appOf(main))());
      await code.press('Enter');
      await expect(main.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')).toHaveCount(10);
      await main.getByRole('button', { name: 'Continue' }).click();
      await expect(page).toHaveURL(/\/home$/);
    });
  },
);
