import {
  becomeSpecialist,
  bookingDialog,
  confirm,
  confirmedDialog,
  fill,
  openBooking,
  openDays,
  openTimes,
  storedAppointments,
  words,
} from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';

/** Client spec, section 9: every half hour, but for the one from one to two. */
const eighteenTimes = [
  '09:00 AM',
  '09:30 AM',
  '10:00 AM',
  '10:30 AM',
  '11:00 AM',
  '11:30 AM',
  '12:00 PM',
  '12:30 PM',
  '02:00 PM',
  '02:30 PM',
  '03:00 PM',
  '03:30 PM',
  '04:00 PM',
  '04:30 PM',
  '05:00 PM',
  '05:30 PM',
  '06:00 PM',
  '06:30 PM',
];

test('every Book Session opens the dialog for its own specialist', async ({ page, product }) => {
  const names = await product.query<{ name: string }>(
    `select full_name as name from providers join profiles using (id)
     join provider_services on provider_id = providers.id
     where listed and service_id = 'grief' order by position, full_name, profiles.id`,
  );
  const [first, second] = names.map(({ name }) => name);
  await signIn(page, someone());
  const expectWith = async (name: string) => {
    await expect(bookingDialog(page)).toContainText(`with ${name}`);
    await bookingDialog(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(bookingDialog(page)).toBeHidden();
  };
  await page.goto('/services');
  await page.getByRole('button', { name: 'Book Session for Comfort & Healing' }).click();
  await expectWith(first!);
  await page.goto('/service/grief');
  await page.getByRole('button', { name: `Book Session with ${second}` }).click();
  await expectWith(second!);
  await page.getByRole('button', { name: 'Book Session Now' }).click();
  await expectWith(first!);
  await page.goto('/therapists');
  await page.getByRole('button', { name: `Book Session with ${second}` }).click();
  await expectWith(second!);
});

test('an empty day of half-hour sessions has the eighteen times', async ({ open, product }) => {
  const ada = await becomeSpecialist(await open(), product);
  const page = await open({ timezoneId: 'America/New_York' });
  await signIn(page, someone());
  const dialog = await openBooking(page, ada);
  await dialog.getByRole('button', { name: 'Next month' }).click();
  await dialog.getByRole('radio', { name: '30 minutes' }).check();
  // Of the first day some hours may be too soon, when the month begins tomorrow.
  await (await openDays(dialog)).nth(1).click();
  await openTimes(dialog);
  const labels = dialog.getByRole('radiogroup', { name: /^Time/ }).locator('label');
  await expect(labels).toHaveText(eighteenTimes);
  // Noon is twelve o'clock, and every label the specialist's own wall clock.
  const starts = await (
    await openTimes(dialog)
  ).evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  expect(starts.map((start) => words(start, 'America/New_York').time)).toEqual(eighteenTimes);
});

test('a booking dialog begins afresh after a booking', async ({ page, open, product }) => {
  const ada = await becomeSpecialist(await open(), product);
  const client = someone();
  await signIn(page, client);
  await product.query(`notify pages`);
  await page.goto('/therapists');
  const book = page.getByRole('button', { name: `Book Session with ${ada.name}` }).first();
  await book.click();
  const dialog = bookingDialog(page);
  const summary = dialog.getByRole('region', { name: 'Appointment Summary' });
  await dialog.getByLabel('Service').selectOption({ label: 'Individual Healing' });
  await fill(dialog);
  await dialog.getByRole('textbox', { name: 'Phone' }).fill('+1 555 010 0144');
  await dialog.getByRole('radio', { name: 'Biweekly' }).check();
  await dialog.getByLabel('Number of sessions').selectOption('2');
  await confirm(dialog);
  await confirmedDialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const days = (await storedAppointments(product, { client })).map(({ startsAt }) => startsAt.slice(0, 10));
  const apart = Temporal.PlainDate.from(days[0]!).until(days[1]!).days;
  expect([days.length, apart]).toEqual([2, 14]);

  await book.click();
  await openDays(dialog);
  await expect(dialog.getByRole('radiogroup', { name: /^Time/ })).toHaveCount(0);
  await expect(dialog.getByRole('radio', { name: 'One-time' })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: /Online Video Call/ })).not.toBeChecked();
  await expect(dialog.getByRole('textbox', { name: 'Phone' })).toHaveValue('');
  await expect(summary).toHaveText('');
});
