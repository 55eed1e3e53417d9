import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { WebSocket } from 'ws';
import { startProduct } from '../../scripts/product.ts';
import {
  becomeSpecialist,
  bookDirectly,
  bookingDialog,
  confirm,
  confirmedDialog,
  fill,
  moveInDatabase,
  offeredTimes,
  openBooking,
  openDays,
  openTimes,
  storedAppointments,
  toast,
  words,
} from './support/booking.ts';
import { cardOf, sessionsOf, textOf } from './support/calendar.ts';
import { call, expect, password, signIn, someone, test } from './support/fixtures.ts';
import { morningZone } from './support/zones.ts';

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

test('the prompt’s words and picture follow what was asked for', async ({ page }) => {
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  const expectPrompt = async (text: RegExp, icon: string) => {
    await expect(prompt).toContainText(text);
    await expect(
      prompt.locator(`p svg.lucide-${icon}, span[aria-hidden] svg.lucide-${icon}`).first(),
    ).toBeVisible();
    await prompt.getByRole('button', { name: 'Not now, continue browsing' }).click();
    await expect(prompt).toBeHidden();
  };
  await page.goto('/services');
  await page.getByRole('button', { name: 'Book Session for Youth Guidance' }).click();
  await expectPrompt(
    /to book a session with a caring specialist\..*personalised care.*secure and confidential/,
    'calendar-heart',
  );
  await page.goto('/profile');
  await expectPrompt(/access your personal profile and manage your preferences/, 'user-round');
  await page.goto('/resources');
  await page.getByRole('main').getByRole('button', { name: /^Get / }).first().click();
  await expectPrompt(/personalised resources, saved favourites and growth tracking/, 'heart');
  await page
    .getByRole('main')
    .getByRole('button', { name: /favourite/i })
    .first()
    .click();
  await expectPrompt(/Sign in to save your preferences/, 'heart');
  await page.goto('/admin/settings');
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
  await expectPrompt(/Sign in or create a free account.*only takes a moment/, 'heart');
});

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
  await (await openDays(dialog)).first().click();
  await openTimes(dialog);
  const labels = dialog.getByRole('radiogroup', { name: /^Time/ }).locator('label');
  await expect(labels).toHaveText(eighteenTimes);
  // Noon is twelve o'clock, and every label the specialist's own wall clock.
  const starts = await (
    await openTimes(dialog)
  ).evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  expect(starts.map((start) => words(start, 'America/New_York').time)).toEqual(eighteenTimes);
});

test('sessions last 30, 60 or 90 minutes, or as long as their service', async ({ page, product }) => {
  await signIn(page, someone());
  const lengthsOf = async (service: string) => {
    const [specialist] = await product.query<{ id: string }>(
      `select provider_id as id from provider_services join providers on id = provider_id
       where service_id = $1 and listed order by position limit 1`,
      [service],
    );
    const dialog = await openBooking(page, specialist!, service);
    return dialog.getByRole('radiogroup', { name: /^Duration/ }).locator('label');
  };
  await expect(await lengthsOf('individuals')).toHaveText(['30 minutes', '60 minutes', '90 minutes']);
  await expect(await lengthsOf('families')).toHaveText([
    '30 minutes',
    '60 minutes',
    '75 minutes',
    '90 minutes',
  ]);
});

