import type { Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import {
  becomeSpecialist,
  bookDirectly,
  bookingDialog,
  openBooking,
  readToast,
  storedAppointments,
  toast,
  words,
} from './support/booking.ts';
import { call, expect, signIn, someone, test } from './support/fixtures.ts';
import { phone } from './support/look.ts';
import { mailsTo } from './support/mails.ts';

const day = 86_400_000;

/** Creates a specialist with one hour a week, in three days at 10 AM New York time; returns the next times. */
async function oneHourAWeek(page: Page, product: Product, name: string) {
  const specialist = await becomeSpecialist(page, product, { name });
  const inThreeDays = new Date(Date.now() + 3 * day);
  const weekday = inThreeDays.getUTCDay() || 7;
  await product.query('delete from weekly_hours where provider_id = $1', [specialist.id]);
  await product.query(
    `insert into weekly_hours (provider_id, weekday, from_time, to_time) values ($1, $2, '10:00', '11:00')`,
    [specialist.id, weekday],
  );
  const query = new URLSearchParams({
    from: new Date().toISOString(),
    to: new Date(Date.now() + 40 * day).toISOString(),
    durationMinutes: '60',
  });
  const answer = await page.request.get(
    `${product.url}/api/specialists/${specialist.id}/free-starts?${query}`,
  );
  const { starts } = (await answer.json()) as { starts: string[] };
  return { specialist, starts };
}

function dateAfter(instant: string, days: number): string {
  return new Date(Date.parse(instant) + days * day).toISOString().slice(0, 10);
}

const offers = (page: Page) => page.getByRole('region', { name: 'A time has opened for you' });
const waiting = (page: Page) => page.getByRole('region', { name: 'My waiting list' });

test(
  'offers an opening to the first person waiting, then moves the next one’s appointment there',
  { tag: '@long' },
  async ({ page: first, open, product, expectNoise }) => {
    expectNoise(/status of 409/);
    const theirs = await open();
    const { specialist, starts } = await oneHourAWeek(theirs, product, 'Dr. Lena Storm');
    const holder = await open();
    await signIn(holder, someone('holder'));
    const taken = await bookDirectly(holder, specialist, starts[0]!);

    const firstAddress = someone('first');
    await signIn(first, firstAddress);
    const booking = await openBooking(first, specialist);
    await booking.getByRole('button', { name: 'Tell me when a time opens' }).click();
    const dialog = first.getByRole('dialog', { name: 'Tell me when a time opens' });
    await dialog.getByRole('button', { name: 'Join waiting list' }).click();
    await expect(dialog.getByRole('alert')).toContainText('A time that works for you is already open');
    await dialog.getByLabel('Until').fill(dateAfter(starts[0]!, 2));
    await dialog.getByRole('button', { name: 'Join waiting list' }).click();
    await readToast(first, 'You’re on the waiting list');
    await bookingDialog(first).getByRole('button', { name: 'Cancel' }).click();

    const second = await open({ viewport: phone });
    await signIn(second, someone('second'));
    await bookDirectly(second, specialist, starts[1]!);
    await second.goto('/home');
    const card = second.getByRole('article', { name: specialist.name });
    await card.getByRole('button', { name: /^Actions for the appointment/ }).click();
    await second.getByRole('menuitem', { name: 'Ask for an earlier time' }).click();
    const earlier = second.getByRole('dialog', { name: 'Ask for an earlier time' });
    await earlier.getByRole('button', { name: 'Join waiting list' }).click();
    await expect(earlier).toHaveCount(0);
    await expect(waiting(second)).toContainText(specialist.name);
    await first.goto('/home');
    await expect(waiting(first)).toContainText(specialist.name);
    await theirs.goto('/home');
    await expect(theirs.getByText('2 people are on your waiting list.')).toBeVisible();

    await call(holder, `/api/appointments/${taken}/cancel`, {});
    await expect(offers(first)).toContainText(words(starts[0]!).shortDate);
    await expect(offers(second)).toHaveCount(0);
    const mails = () => mailsTo(product, firstAddress);
    const opened = 'iTalk Health time available';
    await expect
      .poll(async () => (await mails()).some(({ subject }) => subject.startsWith(opened)))
      .toBe(true);
    const mail = (await mails()).find(({ subject }) => subject.startsWith(opened))!;
    // Email scanners open links, so opening one must not book anything.
    const [link] = mail.text.match(/https?:\/\/\S+\/home\S*/)!;
    await first.goto(new URL(link).pathname);
    await expect(offers(first)).toBeVisible();
    expect(await storedAppointments(product, { client: firstAddress })).toEqual([]);

    await offers(first).getByRole('button', { name: 'Not this time' }).click();
    await readToast(first, 'Offer declined');
    await expect(offers(first)).toHaveCount(0);
    await expect(offers(second)).toContainText(`on ${words(starts[1]!).shortDate}`);
    await offers(second).getByRole('button', { name: 'Take this time' }).click();
    await expect(toast(second, 'The time is yours')).toBeVisible();
    await expect(card).toContainText(words(starts[0]!).shortDate);
    await expect(waiting(second)).toHaveCount(0);
    await expect(waiting(first)).toContainText(specialist.name);
  },
);
