import type { Page } from '@playwright/test';
import {
  becomeSpecialist,
  bookDirectly,
  bookingDialog,
  chooseTime,
  confirm,
  confirmedDialog,
  fill,
  openBooking,
  openTimes,
  storedAppointments,
  toast,
  weeklyFrom,
  words,
} from './support/booking.ts';
import { sessionsOf, textOf } from './support/calendar.ts';
import { expect, password, signIn, someone, test } from './support/fixtures.ts';

test('books for a guest who signs in on the way, and shows the session to both people', async ({
  page,
  open,
  product,
}) => {
  const doctor = await open({ timezoneId: 'America/New_York' });
  const ada = await becomeSpecialist(doctor, product, { name: 'Dr. Ada Fairley' });
  await doctor.goto('/home');
  await expect(doctor.getByRole('heading', { name: "Today's Schedule" })).toBeVisible();
  await markOpen(doctor);

  const client = someone('ruth');
  await page.goto('/therapists');
  await page
    .getByRole('button', { name: `Book Session with ${ada.name}` })
    .first()
    .click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await prompt.getByLabel('Email').fill(client);
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(prompt).toBeHidden();

  const dialog = bookingDialog(page);
  await expect(dialog).toContainText(`with ${ada.name}`);
  await expect(dialog.getByLabel('Email')).toHaveValue(client);
  await dialog.getByLabel('Full name').fill('Ruth Everly');
  await dialog.getByLabel('Service').selectOption({ label: 'Individual Healing' });
  const start = await chooseTime(dialog);
  await dialog.getByRole('radio', { name: /In-Person/ }).check();
  await dialog.getByRole('radio', { name: '30 minutes' }).check();
  const at = words(start);
  const summary = dialog.getByRole('region', { name: 'Appointment Summary' });
  await expect(summary).toContainText(`Individual Healing, ${at.shortDate}, ${at.time}`);
  await expect(summary).toContainText('In-Person · 30 minutes');
  await confirm(dialog);

  await expect(toast(page, `Appointment booked with ${ada.name}!`)).toBeVisible();
  const done = confirmedDialog(page);
  for (const text of ['iTalk Individual Healing Session', at.date, at.time, 'Boston, MA', ada.name])
    await expect(done).toContainText(text);
  const [stored, ...others] = await storedAppointments(product, { client });
  expect(others).toEqual([]);
  expect(stored).toMatchObject({
    startsAt: new Date(start).toISOString(),
    status: 'confirmed',
    sequence: 0,
    sessionType: 'in-person',
    contactName: 'Ruth Everly',
    reminderMinutes: 15,
  });
  await done.getByLabel('Reminder').selectOption({ label: '1 hour before' });
  await expect(done.getByText('Saved.')).toBeVisible();
  await expect.poll(() => storedAppointments(product, { client })).toMatchObject([{ reminderMinutes: 60 }]);
  const file = page.waitForEvent('download');
  await done.getByRole('button', { name: /Download Calendar File/ }).click();
  expect((await file).suggestedFilename()).toMatch(/^italk-session-\d{4}-\d\d-\d\d\.ics$/);
  expect(sessionsOf(await textOf(await file))).toMatchObject([
    {
      uid: expect.stringContaining(stored!.id),
      sequence: 0,
      status: 'CONFIRMED',
      summary: 'iTalk Individual Healing Session',
      startsAt: stored!.startsAt,
      endsAt: stored!.endsAt,
      alarm: '-PT60M',
    },
  ]);
  await done.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goto('/home');
  const card = page.getByRole('article', { name: ada.name });
  await expect(card.filter({ hasText: at.time })).toContainText('Upcoming');

  const theirs = words(start, 'America/New_York');
  // Exact match: the 15th's name starts like the 1st's.
  const day = doctor.getByText(theirs.day, { exact: true });
  await doctor.getByRole('button').filter({ has: day }).click();
  const held = doctor.getByRole('article').filter({ hasText: theirs.time });
  await expect(held).toContainText('Confirmed');
  await expect(held).toContainText('Individual Healing');
  await expectStillOpen(doctor);

  const { startsAt, endsAt } = stored!;
  // Neither email mentions what the session is about.
  for (const [who, zone] of [
    [client, 'America/Chicago'],
    [ada.email, 'America/New_York'],
  ] as const) {
    const { time, shortDate } = words(start, zone);
    const found = page
      .getByRole('navigation', { name: /^Emails/ })
      .getByRole('link')
      .filter({ hasText: who })
      .filter({ hasText: `iTalk Health session booked: ${shortDate}, ${time}` });
    await expect(async () => {
      await page.goto('/dev/mail');
      await expect(found).toHaveCount(1, { timeout: 500 });
    }).toPass();
    await found.click();
    const mail = page.getByRole('region', { name: /^iTalk Health session booked/ });
    await expect(mail).toContainText(who);
    await expect(mail).not.toContainText(/Individual|Healing|couns|psych|therap/i);
    const attached = page.waitForEvent('download');
    await mail.getByRole('button', { name: /\.ics/ }).click();
    const [session] = sessionsOf(await textOf(await attached));
    expect(session).toMatchObject({ summary: 'iTalk session', status: 'CONFIRMED', startsAt, endsAt });
    expect(session!.uid).toContain(stored!.id);
    expect(session!.text).not.toMatch(/Individual|Healing/);
  }
});