test('a calendar file that the browser can’t make is said so, and can be tried again', async ({
  page,
  open,
  product,
}) => {
  const ada = await becomeSpecialist(await open(), product);
  await signIn(page, someone());
  const dialog = await openBooking(page, ada);
  await fill(dialog);
  await confirm(dialog);
  const done = confirmedDialog(page);
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

test('the home of a client has its cards and its quick actions, each behind its gate', async ({
  page,
  product,
}) => {
  await signIn(page, 'client');
  await page.goto('/home');
  const [held] = await product.query<{ upcoming: number }>(
    `select count(*)::integer as upcoming from appointments join users on users.id = client_id
     where email = 'client@italk.example' and status in ('pending', 'confirmed') and ends_at > now()`,
  );
  const figures = page.getByRole('region', { name: 'Your figures' });
  await expect(figures.getByRole('term')).toHaveText([
    'Upcoming Appointments',
    'Sessions This Month',
    'Hours of Care',
  ]);
  await expect(figures.getByRole('definition').first()).toHaveText(String(held!.upcoming));
  await expect(page.getByRole('button', { name: 'Book Appointment' })).toBeVisible();
  const actions = page.getByRole('region', { name: 'Quick Actions' });
  await expect(actions.getByRole('link', { name: 'Wellness Resources' })).toHaveAttribute(
    'href',
    '/resources',
  );
  await expect(actions.getByRole('link', { name: 'Update Profile' })).toHaveAttribute('href', '/profile');
  await actions.getByRole('button', { name: 'Book an Appointment' }).click();
  await expect(bookingDialog(page)).toBeVisible();
});

test('the Admin link is there for everyone, and the room behind it for administrators', async ({ page }) => {
  const admin = page
    .getByRole('banner')
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Admin/ });
  await page.goto('/');
  await expect(admin).toHaveText('Admin');
  await admin.click();
  await expect(page).toHaveURL('/admin/settings');
  await expect(page.getByRole('main').getByRole('button', { name: 'Sign In' })).toBeVisible();
  for (const who of ['client', 'doctor'] as const) {
    await enterAs(page, who);
    await expect(page.getByRole('main')).toContainText(
      'Access denied. Required permission: access_admin_panel',
    );
  }
  await page.context().clearCookies();
  await signIn(page, 'admin');
  await page.goto('/');
  await expect(admin).toHaveText('Admin Dashboard');
  await admin.click();
  await expect(page.getByRole('main').getByRole('link', { name: 'Moderation' })).toBeVisible();
  await page.goto('/adminsettings');
  await expect(page.getByRole('main').getByRole('link', { name: 'Moderation' })).toBeVisible();
});

async function enterAs(page: Page, who: 'client' | 'doctor'): Promise<void> {
  await page.context().clearCookies();
  await signIn(page, who);
  await page.goto('/admin/settings');
}

/** Client spec, section 6: who may ask for what, by a procedure that needs just that. */
const asked = {
  '/api/buckets': ['admin'],
  '/api/analytics/overview': ['admin'],
  '/api/contact/messages': ['admin'],
  '/api/admin/devotionals': ['admin'],
  '/api/appointments/provider-figures': ['doctor', 'pastor'],
  '/api/prayers/received': ['doctor', 'pastor'],
  '/api/me/authored-resources': ['admin', 'doctor', 'pastor'],
  '/api/prayers/counsellors': ['client'],
  '/api/appointments/client-figures?timeZone=UTC': ['client'],
  '/api/me/resources?kept=got': ['admin', 'doctor', 'pastor', 'client'],
  '/api/me/profile': ['admin', 'doctor', 'pastor', 'client'],
} as const;

test('the server decides by the table of capabilities, whatever a browser shows', async ({
  page,
  product,
}) => {
  for (const who of ['guest', 'admin', 'doctor', 'pastor', 'client'] as const) {
    await page.context().clearCookies();
    if (who !== 'guest') await signIn(page, who);
    for (const [path, may] of Object.entries(asked)) {
      const answer = await page.request.get(`${product.url}${path}`);
      const refusal = who === 'guest' ? 401 : 403;
      expect(answer.status(), `${who} asks ${path}`).toBe(
        (may as readonly string[]).includes(who) ? 200 : refusal,
      );
    }
  }
});

test('a gate that stays shut says why: by role, by one permission, by a list of them', async ({ page }) => {
  const main = page.getByRole('main');
  await signIn(page, 'client');
  await page.goto('/prayers');
  await expect(main).toContainText('Access denied. Insufficient permissions.');
  await page.goto('/admin/inbox');
  await expect(main).toContainText('Access denied. Required permission: access_admin_panel');
  await page.context().clearCookies();
  await signIn(page, 'admin');
  await page.goto('/profile?tab=sessions');
  await expect(main).toContainText(
    'Access denied. Required permissions: view_own_appointments, manage_own_appointments',
  );
});

