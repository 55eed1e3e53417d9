import type { Locator, Page } from '@playwright/test';
import { bookingDialog } from './support/booking.ts';
import { addressOf, expect, forgetSession, password, signIn, someone, test } from './support/fixtures.ts';

test('the skip link is the first stop of the tab key and leads to the content', async ({ page }) => {
  for (const path of ['/', '/services', '/therapists', '/service/grief', '/?auth=1', '/dev/mail']) {
    await page.goto(path);
    await expect(page.getByRole('main')).toBeVisible();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await expect(skip, path).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main'), path).toBeFocused();
  }
});

test('signing in and out needs no pointer', async ({ page }) => {
  await page.goto('/');
  await tabTo(page, page.getByRole('banner').getByRole('link', { name: 'Log In' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to iTalk');
  await tabTo(page, page.getByLabel('Email'));
  await page.keyboard.type(addressOf('client'));
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Hannah');
  await page.goto('/services');
  await tabTo(page, page.getByRole('banner').getByRole('button', { name: 'Sign Out' }));
  await page.keyboard.press('Space');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log In' })).toBeVisible();
});

test('the menu on phones opens, closes and leads on by keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  const nav = page.getByRole('banner').getByRole('navigation', { name: 'Main' });
  await tabTo(page, page.getByRole('button', { name: 'Open menu' }));
  await page.keyboard.press('Enter');
  await expect(nav).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(nav).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, nav.getByRole('link', { name: 'How It Works' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'How It Works' })).toBeInViewport();
});

test('dialogs take the focus, hold it, and give it back', async ({ page }) => {
  await page.goto('/services');
  const opener = page.getByRole('button', { name: 'Book Session for Faith Strengthening' });
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await tabTo(page, opener);
  await page.keyboard.press('Enter');
  await expect(prompt).toBeVisible();
  await expect.poll(() => holdsFocus(prompt)).toBe(true);
  for (let stop = 0; stop < 12; stop += 1) {
    await page.keyboard.press('Tab');
    expect(await holdsFocus(prompt)).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(prompt).toBeHidden();
  await expect(opener).toBeFocused();

  await test.step('also the one that follows a sign-in', async () => {
    await page.keyboard.press('Enter');
    await tabTo(page, prompt.getByLabel('Email'));
    await page.keyboard.type(someone('dorcas'));
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await expect(bookingDialog(page)).toBeVisible();
    await expect.poll(() => holdsFocus(bookingDialog(page))).toBe(true);
    await page.keyboard.press('Escape');
    await expect(bookingDialog(page)).toBeHidden();
    await expect(opener).toBeFocused();
  });
});

test('help is a key press away on every page, and inside the booking dialog', async ({
  page,
  expectNoise,
}) => {
  expectNoise(/status of 404/);
  for (const path of [
    '/',
    '/services',
    '/therapists',
    '/service/teens',
    '/service/nothing',
    '/no/such/page',
  ]) {
    await page.goto(path);
    await helpByKeyboard(page, page.getByRole('banner'));
  }
  expectNoise(/status of 412/);
  for (const [path, heading] of [
    ['/?auth=1', 'Sign in to iTalk'],
    ['/verify?token=x', 'This link no longer works'],
    ['/reset-password?token=x', 'Set a new password'],
    ['/dev/mail', 'Demo inbox'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await helpByKeyboard(page, page.locator('body'));
  }
  for (const who of ['client', 'doctor', 'admin'] as const) {
    await forgetSession(page);
    await signIn(page, who);
    await page.goto('/home');
    await helpByKeyboard(page, page.locator('body'));
  }
  await forgetSession(page);
  await signIn(page, 'client');
  await page.goto('/service/grief');
  await page.getByRole('button', { name: 'Book Session Now' }).click();
  await expect(bookingDialog(page)).toBeVisible();
  await helpByKeyboard(page, bookingDialog(page));
  await expect(bookingDialog(page)).toBeVisible();
});

/** Opens the crisis lines from within a place, reads them, and closes them again. */
async function helpByKeyboard(page: Page, place: Locator): Promise<void> {
  const button = place.getByRole('button', { name: 'Need help now?' }).first();
  await expect(button, page.url()).toBeVisible();
  await button.focus();
  await page.keyboard.press('Enter');
  const lines = page.getByRole('group', { name: 'You don’t have to wait' });
  await expect(lines).toBeVisible();
  for (const [name, href] of [
    [/988/, 'tel:988'],
    [/Text HOME to 741741/, 'sms:741741?&body=HOME'],
    [/911/, 'tel:911'],
  ] as const) {
    const line = lines.getByRole('link', { name });
    await tabTo(page, line, 6);
    await expect(line).toHaveAttribute('href', href);
  }
  await page.keyboard.press('Escape');
  await expect(lines).toBeHidden();
  await expect(button).toBeFocused();
}

/** Presses the tab key until something has the focus. */
async function tabTo(page: Page, target: Locator, most = 60): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < most; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

function holdsFocus(place: Locator): Promise<boolean> {
  return place.evaluate((element) => element.contains(document.activeElement));
}
