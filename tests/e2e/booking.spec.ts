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
import { cardOf, sessionsOf, textOf } from './support/calendar.ts';
import { addressOf, expect, password, signIn, someone, test } from './support/fixtures.ts';

test('a guest signs in on the way and books, and both people have it', async ({ page, open, product }) => {
  const doctor = await open({ timezoneId: 'America/New_York' });
  await signIn(doctor, 'doctor');
  await doctor.goto('/home');
  await expect(doctor.getByRole('heading', { name: "Today's Schedule" })).toBeVisible();
  await markOpen(doctor);

  await page.goto('/');
  await page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Dr. Sarah Whitfield' }) })
    .getByRole('button', { name: 'Book Consultation' })
    .click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect(prompt.getByRole('heading', { name: 'Why create an account?' })).toBeVisible();
  await expect(prompt.getByRole('button', { name: 'Not now, continue browsing' })).toBeVisible();
  await prompt.getByLabel('Email').fill(addressOf('client'));
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(prompt).toBeHidden();

  const dialog = bookingDialog(page);
  await expect(dialog).toContainText('with Dr. Sarah Whitfield');
  await expect(dialog.getByLabel('Full name')).toHaveValue('Hannah Brooks');
  await expect(dialog.getByLabel('Email')).toHaveValue(addressOf('client'));
  await dialog.getByLabel('Service').selectOption({ label: 'Individual Healing' });
  const start = await chooseTime(dialog);
  await dialog.getByRole('radio', { name: /In-Person/ }).check();
  await dialog.getByRole('radio', { name: '30 minutes' }).check();
  const at = words(start);
  const summary = dialog.getByRole('region', { name: 'Appointment Summary' });
  await expect(summary).toContainText(`Individual Healing, ${at.shortDate}, ${at.time}`);
  await expect(summary).toContainText('In-Person · 30 minutes');
  await expect(summary).toContainText('settled with your specialist');
  await confirm(dialog);

  await expect(toast(page, 'Appointment booked with Dr. Sarah Whitfield!')).toBeVisible();
  const done = confirmedDialog(page);
  await expect(done).toContainText('iTalk Individual Healing Session');
  await expect(done).toContainText(at.date);
  await expect(done).toContainText(at.time);
  await expect(done).toContainText('New York, NY');
  await expect(done).toContainText('Dr. Sarah Whitfield');
  await done.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const stored = await test.step('it is in the database', async () => {
    const all = await storedAppointments(product, {
      client: addressOf('client'),
      specialist: addressOf('doctor'),
    });
    const found = all.filter(({ startsAt }) => startsAt === new Date(start).toISOString());
    expect(found).toMatchObject([
      {
        status: 'confirmed',
        sequence: 0,
        sessionType: 'in-person',
        contactName: 'Hannah Brooks',
        reminderMinutes: 15,
      },
    ]);
    return found[0]!;
  });
  await test.step('on the client’s home', async () => {
    await page.goto('/home');
    const card = page.getByRole('article', { name: 'Dr. Sarah Whitfield' }).filter({ hasText: at.date });
    await expect(card.filter({ hasText: at.time })).toContainText('Upcoming');
  });
  await test.step('on the specialist’s, which was open all the time', async () => {
    const theirs = words(start, 'America/New_York');
    // Its name whole: that of the 15th begins like that of the 1st, two weeks before.
    const day = doctor.getByText(theirs.day, { exact: true });
    await doctor.getByRole('button').filter({ has: day }).click();
    const card = doctor.getByRole('article', { name: 'Hannah Brooks' }).filter({ hasText: theirs.time });
    await expect(card).toContainText('Confirmed');
    await expect(card).toContainText('Individual Healing');
    await expectStillOpen(doctor);
  });
  await test.step('and in both mails, which don’t say what it is about', async () => {
    for (const [who, zone] of [
      ['client', 'America/Chicago'],
      ['doctor', 'America/New_York'],
    ] as const) {
      const { time, shortDate } = words(start, zone);
      const found = page
        .getByRole('navigation', { name: /^Emails/ })
        .getByRole('link')
        .filter({ hasText: addressOf(who) })
        .filter({ hasText: `iTalk Health session booked: ${shortDate}, ${time}` });
      await expect(async () => {
        await page.goto('/dev/mail');
        await expect(found).toHaveCount(1, { timeout: 500 });
      }).toPass();
      await found.click();
      const mail = page.getByRole('region', { name: /^iTalk Health session booked/ });
      await expect(mail).toContainText(addressOf(who));
      await expect(mail).not.toContainText(/Individual|Healing|couns|psych|therap/i);
      const file = page.waitForEvent('download');
      await mail.getByRole('button', { name: /\.ics/ }).click();
      const [session, ...others] = sessionsOf(await textOf(await file));
      expect(others).toEqual([]);
      expect(session).toMatchObject({ summary: 'iTalk session', sequence: 0, status: 'CONFIRMED' });
      expect(session).toMatchObject({ startsAt: stored.startsAt, endsAt: stored.endsAt });
      expect(session!.uid).toContain(stored.id);
      expect(session!.text).not.toMatch(/Individual|Healing/);
    }
  });
});