test('a calendar file says all that the specification asks of it, for every reminder', async ({
  page,
  open,
  product,
}) => {
  const ada = await becomeSpecialist(await open(), product);
  await signIn(page, someone());
  const dialog = await openBooking(page, ada);
  await fill(dialog);
  await confirm(dialog);
  const done = confirmedDialog(page);
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
      `LOCATION:Video meeting: ${product.url}`,
      'STATUS:CONFIRMED',
      'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
      'CLASS:PRIVATE',
      'ORGANIZER;CN=iTalk:mailto:support@italk.example',
    ]) {
      expect(text.split('\r\n')).toContain(line);
    }
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

test('weeks begin on Sunday; Sundays and the days before today can’t be chosen', async ({
  page,
  open,
  product,
}) => {
  const ada = await becomeSpecialist(await open(), product);
  await signIn(page, someone());
  const dialog = await openBooking(page, ada);
  await openDays(dialog);
  const grid = dialog.getByRole('grid');
  await expect(grid.locator('thead th')).toHaveText(['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa']);
  const month = grid.getByRole('button');
  const today = Temporal.Now.plainDateISO('America/Chicago');
  const dates: string[] = [];
  for (const day of await month.all()) {
    const name = (await day.getAttribute('aria-label'))!.replace(/^Today, /, '');
    dates.push(new Date(`${name} UTC`).toISOString().slice(0, 10));
    if (dates.at(-1)! < today.toString()) await expect(day).toBeDisabled();
  }
  // At the end of a month the next one is shown at once.
  if (dates[0]!.startsWith(today.toString().slice(0, 7)))
    expect(dates.filter((date) => date < today.toString())).toHaveLength(today.day - 1);
  await dialog.getByRole('button', { name: 'Next month' }).click();
  const sundays = grid.getByRole('button', { name: /Sunday/ });
  await expect(sundays).not.toHaveCount(0);
  for (const sunday of await sundays.all()) await expect(sunday).toBeDisabled();
  await expect(grid.getByRole('button', { name: /Monday/, disabled: false })).not.toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Previous month' })).toBeEnabled();
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
  await expect(dialog.getByRole('radiogroup', { name: /^Time/ })).toHaveCount(0);
  await expect(dialog.getByRole('radio', { name: 'One-time' })).toBeChecked();
  await expect(summary).toHaveText('');
  await dialog.getByLabel('Service').selectOption({ label: 'Individual Healing' });
  await fill(dialog);
  for (const type of [/^Online Video Call/, /^Phone Call/, /^In-Person/])
    await expect(dialog.getByRole('radio', { name: type })).toBeVisible();
  await expect(summary).toContainText('Online Video Call');
  await expect(summary).toContainText(/\$\d+, settled with your specialist/);
  await dialog.getByRole('textbox', { name: 'Phone' }).fill('+1 555 010 0144');
  await dialog.getByRole('radio', { name: 'Biweekly' }).check();
  await expect(dialog.getByLabel('Number of sessions')).toHaveValue('4');
  const offered = await dialog.getByLabel('Number of sessions').getByRole('option').allTextContents();
  expect(offered.map((text) => Number.parseInt(text, 10))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
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

test('the home of a specialist has its figures, their day, and Edit Profile', async ({ page, product }) => {
  await signIn(page, 'doctor');
  await page.goto('/home');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Dr. Sarah Whitfield');
  const figures = page.getByRole('region', { name: 'Your figures' });
  await expect(figures.getByRole('term').filter({ hasNotText: /confirm/i })).toHaveText([
    "Today's Appointments",
    'This Month',
    'Rating',
  ]);
  const [held] = await product.query<{ today: number; rating: string }>(
    `select to_char(rating_sum::numeric / rating_count, 'FM0.0') as rating,
       (select count(*)::integer from appointments where provider_id = providers.id
          and status <> 'cancelled'
          and (starts_at at time zone time_zone)::date = (now() at time zone time_zone)::date) as today
     from providers join users using (id) where email = 'doctor@italk.example'`,
  );
  const figure = (name: string) =>
    figures
      .locator('div')
      .filter({ has: page.getByRole('term').filter({ hasText: name }) })
      .getByRole('definition')
      .first();
  await expect(figure("Today's Appointments")).toHaveText(String(held!.today));
  await expect(figure('Rating')).toHaveText(held!.rating);
  await expect(page.getByRole('heading', { name: "Today's Schedule" })).toBeVisible();
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await expect(page).toHaveURL('/profile');
  await expect(page.getByLabel('Full Name')).toHaveValue('Dr. Sarah Whitfield');
});

test('the first session with a specialist is a consultation, the next a follow-up, each with all its facts', async ({
  page,
  open,
  product,
}) => {
  const theirs = await open({ timezoneId: 'America/New_York' });
  const ada = await becomeSpecialist(theirs, product);
  await signIn(page, someone());
  const times = await offeredTimes(page, product, ada);
  const first = await bookDirectly(page, ada, times.at(0)!);
  const next = await bookDirectly(page, ada, times.at(-1)!);
  const kinds = await product.query(
    'select id, kind from appointments where id = any($1) order by starts_at',
    [[first, next]],
  );
  expect(kinds).toEqual([
    { id: first, kind: 'consultation' },
    { id: next, kind: 'follow-up' },
  ]);
  await page.goto('/home');
  const own = page.getByRole('article', { name: ada.name }).first();
  const at = words(times.at(0)!);
  for (const text of ['Upcoming', 'Individual Healing', 'Phone Call', '60 minutes', at.date, at.time])
    await expect(own).toContainText(text);
  await theirs.goto('/home');
  const seen = words(times.at(0)!, 'America/New_York');
  await theirs.getByRole('button').filter({ hasText: seen.day }).click();
  const card = theirs.getByRole('article');
  for (const text of ['Consultation', 'Confirmed', 'Individual Healing', 'Phone Call', seen.date, seen.time])
    await expect(card).toContainText(text);
});

test('a specialist reads what was completed and what was missed', async ({ page, open, product }) => {
  const theirs = await open({ timezoneId: 'America/New_York' });
  const ada = await becomeSpecialist(theirs, product, { approvesFirst: true });
  await signIn(page, someone());
  const [times, day] = [
    await offeredTimes(page, product, ada),
    Temporal.Now.plainDateISO('America/New_York').subtract({ days: 2 }),
  ];
  for (const [hour, outcome] of [
    ['10:00', 'complete'],
    ['14:00', 'no-show'],
  ] as const) {
    const id = await bookDirectly(page, ada, hour === '10:00' ? times.at(0)! : times.at(-1)!);
    await call(theirs, `/api/appointments/${id}/confirm`, {});
    const start = day.toZonedDateTime({ timeZone: 'America/New_York', plainTime: hour });
    await moveInDatabase(product, id, new Date(start.epochMilliseconds));
    await call(theirs, `/api/appointments/${id}/${outcome}`, {});
  }
  await bookDirectly(page, ada, times.at(-1)!);
  await theirs.goto('/home');
  await expect(theirs.getByRole('region', { name: 'Waiting for your confirmation' })).toContainText(
    'Pending',
  );
  await theirs.getByRole('button', { name: 'Previous day' }).click();
  await theirs.getByRole('button', { name: 'Previous day' }).click();
  const held = theirs.getByRole('region', { name: /^Schedule|schedule/i }).getByRole('article');
  await expect(held).toHaveCount(2);
  await expect(held.nth(0)).toContainText('Completed');
  await expect(held.nth(1)).toContainText('Missed');
});

test('a card of the library says type, category, author, what it is about, length, rating and downloads', async ({
  page,
  product,
}) => {
  for (const [type, name] of Object.entries({
    book: 'Book',
    video: 'Video',
    audio: 'Audio',
    devotional: 'Devotional',
  })) {
    const [stored] = await product.query<Record<'title' | 'author' | 'description', string>>(
      `select title, author, description from resources where status = 'published' and type = $1
       order by rating_count desc limit 1`,
      [type],
    );
    await page.goto(`/resources?q=${encodeURIComponent(stored!.title)}`);
    const card = page
      .locator('section[aria-labelledby="library"]')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: stored!.title, exact: true }) });
    await expect(card).toContainText(
      new RegExp(
        `${name} · (Individual Healing|Family & Relationships|Youth & Teen Support|Grief Support|Spiritual Struggles)`,
      ),
    );
    await expect(card).toContainText(`by ${stored!.author}`);
    await expect(card).toContainText(stored!.description);
    await expect(card).toContainText(/\d(\.\d)? out of 5 stars|Not rated yet/);
    await expect(card).toContainText(/\d+ downloads?|Not downloaded yet/);
    if (type === 'audio') await expect(card).toContainText(/\d+ min/);
    await expect(card.getByRole('button', { name: /^Get / })).toBeVisible();
  }
});