test(
  'books a whole weekly series, and shows conflicts before storing anything',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const other = await open();
    const ada = await becomeSpecialist(other, product);
    await signIn(other, someone());
    const client = someone();
    await signIn(page, client);
    const dialog = await openBooking(page, ada);
    const start = await fill(dialog, { monthsOn: 1 });
    const sessions = await weeklyFrom(other, ada, start);
    await bookDirectly(other, ada, sessions[2]!);

    await dialog.getByRole('radio', { name: 'Weekly', exact: true }).check();
    const plan = dialog.getByRole('region', { name: 'Your sessions' });
    await expect(plan.getByRole('listitem')).toHaveCount(4);
    await expect(plan.getByRole('listitem').nth(2)).toContainText('Already taken');
    await expect(plan.getByText('Already taken')).toHaveCount(1);
    await expect(plan.getByRole('alert')).toContainText('1 of 4 sessions can’t be booked');
    await confirm(dialog);
    await expect(plan.getByRole('alert')).toBeVisible();
    expect(await storedAppointments(product, { client })).toEqual([]);

    const last = (await openTimes(dialog)).last();
    await last.check();
    await expect(plan).toContainText('All 4 times are open');
    await expect(dialog.getByRole('region', { name: 'Appointment Summary' })).toContainText(
      'Weekly, 4 sessions',
    );
    await confirm(dialog);
    await expect(confirmedDialog(page)).toContainText('4 sessions');
    const stored = await storedAppointments(product, { client });
    expect(stored).toHaveLength(4);
    expect(new Set(stored.map(({ startsAt }) => words(startsAt, 'America/New_York').time)).size).toBe(1);
    const days = stored.map(({ startsAt }) => Date.parse(isoDate(startsAt, 'America/New_York')) / 86_400_000);
    expect(days.map((day) => day - days[0]!)).toEqual([0, 7, 14, 21]);
    await confirmedDialog(page).getByRole('button', { name: 'Done' }).click();
    await page.goto('/home');
    await page.getByText(`Weekly with ${ada.name} · 3 sessions`).click();
    await expect(page.getByRole('article', { name: ada.name })).toHaveCount(4);
  },
);

async function markOpen(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(window, { openSinceTheBeginning: true }));
}

async function expectStillOpen(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'openSinceTheBeginning' in window)).toBe(true);
}

function isoDate(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(instant));
}
