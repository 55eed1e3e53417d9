import {
  becomeSpecialist,
  bookDirectly,
  chooseTime,
  offeredTimes,
  storedAppointments,
  toast,
  words,
} from './support/booking.ts';
import { expect, test } from './support/fixtures.ts';
import { becomeClient } from './support/people.ts';

const zone = 'America/New_York';

function dateOf(instant: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.parse(instant));
}

test(
  'lets a provider confirm, reschedule, cancel and book sessions in the calendar',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const provider = await becomeSpecialist(page, product, { approvesFirst: true });
    const theirs = await open();
    const client = await becomeClient(theirs, product, 'Ruth Amsel');
    const startsAt = (await offeredTimes(theirs, product, provider)).at(-1)!;
    const stored = async () => (await storedAppointments(product, { client }))[0]!;
    await page.goto(`/schedule?view=day&date=${dateOf(startsAt)}`);
    const session = page.getByRole('listitem').getByRole('button', { name: /^\d?\d:\d\d .*Somebody Else/ });
    const waiting = page.getByRole('region', { name: 'Waiting for your confirmation' });
    await expect(page.getByText('You confirm each booking yourself.')).toBeVisible();
    await expect(session).toHaveCount(0);

    await bookDirectly(theirs, provider, startsAt);
    await expect(waiting).toContainText('Somebody Else');
    await expect(
      page.getByRole('grid', { name: 'Days' }).locator(`[data-date="${dateOf(startsAt)}"]`),
    ).toHaveAccessibleName(`${words(startsAt, zone).day}: 1 session, 1 waiting`);
    await session.click();
    const dialog = page.getByRole('dialog', { name: /^Session with/ });
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(dialog.getByText('Confirmed', { exact: true })).toBeVisible();
    expect((await stored()).status).toBe('confirmed');

    await dialog.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Reschedule' }).click();
    const move = page.getByRole('dialog', { name: 'Reschedule' });
    const moved = await chooseTime(move, { monthsOn: 1 });
    await move.getByRole('button', { name: 'Reschedule appointment' }).click();
    await expect(dialog).toContainText(words(moved, zone).date);
    expect((await stored()).startsAt).toBe(new Date(moved).toISOString());

    await dialog.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByLabel('Reason').fill('I am ill.');
    await question.getByRole('button', { name: 'Cancel appointment' }).click();
    await expect(dialog.getByText('I am ill.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect((await stored()).status).toBe('cancelled');

    await theirs.goto('/home');
    await expect(theirs.getByText('No upcoming appointments')).toBeVisible();
    await page.getByRole('button', { name: /^Free, 9:00 AM/ }).press('Enter');
    const booking = page.getByRole('dialog', { name: 'Book for a client' });
    await booking.getByRole('combobox', { name: 'Client' }).fill('ruth');
    await booking.getByRole('option', { name: 'Ruth Amsel' }).click();
    await booking.getByLabel('Service').selectOption('individuals');
    await booking.getByRole('radio', { name: 'Online Video Call' }).check();
    await expect(booking.getByRole('radio', { name: '09:00 AM' })).toBeChecked();
    await booking.getByRole('button', { name: 'Book session' }).click();
    await expect(toast(page, 'Session booked for Ruth Amsel')).toBeVisible();
    await expect(session).toContainText('9:00 AM');
    await expect(theirs.getByRole('article', { name: provider.name })).toContainText(
      words(startsAt).shortDate,
    );
  },
);

test(
  'hides blocked time from clients, and offers it again once unblocked',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const provider = await becomeSpecialist(page, product);
    const other = await open();
    await becomeClient(other, product);
    // A day in the middle: the queried range cuts its last day short.
    const offered = await offeredTimes(other, product, provider);
    const date = dateOf(offered[Math.floor(offered.length / 2)]!);
    const ofDay = async () =>
      (await offeredTimes(other, product, provider)).filter((start) => dateOf(start) === date);
    const before = await ofDay();
    expect(before.length).toBeGreaterThan(2);
    await page.goto(`/schedule?view=week&date=${date}`);
    await page.getByRole('link', { name: 'Day', exact: true }).click();
    await page.getByRole('button', { name: 'Block time' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block time' });
    await dialog.getByLabel('From', { exact: true }).fill('09:00');
    await dialog.getByLabel('To', { exact: true }).fill('19:00');
    await dialog.getByLabel('Note').fill('The dentist');
    await dialog.getByRole('button', { name: 'Block this time' }).click();
    const block = page.getByRole('listitem').getByRole('button', { name: /The dentist/ });
    await expect(block).toBeVisible();
    await expect.poll(ofDay).toEqual([]);

    await block.click();
    await page
      .getByRole('dialog', { name: 'Blocked time' })
      .getByRole('button', { name: 'Remove block' })
      .click();
    await expect(block).toHaveCount(0);
    await expect.poll(ofDay).toEqual(before);

    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`view=week&date=${date}`));
  },
);