test('progress is counted from what a person did', async ({ page, product }) => {
  const email = someone('counted');
  await signIn(page, email);
  await page.goto('/profile?tab=progress');
  const figures = page.getByRole('tabpanel', { name: 'Progress' }).getByRole('definition');
  await expect(figures).toHaveText(['0', '0', '0', '0']);
  const [resource] = await product.query<{ id: string }>(
    `select id from resources where status = 'published' limit 1`,
  );
  await call(page, `/api/resources/${resource!.id}/take`, {});
  const goal = await call<{ id: string }>(page, '/api/goals', { title: 'Call my brother' });
  await product.query('update goals set achieved_at = now() where id = $1', [goal.id]);
  await page.reload();
  await expect(figures).toHaveText(['0', '1', '1', '1']);
  await page.context().clearCookies();
  await signIn(page, 'client');
  await page.goto('/profile?tab=progress');
  const [held] = await product.query<{ sessions: number }>(
    `select count(*)::integer as sessions from appointments join users on users.id = client_id
     where email = 'client@italk.example' and status = 'completed'`,
  );
  await expect(figures.first()).toHaveText(String(held!.sessions));
});

test('an account that is deleted can be kept for fourteen days', async ({ page, product }) => {
  const email = someone('leaving');
  await signIn(page, email);
  await page.goto('/profile?tab=privacy');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await expect(
    page
      .getByRole('main')
      .getByText(/Your account will be deleted on/)
      .first(),
  ).toBeVisible();
  const of = 'from profiles join users using (id) where email = $1';
  const left = await product.query(
    `select round(extract(epoch from delete_after - now()) / 86400)::integer as days ${of}`,
    [email],
  );
  expect(left).toEqual([{ days: 14 }]);
  await page.getByRole('main').getByRole('button', { name: 'Keep my account' }).first().click();
  await expect(page.getByRole('main').getByText(/Your account will be deleted on/)).toHaveCount(0);
  expect(await product.query(`select delete_after ${of}`, [email])).toEqual([{ delete_after: null }]);
});