test('what was booked goes into the person’s own calendar', async ({ page, open, product, expectNoise }) => {
  const ada = await becomeSpecialist(await open(), product);
  const client = someone();
  await signIn(page, client);
  const dialog = await openBooking(page, ada);
  await fill(dialog);
  await confirm(dialog);
  const done = confirmedDialog(page);
  await expect(done).toBeVisible();
  const [stored] = await storedAppointments(product, { client });

  const reminder = done.getByLabel('Reminder');
  await expect(reminder).toHaveValue('15');
  await expect(reminder.getByRole('option')).toHaveText([
    '15 minutes before',
    '1 hour before',
    '1 day before',
    '2 days before',
    '1 week before',
  ]);
  await reminder.selectOption({ label: '1 hour before' });
  await expect(done.getByText('Saved.')).toBeVisible();
  expect(await storedAppointments(product, { client })).toMatchObject([{ reminderMinutes: 60 }]);

  await test.step('by the four services’ own forms', async () => {
    // None of them is asked: the address is all there is to see.
    const asked: URL[] = [];
    await page.context().route(
      (url) => url.origin !== product.url,
      async (route) => {
        asked.push(new URL(route.request().url()));
        await route.abort();
      },
    );
    expectNoise(/ERR_FAILED/);
    for (const [index, name] of ['Google Calendar', 'Outlook', 'Office 365', 'Yahoo Calendar'].entries()) {
      const tab = page.waitForEvent('popup');
      await done.getByRole('link', { name: new RegExp(`^${name}`) }).click();
      await expect(toast(page, 'Opening calendar').last()).toBeVisible();
      await expect.poll(() => asked.length).toBe(index + 1);
      await (await tab).close();
    }
    const compact = (instant: string) => instant.replaceAll(/[-:]|\.000/g, '');
    const [google, outlook, office, yahoo] = asked.map((url) => ({
      place: url.host + url.pathname,
      ...Object.fromEntries(url.searchParams),
    }));
    expect(google).toMatchObject({
      place: 'calendar.google.com/calendar/render',
      action: 'TEMPLATE',
      text: 'iTalk Individual Healing Session',
      dates: `${compact(stored!.startsAt)}/${compact(stored!.endsAt)}`,
      ctz: 'America/New_York',
      add: client,
      details: expect.stringContaining('Dr. Ada Winter'),
      location: expect.stringContaining('Video meeting'),
    });
    const compose = {
      subject: 'iTalk Individual Healing Session',
      startdt: stored!.startsAt.replace('.000', ''),
      enddt: stored!.endsAt.replace('.000', ''),
      to: client,
    };
    expect(outlook).toMatchObject({ place: 'outlook.live.com/calendar/0/deeplink/compose', ...compose });
    expect(office).toMatchObject({ place: 'outlook.office.com/calendar/0/deeplink/compose', ...compose });
    expect(yahoo).toMatchObject({
      place: 'calendar.yahoo.com/',
      title: 'iTalk Individual Healing Session',
      st: compact(stored!.startsAt),
      et: compact(stored!.endsAt),
      inv_list: client,
    });
  });

  const download = async (name: RegExp) => {
    const file = page.waitForEvent('download');
    await done.getByRole('button', { name }).click();
    return file;
  };
  await test.step('by the file', async () => {
    const file = await download(/Download Calendar File/);
    expect(file.suggestedFilename()).toBe(
      `italk-session-${isoDate(stored!.startsAt, 'America/New_York')}.ics`,
    );
    await expect(toast(page, 'Calendar file downloaded')).toBeVisible();
    await expect(toast(page, 'Appointment with 60 minute reminder saved.')).toBeVisible();
    expect(sessionsOf(await textOf(file))).toMatchObject([
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
  });
  await test.step('discreetly, if they like, and so again next time', async () => {
    await done.getByRole('switch', { name: 'Keep it discreet' }).check();
    const [session] = sessionsOf(await textOf(await download(/Download Calendar File/)));
    expect(session!.summary).toBe('iTalk session');
    expect(session!.text).not.toMatch(/Healing|Winter/);
    await expect(done.getByRole('link', { name: /^Google/ })).toHaveAttribute(
      'href',
      /text=iTalk%20session&/,
    );
  });
  await test.step('and the contact card is there to keep', async () => {
    const file = await download(/Save Contact Card/);
    expect(file.suggestedFilename()).toBe('italk-contact.vcf');
    await expect(toast(page, 'Contact card downloaded')).toBeVisible();
    const card = cardOf(await textOf(file));
    expect(card.get('org')).toBe('iTalk Health');
    expect(card.get('email')).toBe('support@italk.example');
  });
  await done.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.goto('/home');
  await page.getByRole('button', { name: 'Actions for the appointment with Dr. Ada Winter' }).click();
  await page.getByRole('menuitem', { name: 'Reminder and calendar' }).click();
  await expect(page.getByLabel('Reminder', { exact: true })).toHaveValue('60');
  await expect(page.getByRole('switch', { name: 'Keep it discreet' })).toBeChecked();
});

test('a weekly series is booked whole, and a clash is shown before anything is stored', async ({
  page,
  open,
  product,
}) => {
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
  await expect(plan).toContainText('All 4 sessions are open.');
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
  const file = page.waitForEvent('download');
  await confirmedDialog(page)
    .getByRole('button', { name: /Download Calendar File/ })
    .click();
  const written = sessionsOf(await textOf(await file));
  expect(written.map(({ startsAt }) => startsAt)).toEqual(stored.map(({ startsAt }) => startsAt));
  await confirmedDialog(page).getByRole('button', { name: 'Done' }).click();
  await page.goto('/home');
  await expect(page.getByRole('article', { name: ada.name })).toHaveCount(4);
});

test('the home of a client begins a booking with service and specialist', async ({ page, product }) => {
  const client = someone();
  await signIn(page, client);
  await page.goto('/home');
  await expect(page.getByText('No upcoming appointments')).toBeVisible();
  await page.getByRole('button', { name: 'Schedule an Appointment' }).click();
  const dialog = bookingDialog(page);
  await dialog.getByLabel('Service').selectOption({ label: 'Faith Strengthening' });
  await dialog.getByRole('button', { name: /Pastor Samuel Adeyemi/ }).click();
  await fill(dialog);
  await confirm(dialog);
  await confirmedDialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('article', { name: 'Pastor Samuel Adeyemi' })).toContainText('Upcoming');
  expect(await storedAppointments(product, { client })).toHaveLength(1);
});

test('a specialist who presses Book is told what that needs', async ({ page }) => {
  await signIn(page, 'doctor');
  await page.goto('/');
  await page.getByRole('button', { name: 'Book Consultation' }).nth(1).click();
  const dialog = page.getByRole('dialog', { name: 'Booking' });
  await expect(dialog).toContainText('Access denied. Required permission: book_appointments');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
});

test('times are those of the client’s own zone, and the specialist’s is named', async ({ open, product }) => {
  const ada = await becomeSpecialist(await open(), product);
  const page = await open({ timezoneId: 'America/Los_Angeles' });
  const client = someone();
  await signIn(page, client);
  const dialog = await openBooking(page, ada);
  const start = await fill(dialog, { monthsOn: 1, day: 1 });
  const ours = words(start, 'America/Los_Angeles');
  const theirs = words(start, 'America/New_York');
  expect([ours.time, theirs.time]).toEqual(['06:00 AM', '09:00 AM']);
  await expect(dialog.getByRole('radio', { name: '06:00 AM' })).toBeChecked();
  await expect(dialog).toContainText(
    'Times are in your time zone, Los Angeles. Dr. Ada Winter is in New York time.',
  );
  await expect(dialog.getByRole('region', { name: 'Appointment Summary' })).toContainText(
    `${ours.shortDate}, ${ours.time}`,
  );
  await expect(dialog.getByRole('region', { name: 'Appointment Summary' })).toContainText(
    /New York.*09:00 AM/,
  );
  await confirm(dialog);
  for (const place of [confirmedDialog(page), page.getByRole('article', { name: ada.name })]) {
    await expect(place).toContainText(`${ours.time} – 07:00 AM`);
    await expect(place).toContainText(/New York.*09:00 AM/);
    await page.goto('/home');
  }
  expect(await storedAppointments(product, { client })).toMatchObject([
    { startsAt: new Date(start).toISOString() },
  ]);
});

/** Marks the page, so that a reload would be seen. */
async function markOpen(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(window, { openSinceTheBeginning: true }));
}

async function expectStillOpen(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'openSinceTheBeginning' in window)).toBe(true);
}

function isoDate(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(instant));
}
