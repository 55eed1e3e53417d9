import type { Page } from '@playwright/test';
import {
  becomeSpecialist,
  bookDirectly,
  bookingDialog,
  chooseTime,
  confirm,
  confirmedDialog,
  fill,
  offeredTimes,
  openBooking,
  openDays,
  openTimes,
  storedAppointments,
  toast,
  words,
} from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';

const kept = 'Nothing was booked, and what you filled in is still here.';

test.beforeEach(({ expectNoise }) => {
  // The browser notes every answer that refuses.
  expectNoise(/status of (400|409|412)/);
});

test('a time that was taken meanwhile is refused, and one of the next is booked', async ({
  page,
  open,
  product,
}) => {
  const ada = await becomeSpecialist(await open(), product);
  const client = someone();
  await signIn(page, client);
  const dialog = await openBooking(page, ada);
  const start = await fill(dialog);
  await dialog.getByRole('textbox', { name: 'Phone' }).fill('+1 555 010 0199');

  const faster = await open();
  await signIn(faster, someone('faster'));
  const theirs = await openBooking(faster, ada);
  expect(await fill(theirs)).toBe(start);
  await confirm(theirs);
  await expect(confirmedDialog(faster)).toBeVisible();

  await confirm(dialog);
  const refusal = dialog.getByRole('alert').filter({ hasText: 'That time has just been taken' });
  await expect(refusal).toContainText(`${kept} Please choose another time.`);
  await expect(refusal).toContainText('The next open times:');
  await expect(dialog.getByRole('textbox', { name: 'Phone' })).toHaveValue('+1 555 010 0199');
  expect(await storedAppointments(product, { client })).toEqual([]);

  const next = refusal.getByRole('button').first();
  const label = (await next.textContent())!;
  await next.click();
  await expect(dialog.getByRole('button', { name: 'Confirm Appointment' })).toBeFocused();
  await confirm(dialog);
  await expect(confirmedDialog(page)).toBeVisible();
  const [booked, ...others] = await storedAppointments(product, { client });
  expect(others).toEqual([]);
  const { shortDate, time } = words(booked!.startsAt);
  expect(label).toBe(`${shortDate}, ${time}`);
});

test('each refusal has its own plain sentence', async ({ page, open, product }) => {
  test.slow();
  const [settings] = await product.query<{ notice: number; maximum: number }>(
    'select booking_advance_notice as notice, max_daily_bookings as maximum from site_settings',
  );
  const set = (column: 'booking_advance_notice' | 'max_daily_bookings', value: number) =>
    product.query(`update site_settings set ${column} = $1`, [value]);
  const choose = async (where: Page, specialist: { id: string }, when = {}) => {
    const dialog = await openBooking(where, specialist);
    const start = await fill(dialog, when);
    await dialog.getByLabel('Full name').fill('Faithful Visitor');
    return start;
  };
  const refused = async (where: Page, title: string, advice: string) => {
    const dialog = bookingDialog(where);
    await confirm(dialog);
    await expect(dialog.getByRole('alert')).toContainText(`${title}${kept} ${advice}`);
    await expect(dialog.getByLabel('Full name')).toHaveValue('Faithful Visitor');
  };

  const admin = await open();
  const client = someone();
  await signIn(page, client);
  const other = await open();
  await signIn(other, someone());
  // It is noon for this one, who begins at the next full minute; by then their visitor has waited too long.
  const zone = zoneOfNoon();
  const soon = await becomeSpecialist(admin, product, { name: 'Dr. Soon', timeZone: zone });
  const ada = await becomeSpecialist(admin, product, { name: 'Dr. Full' });
  const eve = await becomeSpecialist(admin, product, { name: 'Dr. Eve' });
  const late = await open();
  await signIn(late, someone('late'));

  try {
    await set('booking_advance_notice', 0);
    const begin = new Date(Math.ceil((Date.now() + 12_000) / 60_000) * 60_000);
    await product.query('insert into date_exceptions values ($1, $2, $3)', [
      soon.id,
      new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(begin),
      JSON.stringify([{ from: clock(begin, zone), to: '23:30' }]),
    ]);
    expect(new Date(await choose(late, soon, { day: 0 })).toISOString()).toBe(begin.toISOString());

    await test.step('too little notice', async () => {
      await choose(page, ada);
      await set('booking_advance_notice', 720);
      await refused(page, 'Sessions are booked at least 720 hours ahead', 'Please choose a later time.');
      await set('booking_advance_notice', settings!.notice);
    });
    await test.step('a Sunday without hours', async () => {
      await product.query(`insert into weekly_hours values ($1, 7, '09:00', '12:00')`, [ada.id]);
      const dialog = await openBooking(page, ada);
      await openDays(dialog);
      await dialog.getByRole('button', { name: 'Next month' }).click();
      const sundays = dialog.getByRole('grid').getByRole('button', { name: /Sunday/ });
      await sundays.and(page.locator(':enabled')).first().click();
      await (await openTimes(dialog)).first().check();
      await dialog.getByRole('radio', { name: /Phone Call/ }).check();
      await dialog.getByRole('textbox', { name: 'Phone' }).fill('+1 617 555 0100');
      await dialog.getByLabel('Full name').fill('Faithful Visitor');
      // What is offered isn't asked for again before it is refused.
      let goOn = () => {};
      const held = new Promise<void>((resolve) => (goOn = resolve));
      await page.route(/\/free-starts/, async (route) => {
        await held;
        await route.continue();
      });
      await product.query('delete from weekly_hours where provider_id = $1 and weekday = 7', [ada.id]);
      await refused(page, 'Dr. Full has no hours at that time', 'Please choose another time.');
      goOn();
      for (const sunday of await sundays.all()) await expect(sunday).toBeDisabled();
    });
    await test.step('a full day', async () => {
      const start = await choose(page, ada);
      const sameDay = (await offeredTimes(other, product, ada)).filter(
        (time) => words(time).date === words(start).date,
      );
      await set('max_daily_bookings', 1);
      await bookDirectly(other, ada, sameDay.at(-1)!);
      await refused(page, 'Dr. Full is fully booked on that day', 'Please choose another day.');
      await set('max_daily_bookings', settings!.maximum);
    });
    expect(await storedAppointments(product, { client })).toEqual([]);
    await test.step('another session of one’s own', async () => {
      const start = await choose(page, eve, { monthsOn: 2 });
      const rival = await open();
      await signIn(rival, client);
      const id = await bookDirectly(rival, ada, start);
      await refused(
        page,
        'You already have a session at that time',
        'Please choose another time, or move the other session first.',
      );
      expect(await storedAppointments(product, { client })).toMatchObject([{ id }]);
    });
    await test.step('a start that has passed', async () => {
      await set('booking_advance_notice', 0);
      await expect.poll(() => Date.now() > begin.getTime() + 500, { timeout: 75_000 }).toBe(true);
      await refused(late, 'That time has already passed', 'Please choose a later time.');
      expect(await storedAppointments(product, { specialist: soon.email })).toEqual([]);
    });
  } finally {
    await set('booking_advance_notice', settings!.notice);
    await set('max_daily_bookings', settings!.maximum);
  }
});