test('Session Reminders and Community Updates decide what is sent', async ({ page, open, product }) => {
  // Alarms are looked at twice a minute, mornings once.
  test.setTimeout(240_000);
  const ada = await becomeSpecialist(await open(), product);
  const [quiet, glad] = [someone('quiet'), someone('glad')];
  const other = await open();
  await signIn(page, quiet);
  await signIn(other, glad);
  const times = await offeredTimes(page, product, ada);
  await bookDirectly(page, ada, times.at(0)!);
  await bookDirectly(other, ada, times.at(-1)!);
  for (const one of [page, other]) await call(one, '/api/me/preferences', { communityUpdates: true });
  await page.goto('/profile?tab=settings');
  await page.getByRole('switch', { name: 'Session Reminders' }).click();
  await expect(toast(page, 'Session Reminders: off')).toBeVisible();
  await page.getByRole('switch', { name: 'Community Updates' }).click();
  await expect(toast(page, 'Community Updates: off')).toBeVisible();
  const both = 'select id from users where email = any($1)';
  // As if it were the time of their reminders, and a Monday's morning after a year of new works.
  await product.query(`update users set email_verified = true where id in (${both})`, [[quiet, glad]]);
  await product.query(`update profiles set time_zone = $2 where id in (${both})`, [
    [quiet, glad],
    morningZone(),
  ]);
  await product.query(
    `update mornings set stale = false, community_at = now(), community_from = now() - interval '1 year'
     where person_id in (${both})`,
    [[quiet, glad]],
  );
  await product.query(
    `update jobs.job set start_after = now() where data -> 'payload' ->> 'reminderId' in
       (select id::text from reminders where person_id in (${both}))`,
    [[quiet, glad]],
  );
  const sent = (kind: string) => () =>
    product.query<{ recipient: string }>(
      'select distinct recipient from mails where key like $2 and recipient = any($1)',
      [[quiet, glad], `${kind}:%`],
    );
  await expect.poll(sent('reminder'), { timeout: 60_000 }).toEqual([{ recipient: glad }]);
  await expect.poll(sent('community'), { timeout: 100_000 }).toEqual([{ recipient: glad }]);
  const unsent = () =>
    product.query(
      `select person_id from reminders where person_id in (${both}) and sent_at is null
       union all select person_id from mornings where person_id in (${both}) and community_at <= now()`,
      [[quiet, glad]],
    );
  await expect.poll(unsent, { timeout: 100_000 }).toEqual([]);
  for (const kind of ['reminder', 'community']) expect(await sent(kind)()).toEqual([{ recipient: glad }]);
});

