import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { bookingDialog, confirm, confirmedDialog, fill } from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 900 };
/** The narrowest that text has to fit into (WCAG 2.2, 1.4.10), in CSS pixels. */
const narrowest = 320;

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

test('public pages', async ({ page, expectNoise }) => {
  expectNoise(/status of 404/);
  for (const path of ['/', '/services', '/service/grief', '/therapists']) {
    await page.goto(path);
    await expectFair(page, path, { dark: true });
  }
  for (const path of ['/service/nothing', '/no/such/page']) {
    await page.goto(path);
    await expectFair(page, path);
  }
  await page.goto('/services');
  await page.setViewportSize(phone);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expectNoViolation(page, 'the menu');
  await page.keyboard.press('Escape');
  await page.getByRole('banner').getByRole('button', { name: 'Need help now?' }).click();
  await expectNoViolation(page, 'the crisis lines');
});

test('the ways in', async ({ page, expectNoise }) => {
  expectNoise(/status of (401|412)/);
  await page.goto('/?auth=1');
  await expectFair(page, 'sign-in', { dark: true });
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expectNoViolation(page, 'sign-in with problems');
  await page.goto('/?auth=1&mode=sign-up');
  await expectFair(page, 'sign-up');
  await page.goto('/reset-password?token=none');
  await expectFair(page, 'reset password');
  await page.getByLabel('New Password').fill('a-new-password');
  await page.getByRole('button', { name: 'Save and Sign In' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
  await expectFair(page, 'a link that was used');
});

test('from the modal to the confirmed appointment', async ({ page }) => {
  await page.goto('/service/individuals');
  await page.getByRole('button', { name: 'Book Session with Dr. Naomi Bennett' }).click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect(prompt).toBeVisible();
  await expectFair(page, 'the modal', { dialog: prompt });
  await prompt.getByLabel('Email').fill(someone('phoebe'));
  await prompt.getByLabel('Password', { exact: true }).fill('peace-be-with-you');
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  const dialog = bookingDialog(page);
  await expect(dialog).toBeVisible();
  await confirm(dialog);
  await expectNoViolation(page, 'the booking dialog with problems');
  await fill(dialog, { monthsOn: 2 });
  await dialog.getByRole('radio', { name: 'Weekly', exact: true }).check();
  await expect(dialog.getByRole('region', { name: 'Appointment Summary' })).toBeVisible();
  await expectFair(page, 'the booking dialog', { dialog, dark: true });
  await dialog.getByRole('radio', { name: 'One-time' }).check();
  await confirm(dialog);
  await expect(confirmedDialog(page)).toBeVisible();
  await expectFair(page, 'the confirmed dialog', { dialog: confirmedDialog(page) });
  await confirmedDialog(page).getByRole('button', { name: 'Done' }).click();

  // A booking has been mailed by now, or will be in a moment.
  await page.goto('/dev/mail');
  const mail = page.getByRole('navigation').getByRole('link').first();
  await expect(async () => {
    await page.getByRole('button', { name: 'Look for new mails' }).click();
    await expect(mail).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectFair(page, 'the mail tray');
  await mail.click();
  await expect(page.getByRole('button', { name: 'Save the mail as HTML' })).toBeVisible();
  await expectFair(page, 'a mail');
});

for (const [who, heading] of [
  ['client', 'Upcoming Appointments'],
  ['doctor', "Today's Schedule"],
  ['pastor', "Today's Schedule"],
  ['admin', 'The directory'],
] as const) {
  test(`the dashboard of a ${who}`, async ({ page }) => {
    await signIn(page, who);
    await page.goto('/home');
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expectFair(page, who, { dark: who === 'client' || who === 'doctor' });
  });
}

test('the error page', async ({ page, product, expectNoise }) => {
  expectNoise(/status of 500|Unexpected Server Error|Minified React error/);
  await signIn(page, 'client');
  await product.query('alter table services rename to services_away');
  try {
    await page.goto('/services');
  } finally {
    await product.query('alter table services_away rename to services');
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!');
  await expectFair(page, 'the error page');
});

/** Holds what is shown against axe's rules on phones and desktops, and lets it be narrowed without scrolling sideways. */
async function expectFair(
  page: Page,
  what: string,
  { dark = false, dialog }: { dark?: boolean; dialog?: Locator } = {},
): Promise<void> {
  await page.setViewportSize({ width: narrowest, height: 640 });
  const places = [page.locator('html'), ...(dialog ? [dialog] : [])];
  for (const place of places) {
    const sideways = await place.evaluate((element) =>
      [element, ...element.querySelectorAll('*')]
        .filter(
          (one) => one === document.documentElement || /auto|scroll/.test(getComputedStyle(one).overflowX),
        )
        .filter((one) => one.scrollWidth > one.clientWidth)
        .map((one) => one.outerHTML.slice(0, 120)),
    );
    expect(sideways, `${what} scrolls sideways at ${narrowest} px`).toEqual([]);
  }
  await page.setViewportSize(phone);
  await expectNoViolation(page, `${what} on phones`);
  await page.setViewportSize(desktop);
  await expectNoViolation(page, `${what} on desktops`);
  if (!dark) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  // Nothing but the colours is different.
  await expectNoViolation(page, `${what} in the dark`, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function expectNoViolation(page: Page, what: string, rules?: string[]): Promise<void> {
  // There are no frames, for which it would otherwise open a page of its own each time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
  }));
  expect(found, what).toEqual([]);
}
