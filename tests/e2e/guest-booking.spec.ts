import type { Page } from '@playwright/test';
import { startProduct, type Product } from '../../scripts/product.ts';
import {
  becomeSpecialist,
  bookDirectly,
  bookingDialog,
  fill,
  offeredTimes,
  openBooking,
  openDays,
  openTimes,
  storedAppointments,
  toast,
  words,
  type Specialist,
} from './support/booking.ts';
import { call, expect, forgetSession, password, signIn, someone, test } from './support/fixtures.ts';
import { expectFocusKept, expectHoldsFocus, press, tabTo, typeInto } from './support/keyboard.ts';
import { expectFair, expectNoViolation, phone } from './support/look.ts';
import { mailsTo } from './support/mails.ts';

// Whether guests can book is the whole site's to say, so this product is nobody else's.
test.use({
  reducedMotion: 'reduce',
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const product = await startProduct({ env: { RATE_LIMIT_FACTOR: '1000' } });
      await letGuestsBook(product, true);
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

const prompt = (page: Page) => page.getByRole('dialog', { name: "You're almost there!" });
const asked = (page: Page) => page.getByRole('dialog', { name: 'Check your email' });
const withoutAccount = (page: Page) => prompt(page).getByRole('button', { name: 'Book without an account' });
const book = (page: Page) => page.getByRole('button', { name: 'Book this session' });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function letGuestsBook(product: Product, on: boolean): Promise<void> {
  await product.query('update site_settings set allow_guest_booking = $1', [on]);
}

/** Asks for a session past the screens; answers the path in the mail. */
async function askDirectly(
  page: Page,
  product: Product,
  specialist: Specialist,
  startsAt: string,
  email = someone('visitor'),
): Promise<string> {
  await call(page, '/api/booking-requests', {
    idempotencyKey: crypto.randomUUID(),
    providerId: specialist.id,
    serviceId: 'individuals',
    startsAt,
    durationMinutes: 60,
    sessionType: 'online',
    contact: { name: 'Ruth Lane', email },
    timeZone: 'America/Chicago',
  });
  return linkFor(product, email);
}

/** The path of the link in the last mail to an address that books, or signs in; waits until it is written. */
async function linkFor(product: Product, email: string, subject = 'session to confirm'): Promise<string> {
  let path = '';
  await expect(async () => {
    const mail = (await mailsTo(product, email)).find((one) => one.subject.includes(subject));
    path = /\/(booking|sign-in-link)#[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(path).not.toBe('');
  }).toPass();
  return path;
}

test('a guest books with name and address alone: nothing before the link is pressed, everything after it', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  test.slow();
  expectNoise(/status of (404|412)/);
  const specialist = await becomeSpecialist(await open(), product, { name: 'Dr. Ada Winter' });
  const email = someone('ruth');
  await openBooking(page, specialist);
  await expect(prompt(page).getByRole('heading', { name: 'Why create an account?' })).toBeVisible();
  await expectFair(page, 'the way in without an account', { dialog: prompt(page), dark: true });
  await withoutAccount(page).click();
  await expect(page).toHaveURL(`${product.url}/`);

  const dialog = bookingDialog(page);
  await openDays(dialog);
  // Series and waiting lists need an account.
  await expect(dialog.getByRole('radio', { name: 'Weekly', exact: true })).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Tell me' })).toHaveCount(0);
  const start = await fill(dialog, { monthsOn: 1 });
  const send = dialog.getByRole('button', { name: 'Send me the link' });
  await send.click();
  await expect(dialog.getByLabel('Full name')).toBeFocused();
  await dialog.getByLabel('Full name').fill('Ruth Lane');
  await dialog.getByLabel('Email').fill('ruth@nowhere');
  await send.click();
  await expect(dialog.getByLabel('Email')).toBeFocused();
  await expectFair(page, 'the booking of a guest', { dialog, dark: true });
  await dialog.getByLabel('Email').fill(someone('mistyped'));
  await send.click();

  // The wrong address: what was chosen and typed is still there.
  await asked(page).getByRole('button', { name: 'Use another address' }).click();
  await expect(dialog.getByLabel('Email')).toBeFocused();
  await expect(dialog.getByLabel('Full name')).toHaveValue('Ruth Lane');
  await expect(dialog.getByRole('region', { name: 'Appointment Summary' })).toContainText(words(start).time);
  await dialog.getByLabel('Email').fill(email);
  await send.click();
  await expect(asked(page)).toContainText(`We’ve sent a link to ${email}.`);
  await expectFair(page, 'what a guest does next', { dialog: asked(page), dark: true });
  await asked(page).getByRole('button', { name: 'Send again' }).click();
  await expect(toast(page, 'We’ve sent the link again')).toBeVisible();
  await asked(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const path = await linkFor(product, email);
  const asking: string[] = [];
  page.on('request', (request) => asking.push(request.url()));
  await page.goto(path);
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(heading(page, 'Confirm your session')).toBeVisible();
  // Whoever has the link can book: no server and no log reads it in an address.
  const token = path.slice(path.indexOf('#') + 1);
  expect(asking.filter((url) => new URL(url).href.replace(/#.*/, '').includes(token))).toEqual([]);
  await expect(page.getByRole('main')).toContainText(words(start).date);
  await expect(page.getByRole('main')).toContainText('Dr. Ada Winter');
  await expectFair(page, 'a session that waits to be booked', { dark: true });
  expect(await storedAppointments(product, { specialist: specialist.email })).toEqual([]);

  await book(page).click();
  await expect(toast(page, 'Appointment booked with Dr. Ada Winter!')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/home`);
  const card = page.getByRole('article', { name: 'Dr. Ada Winter' });
  await expect(card).toContainText(words(start).time);
  expect(await storedAppointments(product, { client: email })).toMatchObject([
    { status: 'confirmed', startsAt: new Date(start).toISOString(), contactName: 'Ruth Lane' },
  ]);

  // Another day, on another device.
  await forgetSession(page);
  await page.goto(path);
  await expect(heading(page, 'This link was already used')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('Ada Winter');
  await expectFair(page, 'a booking link that was used', { dark: true });
  await page.getByRole('link', { name: 'Email me a sign-in link' }).click();
  await page.getByLabel('Email').fill(email);
  await expectFair(page, 'asking for a sign-in link', { dark: true });
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(page.getByText('Its link works once, for one hour.')).toBeVisible();
  const back = await linkFor(product, email, 'Sign in to');
  await page.goto(back);
  const enter = page.getByRole('button', { name: 'Sign In', exact: true });
  await expect(enter).toBeVisible();
  await expectFair(page, 'a sign-in link', { dark: true });
  await enter.click();
  await expect(page).toHaveURL(`${product.url}/home`);
  await card.getByRole('button', { name: /^Actions for the appointment/ }).click();
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel appointment' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await page.goto(path);
  await expect(heading(page, 'This link was already used')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'To your home page' }).click();
  await expect(page).toHaveURL(`${product.url}/home`);
  await forgetSession(page);
  await page.goto(back);
  await enter.click();
  await expect(heading(page, 'This link no longer works')).toBeVisible();
  await expectFair(page, 'a sign-in link that was used', { dark: true });

  // A link that an earlier release mailed leads to the same page.
  await page.goto('/booking/not-a-link');
  await expect(page).toHaveURL(`${product.url}/booking#not-a-link`);
  await expect(heading(page, 'We couldn’t find this booking')).toBeVisible();
  await expectFair(page, 'a link that isn’t whole', { dark: true });
});

test('a guest books by keyboard alone on a phone, and sets a password later', async ({ open, product }) => {
  test.slow();
  const specialist = await becomeSpecialist(await open(), product, { name: 'Dr. Olga Brand' });
  const page = await open({ viewport: phone });
  const email = someone('keys');
  await openBooking(page, specialist);
  await expectHoldsFocus(prompt(page));
  await press(page, withoutAccount(page));
  const dialog = bookingDialog(page);
  await expectHoldsFocus(dialog);
  await press(page, dialog.getByRole('button', { name: 'Next month' }));
  await openDays(dialog);
  await page.keyboard.press('Tab');
  for (
    let steps = 0;
    steps < 7 && (await dialog.locator('td button:focus:enabled').count()) === 0;
    steps += 1
  )
    await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await press(page, (await openTimes(dialog)).first(), 'Space');
  await press(page, dialog.getByRole('radio', { name: /Online Video Call/ }), 'Space');
  await typeInto(page, dialog.getByLabel('Full name'), 'Esther Vale');
  await typeInto(page, dialog.getByLabel('Email'), email);
  await page.keyboard.press('Enter');
  await expectHoldsFocus(asked(page));
  await press(page, asked(page).getByRole('button', { name: 'Done' }));
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.goto(await linkFor(product, email));
  await expect(book(page)).toBeEnabled();
  await press(page, book(page));
  await expect(page).toHaveURL(`${product.url}/home`);
  await expect(page.getByRole('article', { name: 'Dr. Olga Brand' })).toBeVisible();

  await page.goto('/profile?tab=settings');
  const card = page.getByRole('region', { name: 'Password', exact: true });
  await press(page, card.getByRole('button', { name: 'Set a password' }));
  await expect(card).toContainText(`A link is on its way to ${email}.`);
  await expectFair(page, 'an account without a password', { dark: true });
  let reset = '';
  await expect(async () => {
    const mail = (await mailsTo(product, email)).find(({ text }) => text.includes('/reset-password'));
    reset = /\/reset-password\?\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(reset).not.toBe('');
  }).toPass();
  await page.goto(reset);
  const choose = page.getByLabel('New Password', { exact: true });
  await expect(page.getByRole('button', { name: 'Save and Sign In' })).toBeEnabled();
  await tabTo(page, choose);
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/profile\?tab=settings/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(card.getByRole('button', { name: 'Change Password' })).toBeVisible();
});

test('a time that somebody else has taken meanwhile is told with the next ones, of which one press takes another', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 409/);
  const other = await open();
  const specialist = await becomeSpecialist(await open(), product, { name: 'Dr. Ida Elsing' });
  const [, , taken] = await offeredTimes(page, product, specialist);
  const email = someone('late');
  const path = await askDirectly(page, product, specialist, taken!, email);
  await signIn(other, someone('faster'));
  await bookDirectly(other, specialist, taken!);

  await page.goto(path);
  await book(page).click();
  const problem = page.getByRole('alert').filter({ hasText: 'That time has just been taken' });
  await expect(problem).toContainText('Nothing was booked.');
  await expectFair(page, 'a time that is taken', { dark: true });
  const next = problem.getByRole('button').first();
  await next.click();
  await expect(book(page)).toBeFocused();
  await expect(page.getByText('You’ve chosen this time instead.')).toBeVisible();
  const chosen = (await page.getByRole('main').locator('time').getAttribute('datetime'))!;
  expect(new Date(chosen).getTime()).not.toBe(new Date(taken!).getTime());
  await book(page).click();
  await expect(page).toHaveURL(`${product.url}/home`);
  expect(await storedAppointments(product, { client: email })).toMatchObject([
    { startsAt: new Date(chosen).toISOString(), status: 'confirmed' },
  ]);
});

test('whoever has an account signs in before a link books for it, and nobody else can', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  test.slow();
  // What the device keeps of sessions may be asked for while its person signs out.
  expectNoise(/status of 401/);
  const specialist = await becomeSpecialist(await open(), product, { name: 'Dr. Hedda Lorne' });
  const [, , start] = await offeredTimes(page, product, specialist);
  const email = someone('known');
  await signIn(page, email);
  await forgetSession(page);
  const path = await askDirectly(page, product, specialist, start!, email);

  await page.goto(path);
  await expect(heading(page, 'You already have an account')).toBeVisible();
  await expect(book(page)).toHaveCount(0);
  await expectFair(page, 'a link of somebody with an account', { dark: true });
  // Another client is signed in on this device.
  await signIn(page, 'client');
  await page.reload();
  await expect(heading(page, 'You’re signed in to another account')).toBeVisible();
  await expectFair(page, 'a link of somebody else', { dark: true });
  await page.getByRole('main').getByRole('button', { name: 'Log out' }).click();
  await expect(heading(page, 'You already have an account')).toBeFocused();
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await prompt(page).getByLabel('Email').fill(email);
  await prompt(page).getByLabel('Password', { exact: true }).fill(password);
  await prompt(page).getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(heading(page, 'Confirm your session')).toBeFocused();
  await book(page).click();
  await expect(page).toHaveURL(`${product.url}/home`);
  await expect(page.getByRole('article', { name: 'Dr. Hedda Lorne' })).toBeVisible();

  await forgetSession(page);
  await page.goto(path);
  await expect(heading(page, 'This link was already used')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(prompt(page)).toBeVisible();
});

test('where everybody needs a second step, no link opens an account: a password is chosen first', async ({
  page,
  open,
  product,
}) => {
  const specialist = await becomeSpecialist(await open(), product, { name: 'Dr. Nora Ashby' });
  const [, , start] = await offeredTimes(page, product, specialist);
  const email = someone('careful');
  await product.query(
    `update feature_flags set enabled = true, scope = 'global' where id = 'two_factor_authentication'`,
  );
  await product.query('update site_settings set require_two_factor = true');
  try {
    await page.goto(await askDirectly(page, product, specialist, start!, email));
    await book(page).click();
    await expect(heading(page, 'Set a new password')).toBeVisible();
    await expect(toast(page, 'Choose a password to continue')).toBeVisible();
    expect(await storedAppointments(product, { client: email })).toMatchObject([{ status: 'confirmed' }]);
    // Nobody is signed in before that.
    await page.goto('/');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Log In' })).toBeVisible();
  } finally {
    await product.query('update site_settings set require_two_factor = false');
  }
});

test('a link that is too late leads to a new booking; once guests can’t book, no way does', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 403/);
  const specialist = await becomeSpecialist(await open(), product, { name: 'Dr. Vera Halloway' });
  const [, , first, second] = await offeredTimes(page, product, specialist);
  const late = await askDirectly(page, product, specialist, first!, someone('slow'));
  await product.query(
    `update booking_requests set created_at = now() - interval '2 days', expires_at = now() - interval '1 day'`,
  );
  await page.goto(late);
  await expect(heading(page, 'This link has expired')).toBeVisible();
  await expectFair(page, 'a link that came too late', { dark: true });
  const anew = page.getByRole('button', { name: 'Book again' });
  await expect(anew).toBeEnabled();
  await anew.press('Enter');
  await withoutAccount(page).click();
  await expectHoldsFocus(bookingDialog(page));

  const pending = await askDirectly(page, product, specialist, second!, someone('patient'));
  // Another page, whose dialog is closed.
  await page.goto('about:blank');
  await page.goto(`${product.url}${pending}`);
  await expect(book(page)).toBeEnabled();
  await letGuestsBook(product, false);
  try {
    await expect(async () => {
      await book(page).click();
      await expect(heading(page, 'Booking now requires an account')).toBeFocused();
    }).toPass();
    await expectFocusKept(page);
    await expectFair(page, 'a link where guests can’t book any more', { dark: true });
    await expect(async () => {
      await openBooking(page, specialist);
      await expect(prompt(page)).toBeVisible();
      await expect(withoutAccount(page)).toHaveCount(0, { timeout: 500 });
    }).toPass();
    await expectNoViolation(page, 'the way in');
  } finally {
    await letGuestsBook(product, true);
  }
  expect(await storedAppointments(product, { specialist: specialist.email })).toEqual([]);
});
