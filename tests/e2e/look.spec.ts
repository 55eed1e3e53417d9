import { bookingDialog, confirm, confirmedDialog, fill } from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';
import { expectFair, expectNoViolation, phone } from './support/look.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

test('public pages', async ({ page, expectNoise }) => {
  test.slow();
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
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(mail).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectFair(page, 'the mail tray');
  await mail.click();
  await expect(page.getByRole('button', { name: 'Save as HTML' })).toBeVisible();
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
