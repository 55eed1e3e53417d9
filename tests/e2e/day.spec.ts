import type { Page } from '@playwright/test';
import {
  becomeSpecialist,
  bookDirectly,
  chooseStart,
  chooseTime,
  confirm,
  fill,
  moveInDatabase,
  offeredTimes,
  openBooking,
  readToast,
  storedAppointments,
  words,
  type Specialist,
} from './support/booking.ts';
import { sessionsOf, textOf } from './support/calendar.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';

const hour = 3_600_000;
const day = 24 * hour;

test('a client moves and calls off a session, and the specialist sees it at once', async ({
  page,
  open,
  product,
}) => {
  const theirs = await open({ timezoneId: 'America/New_York' });
  const ada = await becomeSpecialist(theirs, product);
  const client = someone();
  await signIn(page, client);
  const times = await offeredTimes(page, product, ada);
  const dayOf = (time: string) => words(time, 'America/New_York').day;
  // Of the first day it may be too late for most hours.
  const second = times.find((time) => dayOf(time) !== dayOf(times[0]!))!;
  const [start, , , , , , moved] = times.filter((time) => dayOf(time) === dayOf(second));
  await bookDirectly(page, ada, start!);
  await page.goto('/home');
  await theirs.goto('/home');
  await showDay(theirs, start!);
  const card = page.getByRole('article', { name: ada.name });
  const [before] = await storedAppointments(product, { client });

  await act(page, ada.name, 'Reschedule');
  const dialog = page.getByRole('dialog', { name: 'Reschedule' });
  await expect(dialog).toContainText(words(start!).date);
  await dialog.getByRole('button', { name: 'Move appointment' }).click();
  await expect(dialog.getByText('Please choose a date.')).toBeVisible();
  await chooseStart(dialog, moved!);
  // However long the answer takes, what the dialog uncovers shows the new time.
  await page.route(/\/api\/appointments\?/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Move appointment' }).click();
  await expect(dialog).toBeHidden();
  expect(await card.textContent()).toContain(words(moved!).time);
  await page.unroute(/\/api\/appointments\?/);
  await readToast(page, 'Appointment moved');
  await expect(card).toContainText(words(moved!).time);
  await expect(
    theirs.getByRole('article').filter({ hasText: words(moved!, 'America/New_York').time }),
  ).toBeVisible();
  expect(await storedAppointments(product, { client })).toMatchObject([
    { id: before!.id, startsAt: new Date(moved!).toISOString(), sequence: 1, status: 'confirmed' },
  ]);

  await act(page, ada.name, 'Cancel appointment');
  const question = page.getByRole('alertdialog', { name: 'Cancel this appointment?' });
  await question.getByLabel('Reason').fill('My plans have changed.');
  await question.getByRole('button', { name: 'Cancel appointment' }).click();
  await readToast(page, 'Appointment cancelled');
  await expect(page.getByText('No upcoming appointments')).toBeVisible();
  await expect(theirs.getByText('No appointments on this day')).toBeVisible();
  await theirs.getByText('Cancelled on this day (1)').click();
  await expect(theirs.getByText('Reason: My plans have changed.')).toBeVisible();
  await page.getByText('Past sessions').click();
  await expect(page.getByRole('listitem').filter({ hasText: ada.name })).toContainText('Cancelled');
  expect(await storedAppointments(product, { client })).toMatchObject([{ status: 'cancelled', sequence: 2 }]);
});

test('after the deadline a client changes nothing any more', async ({ page, open, product, expectNoise }) => {
  const ada = await becomeSpecialist(await open(), product);
  await signIn(page, someone());
  const [start] = await offeredTimes(page, product, ada);
  const id = await bookDirectly(page, ada, start!);
  await page.goto('/home');
  await act(page, ada.name, 'Cancel appointment');
  await moveInDatabase(product, id, new Date(Date.now() + hour));
  expectNoise(/status of 412/);
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Cancel appointment' }).click();
  await expect(question.getByRole('alert')).toContainText('It’s too late to change this session here');
  await expect(question.getByRole('alert')).toContainText(`please tell ${ada.name} directly`);
  await question.getByRole('button', { name: 'Go back' }).click();

  await page.getByRole('button', { name: `Actions for the appointment with ${ada.name}` }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Reminder and calendar']);
});

test('a specialist who approves first confirms and declines', async ({ page, open, product }) => {
  const theirs = await open({ timezoneId: 'America/New_York' });
  const ada = await becomeSpecialist(theirs, product, { approvesFirst: true });
  await theirs.goto('/home');
  await expect(theirs.getByText('No appointments today')).toBeVisible();
  const client = someone('asking');
  await signIn(page, client);

  const dialog = await openBooking(page, ada);
  await expect(dialog).toContainText('Dr. Ada Winter confirms each booking first.');
  const start = await fill(dialog);
  await confirm(dialog);
  const done = page.getByRole('dialog', { name: 'Waiting for confirmation' });
  const file = page.waitForEvent('download');
  await done.getByRole('button', { name: /Download Calendar File/ }).click();
  expect(sessionsOf(await textOf(await file))).toMatchObject([{ status: 'TENTATIVE' }]);
  await done.getByRole('button', { name: 'Done' }).click();
  await page.goto('/home');
  const card = page.getByRole('article', { name: ada.name }).filter({ hasText: words(start).time });
  await expect(card).toContainText('Waiting for confirmation');

  const waiting = theirs.getByRole('region', { name: 'Waiting for your confirmation' });
  await waiting.getByRole('button', { name: 'Confirm', exact: true }).click();
  const question = theirs.getByRole('alertdialog', { name: 'Confirm this booking?' });
  await question.getByRole('button', { name: 'Confirm', exact: true }).click();
  await readToast(theirs, 'Booking confirmed');
  await expect(waiting).toBeHidden();
  await expect(card).toContainText('Upcoming');

  const times = await offeredTimes(page, product, ada);
  await bookDirectly(page, ada, times.at(-1)!);
  await expect(page.getByRole('article', { name: ada.name })).toHaveCount(2);
  await waiting.getByRole('button', { name: 'Decline', exact: true }).click();
  const refusal = theirs.getByRole('alertdialog', { name: 'Decline this booking?' });
  await refusal.getByLabel('Reason').fill('I am away that week.');
  await refusal.getByRole('button', { name: 'Decline', exact: true }).click();
  await readToast(theirs, 'Booking declined');
  await expect(page.getByRole('article', { name: ada.name })).toHaveCount(1);
  await page.getByText('Past sessions').click();
  await expect(page.getByText('Reason: I am away that week.')).toBeVisible();
  const stored = await storedAppointments(product, { client });
  expect(stored.map(({ status }) => status)).toEqual(['confirmed', 'cancelled']);
});

test('a specialist notes what took place and what was missed', async ({ page, open, product }) => {
  const theirs = await open({ timezoneId: 'America/New_York' });
  const ada = await becomeSpecialist(theirs, product);
  const client = someone('coming');
  await signIn(page, client);
  const times = await offeredTimes(page, product, ada);
  const held = await bookDirectly(page, ada, times.at(0)!);
  const missed = await bookDirectly(page, ada, times.at(-1)!);
  await moveInDatabase(product, held, new Date(Date.now() - 3 * day));
  await moveInDatabase(product, missed, new Date(Date.now() - 2 * day));
  await page.goto('/home');
  const hours = page.getByRole('region', { name: 'Your figures' });
  await expect(hours).toContainText(/Hours of Care\s*0$/);
  await theirs.goto('/home');
  const unfinished = theirs.getByRole('region', { name: 'Sessions to finish' });
  await expect(unfinished.getByRole('article')).toHaveCount(2);

  // The latest stands first.
  await actOn(unfinished.getByRole('article').nth(1), theirs, 'Mark as completed');
  const question = theirs.getByRole('alertdialog', { name: 'Did this session take place?' });
  await question.getByRole('button', { name: 'Mark as completed' }).click();
  await readToast(theirs, 'Session completed');
  await expect(unfinished.getByRole('article')).toHaveCount(1);
  await expect(hours).toContainText(/Hours of Care\s*1$/);
  await actOn(unfinished.getByRole('article').first(), theirs, 'Mark as missed');
  await theirs.getByRole('alertdialog').getByRole('button', { name: 'Mark as missed' }).click();
  await readToast(theirs, 'Session noted as missed');
  await expect(unfinished).toBeHidden();

  const stored = await storedAppointments(product, { client });
  expect(stored.map(({ status }) => status)).toEqual(['completed', 'no_show']);
  await page.getByText('Past sessions').click();
  await expect(page.getByRole('listitem').filter({ hasText: ada.name })).toContainText([
    'Missed',
    'Completed',
  ]);
});

test('a specialist moves a session, marks an emergency and calls one off', async ({
  page,
  open,
  product,
}) => {
  const theirs = await open({ timezoneId: 'America/New_York' });
  const ada = await becomeSpecialist(theirs, product);
  const client = someone('needing');
  await signIn(page, client);
  const [start] = await offeredTimes(page, product, ada);
  await bookDirectly(page, ada, start!);
  await page.goto('/home');
  await theirs.goto('/home');
  await showDay(theirs, start!);
  const article = theirs.getByRole('article');
  await expect(article).toContainText('Consultation');

  await actOn(article, theirs, 'Mark as emergency');
  await theirs.getByRole('alertdialog').getByRole('button', { name: 'Mark as emergency' }).click();
  await readToast(theirs, 'Marked as an emergency');
  await expect(article).toContainText('Emergency');

  await actOn(article, theirs, 'Reschedule');
  const dialog = theirs.getByRole('dialog', { name: 'Reschedule' });
  const moved = await chooseTime(dialog, { monthsOn: 1, day: 1, later: 5 });
  await dialog.getByRole('button', { name: 'Move appointment' }).click();
  await readToast(theirs, 'Appointment moved');
  await expect(page.getByRole('article', { name: ada.name })).toContainText(words(moved).date);
  await expect(page.getByRole('article', { name: ada.name })).toContainText(words(moved).time);

  await showDay(theirs, moved);
  await actOn(article, theirs, 'Cancel appointment');
  await theirs.getByRole('alertdialog').getByRole('button', { name: 'Cancel appointment' }).click();
  await expect(page.getByText('No upcoming appointments')).toBeVisible();
  expect(await storedAppointments(product, { client })).toMatchObject([{ status: 'cancelled' }]);
});

/** Shows the day of a session in the specialist's schedule, who is in New York. */
async function showDay(page: Page, start: string): Promise<void> {
  const date = page.getByText(words(start, 'America/New_York').day, { exact: true });
  await page.getByRole('button').filter({ has: date }).click();
  await expect(page.getByRole('article')).toHaveCount(1);
}

async function act(page: Page, name: Specialist['name'], action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for the appointment with ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function actOn(article: ReturnType<Page['locator']>, page: Page, action: string): Promise<void> {
  await article.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: action }).click();
}