test('a story on the landing page tells whose it is, where from, and of which service', async ({
  page,
  product,
}) => {
  await product.query('notify pages');
  await page.goto('/');
  const answer = await page.request.get('/api/reviews/featured');
  const told = (await answer.json()) as {
    name: string;
    place: string;
    service: { title: string };
    rating: number;
    text: string;
  }[];
  expect(told.length).toBeGreaterThanOrEqual(6);
  for (const { name, place, service, rating, text } of told.slice(0, 6)) {
    const story = page.getByRole('listitem').filter({ hasText: text });
    await expect(story).toContainText(`${rating} out of 5 stars`);
    await expect(story).toContainText(name);
    await expect(story).toContainText(`${place} · ${service.title}`);
  }
});

test('in production HIPAA is claimed once it is attested, and no hint invites to try', async ({
  request,
}) => {
  test.setTimeout(180_000);
  const demo = await startProduct();
  const [database] = await demo.query<{ folder: string }>(
    `select current_setting('unix_socket_directories') as folder`,
  );
  const env = {
    ITALK_MODE: 'production',
    DATABASE_URL: `postgres://italk@localhost/italk?host=${encodeURIComponent(database!.folder)}`,
    APP_URL: 'https://italk.example',
    AUTH_SECRET: randomBytes(32).toString('base64url'),
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64url')}`,
    ADMIN_EMAILS: 'admin@italk.example',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'iTalk <no-reply@italk.example>',
    TRUSTED_PROXIES: '0',
  };
  try {
    for (const [attested, sentence] of [
      ['false', 'Sessions are held in a secure, private environment.'],
      ['true', 'Sessions are held in a secure, privacy-minded, HIPAA-compliant environment.'],
    ] as const) {
      const live = await startProduct({ env: { ...env, HIPAA_ATTESTED: attested } });
      try {
        const page = await (await request.get(`${live.url}/`)).text();
        expect(page).toContain(sentence);
        expect(page.includes('HIPAA-compliant')).toBe(attested === 'true');
        const card = await (await request.get(`${live.url}/?auth=1`)).text();
        expect(card).toContain('Sign in to iTalk');
        expect(card).not.toContain('Demo: Use any email');
      } finally {
        await live.stop();
      }
    }
  } finally {
    await demo.stop();
  }
});

