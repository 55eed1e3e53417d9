import {
  becomeSpecialist,
  bookDirectly,
  bookingDialog,
  moveInDatabase,
  offeredTimes,
  toast,
  words,
} from './support/booking.ts';
import { call, expect, signIn, someone, test } from './support/fixtures.ts';

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
    'Unread Messages',
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

test('the home of a specialist has its figures, their day, and Edit Profile', async ({ page, product }) => {
  await signIn(page, 'doctor');
  await page.goto('/home');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Dr. Sarah Whitfield');
  const figures = page.getByRole('region', { name: 'Your figures' });
  await expect(figures.getByRole('term').filter({ hasNotText: /confirm/i })).toHaveText([
    "Today's Appointments",
    'Unread Messages',
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
  await expect(page).toHaveURL('/practice');
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Clinical Psychologist');
});

test('the administrator’s dashboard has the figures of the place, and the ways back and out', async ({
  page,
  product,
}) => {
  await signIn(page, 'admin');
  await page.goto('/home');
  const figures = page.getByRole('region', { name: 'Your figures' });
  await expect(figures.getByRole('term')).toHaveText([
    'Pending Approvals',
    'Active Providers',
    'Total Users',
    'System Health',
  ]);
  const [held] = await product.query<{ providers: number; users: number }>(
    `select (select count(*)::integer from providers where listed) as providers,
       (select count(*)::integer from profiles p join users u on u.id = p.id
         where p.erased_at is null and u.email not like '%@unclaimed.invalid') as users`,
  );
  const figure = (name: string) =>
    figures
      .locator('dl > div')
      .filter({ has: page.getByRole('term').filter({ hasText: name }) })
      .getByRole('definition')
      .first();
  await expect(figure('Active Providers')).toHaveText(String(held!.providers));
  await expect(figure('Total Users')).toHaveText(held!.users.toLocaleString('en-US'));
  await expect(figure('System Health')).toHaveText(/^\d+%$/);
  await page.getByRole('banner').getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/home');
  // The page is awake, and nothing is on its way that would miss the session.
  await expect(figure('System Health')).toHaveText(/^\d+%$/);
  await page.waitForLoadState('networkidle');
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await expect(toast(page, 'Signed out successfully')).toBeVisible();
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
  await expect(theirs.getByRole('region', { name: 'Coming Up' })).toContainText('Pending');
  await theirs.getByRole('button', { name: 'Previous day' }).click();
  await theirs.getByRole('button', { name: 'Previous day' }).click();
  const held = theirs.getByRole('region', { name: /^Schedule|schedule/i }).getByRole('article');
  await expect(held).toHaveCount(2);
  await expect(held.nth(0)).toContainText('Completed');
  await expect(held.nth(1)).toContainText('Missed');
});

test('a home that came with the page stays while its script is on its way, whatever is heard meanwhile', async ({
  page,
}) => {
  await signIn(page, 'doctor');
  const { promise: come, resolve: bring } = Promise.withResolvers<void>();
  await page.route(/\/assets\/provider-dashboard-/, async (route) => {
    await come;
    await route.continue();
  });
  // The page awakens once all of it has come: whoever is faster waits for the script.
  const { promise: stands, resolve: awaken } = Promise.withResolvers<void>();
  await page.route(/\/assets\/entry\.client-/, async (route) => {
    await stands;
    await route.continue();
  });
  await page.goto('/home', { waitUntil: 'commit' });
  const help = page.getByRole('button', { name: 'Need help now?' });
  const lines = page.getByRole('group', { name: 'You don’t have to wait' });
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
  awaken();
  await help.focus();
  await page.keyboard.press('Enter');
  await expect(lines).toBeVisible();
  // How many messages wait is known.
  await expect(page).toHaveTitle(/^\(\d+\) /);
  await expect(lines).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
  bring();
  await expect(page.getByRole('link', { name: /unread$/ })).toBeVisible();
  await expect(lines).toBeVisible();
});
