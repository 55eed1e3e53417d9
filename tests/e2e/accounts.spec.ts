import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, bookingDialog, toast } from './support/booking.ts';
import { expect, password, signIn, someone, test } from './support/fixtures.ts';

test('signs up, signs out and signs in again on the way to a private page', async ({ page }) => {
  const email = someone('ruth');
  await page.goto('/services');
  const header = page.getByRole('banner');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Log In' }).click();
  await page.getByRole('button', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/services');
  await page.goto('/?auth=1&mode=sign-up');
  await page.getByLabel('Full Name').fill('Ruth Amsel');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expectToast(page, 'Welcome to iTalk 🕊️', 'Please check your email to verify your account.');
  await expect(page).toHaveURL('/home');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ruth');
  await expect(page.getByRole('heading', { name: 'No upcoming appointments' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Schedule an Appointment' })).toBeVisible();

  await page.goto('/');
  await header.getByRole('button', { name: 'Logout' }).click();
  await expectToast(page, 'Signed out successfully', 'May peace be with you until we meet again.');
  // Guests on `/home` get the landing page.
  await expect(page).toHaveURL('/');
  // Signing out keeps the known-device cookie, and a form's challenge for its five minutes.
  const names = (await page.context().cookies()).map(({ name }) => name);
  expect(names.filter((name) => name !== 'italk.passkey')).toEqual([
    expect.stringMatching(/^italk\.device\./),
  ]);

  const next = '/profile?tab=settings';
  await page.goto('/faq');
  await page.goto(`/?auth=1&next=${encodeURIComponent(next)}`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expectToast(page, 'Welcome back! 🙏', 'You have successfully signed in.');
  await expect(page).toHaveURL(next);
  await expect(header.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await expect(header.getByRole('link', { name: 'Log In' })).toHaveCount(0);
  // Going back skips the sign-in card.
  await page.goto(`/?auth=1&next=${encodeURIComponent(next)}`);
  await expect(page).toHaveURL(next);
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL('/faq');
});

test('keeps all tabs in step: signing in keeps what is typed elsewhere, signing out leaves nothing', async ({
  page,
}) => {
  const other = await page.context().newPage();
  const message = page.getByRole('textbox', { name: 'Message' });
  const signOut = (tab: Page) => tab.getByRole('banner').getByRole('button', { name: 'Sign Out' });
  await page.goto('/contact');
  await message.fill('May I ask something first?');
  await other.goto(new URL('/?auth=1&next=/growth', page.url()).href);
  await other.getByLabel('Email').fill(someone('tabs'));
  await other.getByLabel('Password', { exact: true }).fill(password);
  await other.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(other).toHaveURL('/growth');
  await expect(signOut(page)).toBeVisible();
  await expect(message).toHaveValue('May I ask something first?');
  await signOut(page).click();
  await expect(other.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
  await expect(other.getByRole('heading', { level: 1, name: 'Your growth' })).toHaveCount(0);
});

test('keeps input typed before the page’s script ran', async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/?auth=1', { waitUntil: 'commit' });
  const submit = page.getByRole('button', { name: 'Sign In', exact: true });
  await page.getByLabel('Email').fill('early@italk.example');
  await page.getByLabel('Password', { exact: true }).fill('typed-early');
  await expect(submit).toBeDisabled();
  release();
  await expect(submit).toBeEnabled();
  await expect(page.getByLabel('Email')).toHaveValue('early@italk.example');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('typed-early');
});

test(
  'resets a forgotten password by emailed link and resumes what was interrupted, elsewhere by code',
  { tag: '@long' },
  async ({ page, open, expectNoise, product }) => {
    expectNoise(/status of (401|412)/);
    const specialist = await becomeSpecialist(await open(), product, { name: 'Dr. Esther Field' });
    const address = someone('esther');
    const elsewhere = await open();
    await signIn(elsewhere, address);
    await page.goto('/service/grief');
    await page
      .getByRole('button', { name: `Book Session with ${specialist.name}` })
      .first()
      .click();
    const prompt = page.getByRole('dialog', { name: "You're almost there!" });
    await prompt.getByLabel('Email').fill(address);
    await prompt.getByRole('button', { name: 'Forgot your password?' }).click();
    await expect(prompt.getByLabel('Email')).toHaveValue(address);
    await prompt.getByRole('button', { name: 'Send Link' }).click();
    await expect(prompt.getByText(`If ${address} has an account, a link is on its way.`)).toBeVisible();

    await openMail(page, address, 'Choose a new password');
    await page.getByRole('link', { name: /\/reset-password\?.*#/ }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set a new password');
    await page.getByLabel('New Password').fill('a-better-one');
    await page.getByRole('button', { name: 'Save and Sign In' }).click();
    await expectToast(page, 'Welcome back! 🙏', /Your new password is set\./);
    await expect(page).toHaveURL(/\/service\/grief\?book=/);
    await expect(bookingDialog(page)).toContainText(`with ${specialist.name}`);
    // Ends every other session.
    await elsewhere.goto(`${product.url}/home`);
    await expect(elsewhere).toHaveURL(`${product.url}/`);

    // There, a code from the link on this device signs in.
    await elsewhere.goto(`${product.url}/?auth=1&next=%2Fabout`);
    await elsewhere.getByRole('button', { name: 'Email me a code' }).click();
    await elsewhere.getByLabel('Email').fill(address);
    await elsewhere.getByRole('button', { name: 'Email me a code' }).click();
    await expect(elsewhere.getByLabel('6-digit code')).toBeFocused();
    await openMail(page, address, 'Sign in to iTalk Health');
    await page.getByRole('link', { name: /\/sign-in-code\?next=%2Fabout#\d{6}/ }).click();
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Enter this code where you asked for it',
    );
    const code = await page
      .getByRole('status')
      .filter({ hasText: /^\d{6}$/ })
      .innerText();
    await elsewhere.getByLabel('6-digit code').fill(code);
    await elsewhere.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expectToast(elsewhere, 'Welcome back! 🙏', 'You have successfully signed in.');
    await expect(elsewhere).toHaveURL(`${product.url}/about`);
  },
);

test('verifies an address by emailed link, signs in and reveals no token', async ({ page, product }) => {
  const address = someone('noah');
  await signUpWaiting(page, product, address);
  await openMail(page, address, 'Verify your email address');
  await page.getByRole('link', { name: /\/verify\?.*#/ }).click();
  await expectToast(page, 'Welcome back! 🙏', 'You have successfully signed in.');
  await expect(page).toHaveURL('/therapists');
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign Out' })).toBeVisible();
  for (const path of [
    '/verify',
    '/reset-password',
    '/unsubscribe',
    '/address-change',
    '/email-change',
    '/unlock',
    '/continue/google',
  ]) {
    const answer = await page.request.get(`${path}?token=made-up`);
    expect(answer.headers(), path).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  }
});

test(
  'changes an email with a link from each address, and undoes it',
  { tag: '@long' },
  async ({ page, open, product, expectNoise }) => {
    // The settings ask who it is.
    expectNoise(/status of 412/);
    const email = someone('miriam');
    const wanted = `new.${email}`;
    await signIn(page, email);
    await page.goto('/profile');
    await page.getByRole('link', { name: 'Change email' }).click();
    const row = page.getByRole('region', { name: 'Email', exact: true });
    await row.getByRole('button', { name: 'Change email' }).click();
    await page.getByLabel('New email').fill(wanted);
    await page.getByRole('button', { name: 'Email both links' }).click();
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(row).toContainText(`We sent a link to ${email} and to ${wanted}.`);

    const mailbox = await open();
    for (const [address, subject, answer] of [
      [email, 'Confirm your email change at iTalk Health', `Now open the link we emailed to ${wanted}.`],
      [wanted, 'Confirm your new email at iTalk Health', `From now on, sign in with ${wanted}.`],
    ] as const) {
      await mailbox.goto(product.url);
      await openMail(mailbox, address, subject);
      await mailbox.getByRole('link', { name: /\/email-change#/ }).click();
      await mailbox.getByRole('button', { name: 'Confirm', exact: true }).click();
      await expect(mailbox.getByText(answer)).toBeVisible();
    }
    await expect(row).toContainText(wanted);
    await expect(row.getByRole('button', { name: 'Cancel change' })).toHaveCount(0);

    await openMail(mailbox, email, 'Your iTalk Health email address was changed');
    await mailbox.getByRole('link', { name: /\/address-change#/ }).click();
    await mailbox.getByRole('button', { name: 'Undo this change' }).click();
    await expect(mailbox).toHaveURL(/\/reset-password/);
  },
);

test('signs in an unknown demo address as a new client, with a loading state before scripts', async ({
  page,
  product,
}) => {
  const email = someone('miriam.stone');
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/client-dashboard*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/?auth=1');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Loading iTalk...')).toBeVisible();
  release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Miriam');

  // Expired sessions count as guests.
  await page.goto('about:blank');
  await product.query(
    `update sessions set updated_at = now() - interval '31 minutes'
     where user_id = (select id from users where email = $1)`,
    [email],
  );
  await page.goto('/home');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Core Services' })).toBeVisible();
});

/** Waits for the latest email to an address and opens it. */
async function openMail(page: Page, address: string, subject: string): Promise<void> {
  await page.goto('/dev/mail');
  const mail = page
    .getByRole('navigation')
    .getByRole('link')
    .filter({ hasText: address })
    .filter({ hasText: subject });
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(mail.first()).toBeVisible({ timeout: 500 });
  }).toPass();
  await mail.first().click();
  await expect(page.getByRole('heading', { level: 2, name: subject })).toBeVisible();
}

async function expectToast(page: Page, title: string, description: string | RegExp): Promise<void> {
  await expect(toast(page, title).last()).toBeVisible();
  const newest = page.locator('li[data-state="open"]').filter({ hasText: title }).last();
  await expect(newest).toContainText(description);
}

/** Inserts a pending sign-up and requests its link, because the demo confirms immediately. */
async function signUpWaiting(page: Page, product: Product, email: string): Promise<void> {
  const proof = randomBytes(24).toString('base64url');
  await product.query(
    `insert into sign_ups (id, email, name, password, proof, created_at, expires_at)
     values ($1, $2, 'Noah Stern', 'no hash', $3, now(), now() + interval '8 days')`,
    [randomUUID(), email, createHash('sha256').update(proof).digest('base64url')],
  );
  await page
    .context()
    .addCookies([{ name: 'italk.sign_up', value: proof, url: `${product.url}/api/auth`, httpOnly: true }]);
  const asked = await page.request.post('/api/auth/send-verification-email', {
    headers: { origin: product.url },
    data: { email, next: '/therapists' },
  });
  expect(asked.ok()).toBe(true);
}
