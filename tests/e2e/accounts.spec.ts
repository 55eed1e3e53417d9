import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { startProduct, type Product } from '../../scripts/product.ts';
import { bookingDialog, toast } from './support/booking.ts';
import { addressOf, expect, forgetSession, password, signIn, someone, test } from './support/fixtures.ts';

test.describe('signing up', () => {
  test('welcomes a new client at home', async ({ page, product }) => {
    const address = someone('ruth');
    await page.goto('/?auth=1&mode=sign-up');
    await page.getByLabel('Full Name').fill('Ruth Amsel');
    await page.getByLabel('Email').fill(address);
    await page.getByLabel('Password', { exact: true }).fill('six666');
    await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
    await expectToast(page, 'Welcome to iTalk 🕊️', 'Please check your email to verify your account.');
    await expect(page).toHaveURL('/home');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ruth');
    const stored = await product.query('select role from profiles join users using (id) where email = $1', [
      address,
    ]);
    expect(stored).toEqual([{ role: 'client' }]);
  });
});

test.describe('signing in and out', () => {
  test('keeps what was typed before the page’s script ran', async ({ page }) => {
    const line = await page.context().newCDPSession(page);
    await line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 200_000,
      uploadThroughput: -1,
    });
    await page.goto('/?auth=1', { waitUntil: 'commit' });
    const submit = page.getByRole('button', { name: 'Sign In', exact: true });
    await page.getByLabel('Email').fill('early@italk.example');
    await page.getByLabel('Password', { exact: true }).fill('typed-early');
    await expect(submit).toBeDisabled();
    await expect(submit).toBeEnabled();
    await expect(page.getByLabel('Email')).toHaveValue('early@italk.example');
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('typed-early');
  });

  test('makes a client of an unknown address in the demo, greets, and takes leave', async ({
    page,
    product,
  }) => {
    const address = someone('miriam.stone');
    await page.goto('/');
    await page.getByRole('banner').getByRole('link', { name: 'Log In' }).click();
    await page.getByLabel('Email').fill(address);
    await page.getByLabel('Password', { exact: true }).fill('any-password');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expectToast(page, 'Welcome back! 🙏', 'You have successfully signed in.');
    await expect(page).toHaveURL('/home');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Miriam');
    await expect(page.getByRole('heading', { name: 'No upcoming appointments' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Schedule an Appointment' })).toBeVisible();
    const stored = await product.query('select role from profiles join users using (id) where email = $1', [
      address,
    ]);
    expect(stored).toEqual([{ role: 'client' }]);

    await page.goto('/');
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await expectToast(page, 'Signed out successfully', 'May peace be with you until we meet again.');
    // `/home` of a guest is the landing page.
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Log In' })).toBeVisible();
    // A known device keeps its own count of tries after signing out; nothing else stays.
    const names = (await page.context().cookies()).map(({ name }) => name);
    expect(names).toEqual([expect.stringMatching(/^italk\.device\./)]);
  });

  test('goes on as who has signed in, and doesn’t come back to the card', async ({ page }) => {
    const next = '/profile?tab=settings';
    await page.goto('/faq');
    await page.goto(`/?auth=1&next=${encodeURIComponent(next)}`);
    await page.getByLabel('Email').fill(someone());
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page).toHaveURL(next);
    const banner = page.getByRole('banner');
    await expect(banner.getByRole('button', { name: 'Sign Out' })).toBeVisible();
    await expect(banner.getByRole('link', { name: 'Log In' })).toHaveCount(0);
    await page.goto(`/?auth=1&next=${encodeURIComponent(next)}`);
    await expect(page).toHaveURL(next);
    await page.goBack();
    await page.goBack();
    await expect(page).toHaveURL('/faq');
  });

  test('says so when the server can’t be reached', async ({ page, expectNoise }) => {
    expectNoise(/ERR_INTERNET_DISCONNECTED/);
    // What asks again as soon as there is a network may ask after the session has ended.
    expectNoise(/status of 401|no valid credentials available/);
    await signIn(page, someone());
    await page.goto('/');
    const logout = page.getByRole('banner').getByRole('button', { name: 'Logout' });
    await expect(logout).toBeVisible();
    // Nothing was pressed before: not even what draws notifications has come.
    await page.context().setOffline(true);
    await logout.click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('Error signing out');
    await expect(alert).toContainText('We can’t reach the server right now.');
    await page.context().setOffline(false);
    await logout.click();
    await expectToast(page, 'Signed out successfully', /peace/);
    await expect(alert).toHaveCount(0);
  });

  test('after ten wrong passwords asks to wait, also with the right one', async ({ page, expectNoise }) => {
    expectNoise(/status of (401|429)/);
    const product = await startProduct();
    try {
      const attempt = (secret: string) =>
        page.request.post(`${product.url}/api/auth/sign-in/email`, {
          headers: { origin: product.url },
          data: { email: addressOf('client'), password: secret },
        });
      await page.goto(`${product.url}/?auth=1`);
      await page.getByLabel('Email').fill(addressOf('client'));
      await page.getByLabel('Password', { exact: true }).fill('wrong-password');
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      await expect(toast(page, 'Authentication Error')).toBeVisible();
      for (let more = 0; more < 9; more += 1) expect((await attempt('wrong-password')).status()).toBe(401);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      await expectToast(page, 'Authentication Error', /If it’s yours, open the link we’ve emailed you/);
      const refused = await attempt(password);
      expect(refused.status()).toBe(429);
      expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
      await openMail(page, addressOf('client'), 'was paused', product.url);
      await page.getByRole('link', { name: /\/unlock\?token=/ }).click();
      await expect(page.getByText('Sign-in is unlocked')).toBeVisible();
      await page.getByLabel('Email').fill(addressOf('client'));
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      await expectToast(page, 'Welcome back! 🙏', 'You have successfully signed in.');
    } finally {
      // A page that goes on loading would complain that its server is gone.
      await page.goto('about:blank');
      await product.stop();
    }
  });

  test('goes back to where the card was opened from, or to the start', async ({ page }) => {
    await page.goto('/services');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Log In' }).click();
    await page.getByRole('button', { name: 'Back to Home' }).click();
    await expect(page).toHaveURL('/services');
    await page.goto('/?auth=1');
    await page.getByRole('button', { name: 'Back to Home' }).click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { name: 'Core Services' })).toBeVisible();
  });
});