test('what is missing is said and marked, and a double click books once', async ({ page, open, product }) => {
  const ada = await becomeSpecialist(await open(), product);
  const client = someone();
  await signIn(page, client);
  const dialog = await openBooking(page, ada);
  const days = await openDays(dialog);
  await dialog.getByLabel('Full name').fill('');
  await dialog.getByLabel('Email').fill('');
  await confirm(dialog);
  await expect(toast(page, 'Please fill in all required fields.')).toBeVisible();
  for (const text of [
    'Please choose a date.',
    'Please choose how you’d like to meet.',
    'Please enter your name.',
    'Please enter your email address.',
  ]) {
    await expect(dialog.getByText(text)).toBeVisible();
  }
  await expect(dialog.getByLabel('Full name')).toHaveAttribute('aria-invalid', 'true');
  await expect(days.first()).toBeFocused();

  await chooseTime(dialog);
  await dialog.getByRole('radio', { name: /Phone Call/ }).check();
  await dialog.getByLabel('Full name').fill('Ruth Everly');
  await confirm(dialog);
  await expect(dialog.getByText('Please enter the number your specialist should call.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Phone' }).fill('+1 617 555 0100');
  await dialog.getByLabel('Email').fill('ruth at home');
  await confirm(dialog);
  await expect(dialog.getByText('Please enter an email address like name@example.com.')).toBeVisible();
  await expect(dialog.getByLabel('Email')).toBeFocused();
  expect(await storedAppointments(product, { client })).toEqual([]);

  await dialog.getByLabel('Email').fill('ruth@home.example');
  await dialog.getByRole('button', { name: 'Confirm Appointment' }).dblclick();
  await expect(confirmedDialog(page)).toBeVisible();
  expect(await storedAppointments(product, { client })).toMatchObject([{ contactName: 'Ruth Everly' }]);
});

test('days that are past or have no open time can’t be chosen', async ({ page, open, product }) => {
  const ada = await becomeSpecialist(await open(), product);
  await product.query('delete from weekly_hours where provider_id = $1 and weekday <> 3', [ada.id]);
  await signIn(page, someone());
  const dialog = await openBooking(page, ada);
  for (const day of await (await openDays(dialog)).all()) await expect(day).toHaveAccessibleName(/Wednesday/);
  const previous = dialog.getByRole('button', { name: 'Previous month' });
  // At the end of a month the next one is shown at once.
  if ((await previous.getAttribute('aria-disabled')) !== 'true') await previous.click();
  await expect(previous).toHaveAttribute('aria-disabled', 'true');
});

/** A zone in which it is about noon now. */
function zoneOfNoon(): string {
  const behind = new Date().getUTCHours() - 12;
  if (behind === 0) return 'UTC';
  return behind > 0 ? `Etc/GMT+${behind}` : `Etc/GMT-${-behind}`;
}

function clock(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at);
}
