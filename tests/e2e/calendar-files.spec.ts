import type { Locator, Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, confirm, confirmedDialog, fill, openBooking, toast } from './support/booking.ts';
import { cardOf, sessionsOf, textOf } from './support/calendar.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';

/** Books a session as somebody new, with a specialist of their own; what is confirmed stands open. */
async function book(page: Page, specialist: Page, product: Product): Promise<Locator> {
  const ada = await becomeSpecialist(specialist, product);
  await signIn(page, someone());
  const dialog = await openBooking(page, ada);
  await fill(dialog);
  await confirm(dialog);
  return confirmedDialog(page);
}

test('a calendar file says all that the specification asks of it, for every reminder', async ({
  page,
  open,
  product,
}) => {
  const done = await book(page, await open(), product);
  const reminder = done.getByLabel('Reminder');
  await expect(reminder).toHaveValue('15');
  for (const minutes of ['15', '60', '1440', '2880', '10080']) {
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/reminder'));
    if (minutes !== '15') {
      await reminder.selectOption(minutes);
      await saved;
    }
    const file = page.waitForEvent('download');
    await done.getByRole('button', { name: /Download Calendar File/ }).click();
    await expect(toast(page, `Appointment with ${minutes} minute reminder saved.`)).toBeVisible();
    // Its reader refuses a line of more than 75 octets.
    const [session] = sessionsOf(await textOf(await file));
    expect(session!.alarm).toBe(`-PT${minutes}M`);
    if (minutes !== '15') continue;
    const text = session!.text.replaceAll('\r\n ', '');
    for (const line of [
      'SUMMARY:iTalk Individual Healing Session',
      'STATUS:CONFIRMED',
      'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
      'CLASS:PRIVATE',
      'ORGANIZER;CN=iTalk:mailto:support@italk.example',
    ]) {
      expect(text.split('\r\n')).toContain(line);
    }
    expect(text).toMatch(new RegExp(`^LOCATION:Video meeting: ${product.url}/session/[0-9a-f-]{36}$`, 'm'));
    const description = /^DESCRIPTION:(.*)$/m.exec(text)![1]!;
    for (const part of [
      'Specialist: Dr. Ada Winter',
      'Service: Individual Healing',
      'Session type: Online Video Call',
      'log in 5 minutes early',
      `visit ${product.url}`,
    ]) {
      expect(description).toContain(part);
    }
  }
  const file = page.waitForEvent('download');
  await done.getByRole('button', { name: 'Save Contact Card' }).click();
  const card = cardOf(await textOf(await file));
  expect([...card.keys()]).toEqual(
    expect.arrayContaining(['org', 'fn', 'title', 'tel', 'email', 'url', 'adr', 'note']),
  );
  expect(card.get('tel')).toBe('+1 555 010 0188');
});

test('a calendar file that the browser can’t make is said so, and can be tried again', async ({
  page,
  open,
  product,
}) => {
  const done = await book(page, await open(), product);
  await expect(done).toBeVisible();
  await page.evaluate(() => {
    const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = () => {
      URL.createObjectURL = make;
      throw new Error('no room');
    };
  });
  await done.getByRole('button', { name: /Download Calendar File/ }).click();
  await expect(toast(page, 'Download failed')).toBeVisible();
  await expect(toast(page, 'Unable to generate calendar file. Please try again.')).toBeVisible();
  const file = page.waitForEvent('download');
  await done.getByRole('button', { name: /Download Calendar File/ }).click();
  expect((await file).suggestedFilename()).toMatch(/^italk-session-.*\.ics$/);
});
