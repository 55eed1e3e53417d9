import {
  becomeSpecialist,
  confirm,
  confirmedDialog,
  fill,
  openBooking,
  storedAppointments,
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
