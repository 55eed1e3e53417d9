import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { startProduct } from '../../scripts/product.ts';
import { expect, forgetSession, password, signIn, someone, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';

// The site's settings are changed here.
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
    { scope: 'worker', timeout: 90_000 },
  ],
});

/** What an authenticator app shows that was given the key which stands there; each code works once, so `later` ones follow. */
async function appOf(key: Locator): Promise<(later?: number) => string> {
  const secret = (await key.locator('code').innerText()).replaceAll(' ', '');
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  // This one's or the next one's: those hold also if the clock ticks before they are read.
  return (later = 0) => totp.generate({ timestamp: Date.now() + later * 30_000 });
}

async function openSignIn(page: Page, email: string): Promise<Locator> {
  await forgetSession(page);
  await page.goto('/?auth=1');
  const main = page.getByRole('main');
  await main.getByLabel('Email').fill(email);
  await main.getByLabel('Password', { exact: true }).fill(password);
  await main.getByRole('button', { name: 'Sign In', exact: true }).click();
  return main;
}

test('a person sets up a second step by keyboard, signs in with its code, or with one on paper, and turns it off', async ({
  page,
  expectNoise,
}) => {
  test.slow();
  expectNoise(/400/);
  // Wider than the narrowest screen, which it may not push apart.
  const email = someone('careful.of.the.wide.world');
  await signIn(page, email);
  await page.goto('/profile?tab=settings');
  const card = page.getByRole('region', { name: 'Two-factor authentication' });
  await expect(card).toContainText('Off');
  await card.getByRole('button', { name: 'Set up two-factor authentication' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill('not-mine');
  await dialog.getByLabel('Password', { exact: true }).press('Enter');
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByLabel('Password', { exact: true }).press('Enter');
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expectFair(page, 'the key for an app', { dialog });
  const shown = await appOf(dialog);
  await dialog.getByLabel('Code from your app').fill('000000');
  await dialog.getByLabel('Code from your app').press('Enter');
  await expect(dialog).toContainText('This code isn’t right, or was used already.');
  await dialog.getByLabel('Code from your app').fill(shown());
  await dialog.getByLabel('Code from your app').press('Enter');
  const codes = dialog.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const onPaper = await codes.allInnerTexts();
  await expectFair(page, 'the codes on paper', { dialog });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toEqual(onPaper);
  await dialog.getByRole('button', { name: 'I have kept them' }).press('Enter');
  await expect(card).toContainText('Backup codes left: 10.');

  const main = await openSignIn(page, email);
  await expect(main).toContainText('Your password is right.');
  const code = main.getByLabel('Code from your app');
  await expect(code).toBeFocused();
  await expectFair(page, 'the second step of a sign-in', { dark: true });
  await code.press('Enter');
  await expect(main).toContainText('Enter the six digits that your app shows.');
  await code.fill('000000');
  await code.press('Enter');
  await expect(main).toContainText('This code isn’t right, or was used already.');
  await code.fill(shown(1));
  await code.press('Enter');
  await expect(page).toHaveURL(/\/home$/);

  await openSignIn(page, email);
  await code.fill(onPaper[0]!.toLowerCase());
  await code.press('Enter');
  await expect(page).toHaveURL(/\/home$/);
  await page.goto('/profile?tab=settings');
  await expect(card).toContainText('Backup codes left: 9.');

  // Whoever has the password alone can neither make new codes nor turn it off.
  await card.getByRole('button', { name: 'New backup codes' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill('not-my-password');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toContainText('Enter the six digits that your app shows.');
  await dialog.getByLabel('Code from your app').fill(onPaper[2]!);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toContainText('This password isn’t right.');
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(codes).toHaveCount(10);
  const anew = await codes.allInnerTexts();
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await expect(card).toContainText('Backup codes left: 10.');

  await card.getByRole('button', { name: 'Turn it off' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toContainText('Enter the six digits that your app shows.');
  await dialog.getByLabel('Code from your app').fill(anew[0]!);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(card).toContainText('Off');
});

test('where it is demanded, who was signed in signs in anew and sets it up on the way, also at the portal', async ({
  page,
  product,
}) => {
  const email = someone('demanded');
  await signIn(page, email);
  await page.goto('/home');
  await page.goto('about:blank');
  await product.query('update site_settings set require_two_factor = true');
  await page.goto('/home');
  await expect(page).toHaveURL(/:\d+\/$/);
  const main = await openSignIn(page, email);
  const shown = await appOf(main);
  await expectFair(page, 'setting it up at the sign-in', { dark: true });
  await main.getByLabel('Code from your app').fill(shown());
  await main.getByLabel('Code from your app').press('Enter');
  await expect(main.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')).toHaveCount(10);
  await main.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/home$/);
  await page.goto('/profile?tab=settings');
  const card = page.getByRole('region', { name: 'Two-factor authentication' });
  await expect(card.getByRole('button', { name: 'New backup codes' })).toBeVisible();
  await expect(card.getByRole('button', { name: 'Turn it off' })).toBeHidden();

  await forgetSession(page);
  await page.goto('/admin/settings');
  await main.getByLabel('Email').fill('admin@italk.example');
  await main.getByLabel('Password', { exact: true }).fill(password);
  await main.getByRole('button', { name: 'Sign In', exact: true }).click();
  const chiefs = await appOf(main);
  await main.getByLabel('Code from your app').fill(chiefs());
  await main.getByLabel('Code from your app').press('Enter');
  await main.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Welcome to iTalk Admin', { exact: true })).toBeVisible();
  await expect(main.getByRole('navigation', { name: 'Parts of the portal' })).toBeVisible();
});
