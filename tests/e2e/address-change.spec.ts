import type { Page } from '@playwright/test';
import { call, expect, password, reauthenticate, signIn, someone, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';

test('the owner of an account undoes an email address that an administrator gave it', async ({
  page,
  open,
  expectNoise,
}) => {
  expectNoise(/40[13]/);
  const email = someone('owner');
  const theirs = await open();
  await signIn(theirs, email);
  await call(theirs, '/api/journal', { text: 'Only I may read this.' });
  await signIn(page, 'admin');
  await reauthenticate(page);
  await changeAddress(page, email, `taken.${email}`);

  await theirs.goto('/?auth=1');
  await theirs.getByLabel('Email').fill(`taken.${email}`);
  await theirs.getByLabel('Password', { exact: true }).fill(password);
  await theirs.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(theirs.locator('li[data-state="open"]')).toContainText(
    'The email address of this account was changed',
  );

  await openMail(theirs, email);
  await theirs.getByRole('link', { name: /\/address-change\?token=/ }).click();
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Your email address was changed');
  await expectFair(theirs, 'the page that undoes a change of address', { dark: true });
  const link = theirs.url();
  await theirs.getByRole('button', { name: 'Undo this change' }).click();
  await expect(theirs).toHaveURL(/\/reset-password/);
  await theirs.getByLabel('New Password').fill('grace upon grace upon grace');
  await theirs.getByRole('button', { name: 'Save and Sign In' }).click();
  await expect(theirs.getByRole('banner').getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await theirs.goto('/growth?tab=journal');
  await expect(theirs.getByText('Only I may read this.')).toBeVisible();

  await theirs.goto(link);
  await expect(theirs.getByText('This link no longer works')).toBeVisible();
});

/** Gives somebody another address, as an administrator does in User Management. */
async function changeAddress(page: Page, from: string, to: string): Promise<void> {
  await page.goto('/admin/settings?tab=users');
  await page.getByRole('main').getByLabel('Search users').fill(from);
  await expect(page.getByText('Users found: 1', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Edit User', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit User' });
  await dialog.getByLabel('Email').fill(to);
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog).toBeHidden();
}

/** Opens the mail by which somebody hears of the change, waiting for it to be written. */
async function openMail(page: Page, address: string): Promise<void> {
  await page.goto('/dev/mail');
  const mail = page
    .getByRole('navigation')
    .getByRole('link')
    .filter({ hasText: address })
    .filter({ hasText: /email address .*changed/ });
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(mail.first()).toBeVisible({ timeout: 500 });
  }).toPass();
  await mail.first().click();
}
