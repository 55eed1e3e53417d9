import {
  becomeSpecialist,
  bookingDialog,
  confirmedDialog,
  openTimes,
  storedAppointments,
  words,
} from './support/booking.ts';
import { expect, password, someone, test } from './support/fixtures.ts';
import { expectFocusSeen, tabTo } from './support/keyboard.ts';
import { phone } from './support/look.ts';

test('completes a booking by keyboard alone on a phone', { tag: '@long' }, async ({ open, product }) => {
  const ada = await becomeSpecialist(await open(), product, { name: 'Dr. Kezia Marsh' });
  const page = await open({ viewport: phone });
  const keys = page.keyboard;
  const client = someone('keys');
  await page.goto(`/therapists/specialist-${ada.id}`);
  await keys.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  const book = page
    .getByRole('main')
    .getByRole('button', { name: /^Book Session/ })
    .first();
  await tabTo(page, book);
  await keys.press('Enter');

  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect(prompt.locator(':focus')).toBeVisible();
  await tabTo(page, prompt.getByLabel('Email'));
  await keys.type(client);
  await keys.press('Tab');
  await keys.type(password);
  await keys.press('Enter');

  const dialog = bookingDialog(page);
  await expect(dialog.getByLabel('Full name')).toBeVisible();
  await expect(dialog.locator(':focus')).toBeVisible();
  await tabTo(page, dialog.getByLabel('Service'));
  await keys.type('Individual');
  await expect(dialog.getByLabel('Service')).toHaveValue('individuals');

  const nextMonth = dialog.getByRole('button', { name: 'Next month' });
  await tabTo(page, nextMonth);
  await keys.press('Enter');
  await expect(nextMonth).toBeFocused();
  const openDays = dialog.getByRole('grid').locator('button:enabled');
  await expect(openDays.first()).toBeVisible();
  await keys.press('Tab');
  await expect(dialog.getByRole('grid').locator(':focus')).toBeVisible();
  for (
    let steps = 0;
    steps < 7 && (await dialog.locator('td button:focus:enabled').count()) === 0;
    steps += 1
  ) {
    await keys.press('ArrowRight');
  }
  await expectFocusSeen(page);
  await keys.press('ArrowDown');
  await keys.press('ArrowUp');
  await keys.press('Enter');

  const times = await openTimes(dialog);
  await tabTo(page, times.first());
  await keys.press('Space');
  await expect(times.first()).toBeChecked();
  await keys.press('ArrowRight');
  await expect(times.nth(1)).toBeChecked();
  await expectFocusSeen(page);
  const start = (await times.nth(1).getAttribute('value'))!;
  await tabTo(page, dialog.getByRole('radio', { name: /Online Video Call/ }));
  await keys.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: /Phone Call/ })).toBeChecked();
  const hour = dialog.getByRole('radio', { name: '60 minutes' });
  await tabTo(page, hour);
  await keys.press('ArrowLeft');
  await expect(dialog.getByRole('radio', { name: '30 minutes' })).toBeChecked();
  await tabTo(page, dialog.getByRole('textbox', { name: 'Phone' }));
  await keys.type('+1 555 010 0111');
  await tabTo(page, dialog.getByRole('button', { name: 'Confirm Appointment' }));
  await keys.press('Enter');

  const done = confirmedDialog(page);
  await expect(done).toContainText(words(start).time);
  await expect(done.locator(':focus')).toBeVisible();
  await tabTo(page, done.getByLabel('Reminder'));
  await keys.press('ArrowDown');
  await expect(done.getByText('Saved.')).toBeVisible();
  await tabTo(page, done.getByRole('button', { name: 'Done' }));
  await keys.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(book).toBeFocused();
  await expectFocusSeen(page);
  await expect
    .poll(() => storedAppointments(product, { client }))
    .toMatchObject([{ startsAt: new Date(start).toISOString(), sessionType: 'phone', reminderMinutes: 60 }]);
});