test.describe('mailed links', () => {
  test('a forgotten password is set anew, and what was interrupted goes on', async ({
    page,
    open,
    expectNoise,
    product,
  }) => {
    expectNoise(/status of (401|412)/);
    const address = someone('esther');
    const elsewhere = await open();
    await signIn(elsewhere, address);
    await page.goto('/service/grief');
    await page.getByRole('button', { name: 'Book Session with Dr. Sarah Whitfield' }).click();
    const prompt = page.getByRole('dialog', { name: "You're almost there!" });
    await prompt.getByLabel('Email').fill(address);
    await prompt.getByRole('button', { name: 'Forgot your password?' }).click();
    await expect(prompt.getByLabel('Email')).toHaveValue(address);
    await prompt.getByRole('button', { name: 'Send the Link' }).click();
    await expect(prompt.getByText(`If ${address} has an account, a link is on its way.`)).toBeVisible();

    await openMail(page, address, 'Choose a new password');
    await page.getByRole('link', { name: /\/reset-password\?token=/ }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set a new password');
    const link = page.url();
    await page.getByLabel('New Password').fill('a-better-one');
    await page.getByRole('button', { name: 'Save and Sign In' }).click();
    await expectToast(page, 'Welcome back! 🙏', /Your new password is set\./);
    await expect(page).toHaveURL('/service/grief');
    await expect(bookingDialog(page)).toContainText('with Dr. Sarah Whitfield');

    await test.step('every other session has ended', async () => {
      await elsewhere.goto(`${product.url}/home`);
      await expect(elsewhere).toHaveURL(`${product.url}/`);
    });
    await test.step('the old password is refused', async () => {
      const answer = await elsewhere.request.post(`${product.url}/api/auth/sign-in/email`, {
        headers: { origin: product.url },
        data: { email: address, password },
      });
      expect(answer.status()).toBe(401);
    });
    await test.step('the link works once', async () => {
      await elsewhere.goto(link);
      await elsewhere.getByLabel('New Password').fill('a-third-one');
      await elsewhere.getByRole('button', { name: 'Save and Sign In' }).click();
      await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
      await expect(elsewhere.getByText(/works for an hour, one in a welcome for 7 days\./)).toBeVisible();
      await expect(elsewhere.getByRole('button', { name: 'Send the Link' })).toBeVisible();
    });
  });

  test('a link followed in another browser lets whoever has the mail choose the password', async ({
    page,
    product,
    expectNoise,
  }) => {
    expectNoise(/status of 401/);
    const address = someone('noemi');
    await signUpWaiting(page, product, address);
    await forgetSession(page);
    await openMail(page, address, 'Please confirm your address');
    await page.getByRole('link', { name: /\/verify\?token=/ }).click();
    await expect(page).toHaveURL(/\/reset-password\?/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Finish creating your account');
    expect(await product.query('select id from users where email = $1', [address])).toEqual([]);
    await page.getByLabel('Full Name').fill('Noemi Adler');
    await page.getByLabel('Password', { exact: true }).fill('a-lamp-for-my-feet');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await expect(toast(page, 'Your account is ready')).toBeVisible();
    await expect(page).toHaveURL('/therapists');
    expect(await product.query('select name, email_verified from users where email = $1', [address])).toEqual(
      [{ name: 'Noemi Adler', email_verified: true }],
    );
  });

  test('an address is verified, signed in, and led on', async ({ page, product, expectNoise }) => {
    expectNoise(/status of (401|412)/);
    const address = someone('noah');
    await signUpWaiting(page, product, address);
    await openMail(page, address, 'Please confirm your address');
    await page.getByRole('link', { name: /\/verify\?token=/ }).click();
    await expectToast(page, 'Welcome back! 🙏', 'You have successfully signed in.');
    await expect(page).toHaveURL('/therapists');
    await expect(page.getByRole('banner').getByRole('button', { name: 'Sign Out' })).toBeVisible();
    expect(await product.query('select name, email_verified from users where email = $1', [address])).toEqual(
      [{ name: 'Noah Stern', email_verified: true }],
    );

    await page.goto('/verify?token=made-up');
    await expect(page).toHaveURL('/home');
    await forgetSession(page);
    await page.goto('/verify?token=made-up');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  });

  test('what is secret in the address of a mailed link is told to nobody else', async ({ page, product }) => {
    for (const path of ['/verify', '/reset-password', '/unsubscribe']) {
      const answer = await page.request.get(`${product.url}${path}?token=made-up`);
      expect(answer.headers(), path).toMatchObject({
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
    }
  });
});

test.describe('a guest who wants to book', () => {
  test('books after signing in', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Book Session for Comfort & Healing' }).click();
    const prompt = page.getByRole('dialog', { name: "You're almost there!" });
    await prompt.getByLabel('Email').fill(someone('lydia'));
    await prompt.getByLabel('Password', { exact: true }).fill(password);
    await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expectToast(page, 'Welcome back! 🙏', 'You have successfully signed in.');
    await expect(prompt).toBeHidden();
    await expect(bookingDialog(page)).toContainText('Comfort & Healing');
    await expect(page).toHaveURL('/');
  });
});

test('a session lives on with use, and ends after the idle time', async ({ page, product }) => {
  const email = someone('idle');
  await signIn(page, email);
  const of = `where user_id = (select id from users where email = $1)`;
  const idleSince = (minutes: number) =>
    product.query(`update sessions set updated_at = now() - make_interval(mins => $2) ${of}`, [
      email,
      minutes,
    ]);
  const me = async () => (await (await page.request.get('/api/me')).json()) as { email: string } | null;
  await idleSince(29);
  expect(await me()).toMatchObject({ email });
  const [session] = await product.query<{ left: number }>(
    `select extract(epoch from expires_at - now())::integer / 60 as left from sessions ${of}`,
    [email],
  );
  expect(session!.left).toBeGreaterThanOrEqual(29);
  await idleSince(31);
  expect(await me()).toBeNull();
});

test('/home says that it is loading until its script has come, and of a session that has ended leads to the start', async ({
  page,
  product,
}) => {
  const email = someone();
  await signIn(page, email);
  await page.goto('/about');
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/assets/client-dashboard*', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).first().click();
  await expect(page.getByText('Loading iTalk...')).toBeVisible();
  answer();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Welcome, /);
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

/** Opens the newest mail to an address in the tray, waiting for it to be written. */
async function openMail(page: Page, address: string, subject: string, at = ''): Promise<void> {
  await page.goto(`${at}/dev/mail`);
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

/** Signs up as in production and asks for the link; the demo confirms at once, so that it has to be brought about. */
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
