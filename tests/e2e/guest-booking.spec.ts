import type { Page } from '@playwright/test';
import { startProduct, type Product } from '../../scripts/product.ts';
import {
  becomeSpecialist,
  bookingDialog,
  fill,
  openBooking,
  storedAppointments,
  toast,
  words,
} from './support/booking.ts';
import { expect, forgetSession, someone, test } from './support/fixtures.ts';
import { mailsTo } from './support/mails.ts';

// Guest booking is a site setting, so this test gets its own product.
test.use({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const product = await startProduct({ env: { RATE_LIMIT_FACTOR: '1000' } });
      await product.query('update site_settings set allow_guest_booking = true');
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function linkFor(product: Product, email: string, subject = 'session to confirm'): Promise<string> {
  let path = '';
  await expect(async () => {
    const mail = (await mailsTo(product, email)).find((one) => one.subject.includes(subject));
    path = /\/(booking|sign-in-link)#[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(path).not.toBe('');
  }).toPass();
  return path;
}

test('books for a guest by name and email, only once they confirm the emailed link', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of (404|412)/);
  const specialist = await becomeSpecialist(await open(), product, { name: 'Dr. Ada Winter' });
  const email = someone('ruth');
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  const asked = page.getByRole('dialog', { name: 'Check your email' });
  await openBooking(page, specialist);
  await prompt.getByRole('button', { name: 'Book without an account' }).click();

  const dialog = bookingDialog(page);
  const start = await fill(dialog, { monthsOn: 1 });
  const send = dialog.getByRole('button', { name: 'Send me the link' });
  await dialog.getByLabel('Full name').fill('Ruth Lane');
  await dialog.getByLabel('Email').fill(email);
  await send.click();
  await expect(asked).toContainText(`We sent a link to ${email}.`);
  await asked.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(`${product.url}/`);

  const path = await linkFor(product, email);
  const asking: string[] = [];
  page.on('request', (request) => asking.push(request.url()));
  await page.goto(path);
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(heading(page, 'Confirm your session')).toBeVisible();
  // The link's token grants the booking, so no server or log may see it in a URL.
  const token = path.slice(path.indexOf('#') + 1);
  expect(asking.filter((url) => new URL(url).href.replace(/#.*/, '').includes(token))).toEqual([]);
  await expect(page.getByRole('main')).toContainText(words(start).date);
  await expect(page.getByRole('main')).toContainText('Dr. Ada Winter');
  expect(await storedAppointments(product, { specialist: specialist.email })).toEqual([]);

  await page.getByRole('button', { name: 'Book this session' }).click();
  await expect(toast(page, 'Appointment booked with Dr. Ada Winter!')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/home`);
  const card = page.getByRole('article', { name: 'Dr. Ada Winter' });
  await expect(card).toContainText(words(start).time);
  await expect
    .poll(() => storedAppointments(product, { client: email }))
    .toMatchObject([
      { status: 'confirmed', startsAt: new Date(start).toISOString(), contactName: 'Ruth Lane' },
    ]);

  await forgetSession(page);
  await page.goto(path);
  await expect(heading(page, 'This link was already used')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('Ada Winter');
  await page.getByRole('link', { name: 'Email me a sign-in link' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(page.getByText('Its link works once, for 10 minutes.')).toBeVisible();
  const back = await linkFor(product, email, 'Sign in to');
  await page.goto(back);
  const enter = page.getByRole('button', { name: 'Sign In', exact: true });
  await expect(enter).toBeVisible();
  await enter.click();
  await expect(page).toHaveURL(`${product.url}/home`);
  await forgetSession(page);
  await page.goto(back);
  await enter.click();
  await expect(heading(page, 'This link no longer works')).toBeVisible();

  // Links emailed by earlier releases open the same page.
  await page.goto('/booking/not-a-link');
  await expect(page).toHaveURL(`${product.url}/booking#not-a-link`);
  await expect(heading(page, 'We couldn’t find this booking')).toBeVisible();
});