test('a lost connection is tried again after 1, 2 and 5 seconds, then every 10', async ({ page }) => {
  await signIn(page, 'client');
  await page.clock.install();
  // A network on which the first socket opens and none after it: a browser can't be told to do that.
  await page.addInitScript(() => {
    const sockets: EventTarget[] = [];
    class LostSocket extends EventTarget {
      constructor() {
        super();
        sockets.push(this);
        const type = sockets.length === 1 ? 'open' : 'close';
        queueMicrotask(() => this.dispatchEvent(new CloseEvent(type, { code: 1006 })));
      }
      close(): void {
        this.dispatchEvent(new CloseEvent('close', { code: 1000 }));
      }
    }
    Object.assign(window, { WebSocket: LostSocket, sockets });
  });
  await page.goto('/home');
  const tries = () => page.evaluate(() => (window as unknown as { sockets: EventTarget[] }).sockets.length);
  await expect(page.getByRole('heading', { name: 'Upcoming Appointments' })).toBeVisible();
  await expect.poll(tries).toBe(1);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await page.evaluate(() =>
    (window as unknown as { sockets: EventTarget[] }).sockets[0]!.dispatchEvent(
      new CloseEvent('close', { code: 1006 }),
    ),
  );
  for (const [at, wait] of [1_000, 2_000, 5_000, 10_000, 10_000].entries()) {
    await page.clock.runFor(wait - 1);
    expect(await tries(), `before ${wait} ms have passed`).toBe(at + 1);
    await page.clock.runFor(1);
    expect(await tries(), `after ${wait} ms`).toBe(at + 2);
  }
});

test('the server’s heart beats every 25 seconds', async ({ page, product }) => {
  test.setTimeout(90_000);
  await signIn(page, 'client');
  const cookie = (await page.context().cookies(product.url))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
  const socket = new WebSocket(`${product.url.replace('http', 'ws')}/realtime`, {
    headers: { cookie, origin: product.url },
  });
  const beats: number[] = [];
  socket.on('ping', () => beats.push(Date.now()));
  try {
    await expect.poll(() => beats.length, { timeout: 60_000 }).toBe(2);
    expect(Math.abs(beats[1]! - beats[0]! - 25_000)).toBeLessThan(1_000);
  } finally {
    socket.terminate();
  }
});

test('a session lives on with use, and ends after the idle time', async ({ page, product }) => {
  const email = someone('idle');
  await signIn(page, email);
  const of = `where user_id = (select id from users where email = $1)`;
  const idleSince = (minutes: number) =>
    product.query(`update sessions set updated_at = now() - make_interval(mins => $2) ${of}`, [
      email,
      minutes,
    ]);
  const me = async () => (await (await page.request.get('/api/me')).json()) as { email: string } | null;
  await idleSince(29);
  expect(await me()).toMatchObject({ email });
  const [session] = await product.query<{ left: number }>(
    `select extract(epoch from expires_at - now())::integer / 60 as left from sessions ${of}`,
    [email],
  );
  expect(session!.left).toBeGreaterThanOrEqual(29);
  await idleSince(31);
  expect(await me()).toBeNull();
});

test('the administrator’s dashboard has the figures of the place, and the ways back and out', async ({
  page,
  product,
}) => {
  await signIn(page, 'admin');
  await page.goto('/home');
  const figures = page.getByRole('region', { name: 'Your figures' });
  await expect(figures.getByRole('term')).toHaveText(['Active Providers', 'Total Users', 'System Health']);
  const [held] = await product.query<{ providers: number; users: number }>(
    `select (select count(*)::integer from providers where listed) as providers,
       (select count(*)::integer from users) as users`,
  );
  const values = figures.getByRole('definition');
  await expect(values.nth(0)).toHaveText(String(held!.providers));
  await expect(values.nth(1)).toHaveText(held!.users.toLocaleString('en-US'));
  await expect(values.nth(2)).toHaveText('Healthy');
  await page.getByRole('banner').getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/home');
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await expect(toast(page, 'Signed out successfully')).toBeVisible();
});
