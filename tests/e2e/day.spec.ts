import type { Locator, Page } from '@playwright/test';
import {
  becomeSpecialist,
  bookDirectly,
  chooseStart,
  confirm,
  fill,
  moveInDatabase,
  offeredTimes,
  openBooking,
  readToast,
  storedAppointments,
  words,
} from './support/booking.ts';
import { sessionsOf, textOf } from './support/calendar.ts';
import { expect, test } from './support/fixtures.ts';
import { becomeClient } from './support/people.ts';

const hour = 3_600_000;
const zone = 'America/New_York';

test(
  'reschedules and cancels a client’s session, and updates the specialist’s page at once',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const theirs = await open({ timezoneId: zone });
    const ada = await becomeSpecialist(theirs, product);
    const client = await becomeClient(page, product);
    const times = await offeredTimes(page, product, ada);
    const dayOf = (time: string) => words(time, zone).day;
    // Most of the first day's hours may have passed.
    const second = times.find((time) => dayOf(time) !== dayOf(times[0]!))!;
    const [start, , , , , , moved] = times.filter((time) => dayOf(time) === dayOf(second));
    await bookDirectly(page, ada, start!);
    await page.goto('/home');
    await theirs.goto('/home');
    await showDay(theirs, start!);
    const [card, seen] = [page.getByRole('article', { name: ada.name }), theirs.getByRole('article')];
    const facts = ['Individual Healing', 'Phone Call', '60 minutes'];
    for (const text of ['Upcoming', ...facts, words(start!).time]) await expect(card).toContainText(text);
    for (const text of [
      'Consultation',
      'Confirmed',
      ...facts,
      words(start!, zone).date,
      words(start!, zone).time,
    ])
      await expect(seen).toContainText(text);

    await act(card, page, 'Reschedule');
    const dialog = page.getByRole('dialog', { name: 'Reschedule' });
    await chooseStart(dialog, moved!);
    await dialog.getByRole('button', { name: 'Reschedule appointment' }).click();
    await readToast(page, 'Appointment rescheduled');
    await expect(card).toContainText(words(moved!).time);
    await expect(seen).toContainText(words(moved!, zone).time);
    await expect
      .poll(() => storedAppointments(product, { client }))
      .toMatchObject([{ startsAt: new Date(moved!).toISOString(), sequence: 1, status: 'confirmed' }]);

    await act(card, page, 'Cancel appointment');
    const question = page.getByRole('alertdialog', { name: 'Cancel this appointment?' });
    await question.getByLabel('Reason').fill('My plans have changed.');
    await question.getByRole('button', { name: 'Cancel appointment' }).click();
    await expect(page.getByText('No upcoming appointments')).toBeVisible();
    await expect(theirs.getByText('No appointments on this day')).toBeVisible();
    await theirs.getByText('Canceled on this day (1)').click();
    await expect(theirs.getByText('Reason: My plans have changed.')).toBeVisible();
    await page.getByText('Past and canceled sessions').click();
    await expect(page.getByRole('listitem').filter({ hasText: ada.name })).toContainText('Canceled');
  },
);

test(
  'confirms and declines requests for approval, and updates the client’s page at once',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const theirs = await open({ timezoneId: zone });
    const ada = await becomeSpecialist(theirs, product, { approvesFirst: true });
    await theirs.goto('/home');
    await expect(theirs.getByText('No appointments today')).toBeVisible();
    await becomeClient(page, product);

    const dialog = await openBooking(page, ada);
    const start = await fill(dialog);
    await confirm(dialog);
    const done = page.getByRole('dialog', { name: 'Waiting for confirmation' });
    const file = page.waitForEvent('download');
    await done.getByRole('button', { name: /Download Calendar File/ }).click();
    expect(sessionsOf(await textOf(await file))).toMatchObject([{ status: 'TENTATIVE' }]);
    await page.goto('/home');
    const card = page.getByRole('article', { name: ada.name }).filter({ hasText: words(start).time });
    await expect(card).toContainText('Waiting for confirmation');

    const waiting = theirs.getByRole('region', { name: 'Waiting for your confirmation' });
    await expect(waiting).toContainText('Pending');
    await waiting.getByRole('button', { name: 'Confirm', exact: true }).click();
    await readToast(theirs, 'Booking confirmed');
    await expect(waiting).toBeHidden();
    await expect(card).toContainText('Upcoming');

    await bookDirectly(page, ada, (await offeredTimes(page, product, ada)).at(-1)!);
    await expect(page.getByRole('article', { name: ada.name })).toHaveCount(2);
    await waiting.getByRole('button', { name: 'Decline', exact: true }).click();
    const refusal = theirs.getByRole('alertdialog', { name: 'Decline this booking?' });
    await refusal.getByLabel('Reason').fill('I am away that week.');
    await refusal.getByRole('button', { name: 'Decline', exact: true }).click();
    await expect(page.getByRole('article', { name: ada.name })).toHaveCount(1);
    await page.getByText('Past and canceled sessions').click();
    await expect(page.getByText('Reason: I am away that week.')).toBeVisible();
  },
);

test(
  'lets a specialist mark emergencies, completed sessions and no-shows',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const theirs = await open({ timezoneId: zone });
    const ada = await becomeSpecialist(theirs, product);
    await becomeClient(page, product);
    const times = await offeredTimes(page, product, ada);
    const [held, missed] = [
      await bookDirectly(page, ada, times[0]!),
      await bookDirectly(page, ada, times.at(-1)!),
    ];
    await theirs.goto('/home');
    await showDay(theirs, times.at(-1)!);
    const last = theirs.getByRole('article').filter({ hasText: 'Follow-up' });
    await act(last, theirs, 'Mark as emergency');
    await theirs.getByRole('alertdialog').getByRole('button', { name: 'Mark as emergency' }).click();
    await readToast(theirs, 'Marked as an emergency');
    await expect(theirs.getByRole('article').filter({ hasText: 'Emergency' })).toHaveCount(1);

    await moveInDatabase(product, held, new Date(Date.now() - 72 * hour));
    await moveInDatabase(product, missed, new Date(Date.now() - 48 * hour));
    await page.goto('/home');
    const hours = page.getByRole('region', { name: 'Your stats' });
    await expect(hours).toContainText(/Hours of Care\s*0$/);
    await theirs.reload();
    const unfinished = theirs.getByRole('region', { name: 'Sessions to finish' });
    await expect(unfinished.getByRole('article')).toHaveCount(2);
    await act(unfinished.getByRole('article').nth(1), theirs, 'Mark as completed');
    await theirs.getByRole('alertdialog').getByRole('button', { name: 'Mark as completed' }).click();
    await expect(unfinished.getByRole('article')).toHaveCount(1);
    await expect(hours).toContainText(/Hours of Care\s*1$/);
    await readToast(theirs, 'Marked as completed');
    await act(unfinished.getByRole('article').first(), theirs, 'Mark as missed');
    await theirs.getByRole('alertdialog').getByRole('button', { name: 'Mark as missed' }).click();
    await expect(unfinished).toBeHidden();
    await page.getByText('Past and canceled sessions').click();
    await expect(page.getByRole('listitem').filter({ hasText: ada.name })).toContainText([
      'Missed',
      'Completed',
    ]);
  },
);

async function showDay(page: Page, start: string): Promise<void> {
  const date = page.getByText(words(start, zone).day, { exact: true });
  await page.getByRole('button').filter({ has: date }).click();
  await expect(page.getByRole('heading', { name: `Schedule for ${words(start, zone).day}` })).toBeVisible();
}

async function act(card: Locator, page: Page, action: string): Promise<void> {
  await card.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: action }).click();
}
