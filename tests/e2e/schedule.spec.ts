import type { Locator, Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, offeredTimes, storedAppointments, toast } from './support/booking.ts';
import { call, expect, forgetSession, signIn, someone, test } from './support/fixtures.ts';
import {
  expectFocusKept,
  expectFocusSeen,
  expectHoldsFocus,
  press,
  tabTo,
  typeInto,
} from './support/keyboard.ts';
import { expectFair, expectNoViolation, phone } from './support/look.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

const zone = 'America/New_York';

interface Provider {
  id: string;
  email: string;
}

interface Client {
  id: string;
  email: string;
  name: string;
}

/** A date on New York's clocks so many days from now. */
function dateIn(days: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.now() + days * 86_400_000);
}

/** The date so many days after another. */
function after(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The Sunday of the week after next: far enough from now that nothing of it is over or too close. */
function sundayAhead(): string {
  const date = dateIn(14);
  return after(date, -new Date(`${date}T00:00Z`).getUTCDay());
}

/** A date in words, such as `Monday, March 2`. */
function words(date: string, options: Intl.DateTimeFormatOptions = {}): string {
  return new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
    ...options,
  }).format(Date.parse(`${date}T00:00Z`));
}

/** A client's account with a name; `page` is left signed in as them. */
async function become(page: Page, product: Product, name: string): Promise<Client> {
  const email = someone('served');
  await signIn(page, email);
  const [row] = await product.query<{ id: string }>(
    'update users set name = $2 where email = $1 returning id',
    [email, name],
  );
  await product.query('update profiles set full_name = $2 where id = $1', [row!.id, name]);
  return { id: row!.id, email, name };
}

/** Stores a session as the product would, of an hour from a time on New York's clocks. */
async function addSession(
  product: Product,
  of: { provider: Provider; client: Client; at: string; status?: string; name?: string },
): Promise<void> {
  await product.query(
    `with booked as (
       insert into bookings (id, client_id, idempotency_key, fingerprint, recurrence, created_at)
       values (gen_random_uuid(), $2, gen_random_uuid(), '', 'one_time', now()) returning id),
     stored as (
       insert into appointments (id, booking_id, series_index, series_count, client_id, provider_id, service_id, status, kind,
         session_type, starts_at, ends_at, blocked_until, local_date, price_cents, contact_name, contact_email,
         client_time_zone, reminder_minutes, created_at, updated_at)
       select gen_random_uuid(), booked.id, 1, 1, $2, $1, 'individuals', $6, 'consultation', 'online', at,
           at + interval '1 hour', at + interval '1 hour', $5::timestamp::date, 9000, $3, $4, 'America/Chicago', 60,
           now() - interval '1 day', now()
         from booked, (select $5::timestamp at time zone 'America/New_York' as at) as moment
       returning id, client_id, provider_id, starts_at, ends_at, status)
     insert into participants (appointment_id, person_id, starts_at, ends_at, held)
       select id, unnest(array[client_id, provider_id]), starts_at, ends_at, status in ('pending', 'confirmed') from stored`,
    [
      of.provider.id,
      of.client.id,
      of.name ?? of.client.name,
      of.client.email,
      of.at,
      of.status ?? 'confirmed',
    ],
  );
}

/** A session in the calendar, whatever its state. */
function session(page: Page, name: string): Locator {
  return page
    .getByRole('listitem')
    .getByRole('button', { name: new RegExp(`^(?=\\d\\d:\\d\\d [AP]M).*${name}`) });
}

/** Goes back to a control with Shift and Tab. */
async function backTo(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Shift+Tab');
    await expectFocusSeen(page);
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Not reached backwards: ${String(control)}`);
}

/** Opens a session's dialog. */
async function openSession(page: Page, name: string): Promise<Locator> {
  await session(page, name).click();
  const dialog = page.getByRole('dialog', { name: `Session with ${name}` });
  await expect(dialog.getByRole('article')).toBeVisible();
  return dialog;
}

/** Chooses an action of the dialog's menu and answers what it asks. */
async function act(page: Page, dialog: Locator, action: string, { reason = '', sure = action } = {}) {
  const button = dialog.getByRole('button', { name: action, exact: true });
  if (!(await button.isVisible())) {
    await dialog.getByRole('button', { name: /^Actions for/ }).click();
    await dialog.getByRole('menuitem', { name: action }).click();
  } else await button.click();
  const question = page.getByRole('alertdialog');
  if (reason) await question.getByLabel('Reason').fill(reason);
  await question.getByRole('button', { name: sure, exact: true }).click();
  await expect(question).toBeHidden();
}

/** Closes a dialog by its button: Escape would put away a notification first. */
async function close(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
}

test('from a session in the calendar a provider confirms, declines, moves, cancels with a reason, completes, notes a no-show and an emergency', async ({
  page,
  product,
}) => {
  test.slow();
  const provider = await becomeSpecialist(page, product, { approvesFirst: true });
  const client = await become(page, product, 'Ruth Amsel');
  const monday = after(sundayAhead(), 1);
  const past = dateIn(-3);
  const sessions = [
    ['Confirmed Anna', `${monday} 09:00`, 'pending'],
    ['Declined Beth', `${monday} 11:00`, 'pending'],
    ['Moved Clara', `${monday} 14:00`, 'confirmed'],
    ['Cancelled Dora', `${after(monday, 1)} 09:00`, 'confirmed'],
    ['Urgent Emma', `${after(monday, 1)} 11:00`, 'confirmed'],
    ['Completed Fay', `${past} 09:00`, 'confirmed'],
    ['Missed Grace', `${past} 11:00`, 'confirmed'],
  ] as const;
  for (const [name, at, status] of sessions)
    await addSession(product, { provider, client, name, at, status });
  const stored = async (name: string) =>
    (await storedAppointments(product, { specialist: provider.email })).find(
      (one) => one.contactName === name,
    )!;
  await signIn(page, provider.email);

  await page.goto(`/schedule?view=week&date=${monday}`);
  const waiting = page.getByRole('region', { name: 'Waiting for your answer' });
  await expect(waiting.getByRole('listitem')).toHaveCount(2);
  await expect(page.getByText('You confirm each booking yourself.')).toBeVisible();
  await waiting
    .getByRole('listitem')
    .filter({ hasText: 'Declined Beth' })
    .getByRole('button', { name: 'Decline', exact: true })
    .click();
  await page.getByRole('alertdialog').getByLabel('Reason').fill('I am away that day.');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(session(page, 'Declined Beth')).toHaveCount(0);
  await expectFocusKept(page);
  expect((await stored('Declined Beth')).status).toBe('cancelled');

  let dialog = await openSession(page, 'Confirmed Anna');
  await expect(dialog.getByRole('link', { name: 'Open Confirmed Anna’s page' })).toHaveAttribute(
    'href',
    `/clients/${client.id}`,
  );
  await act(page, dialog, 'Confirm');
  await expect(dialog.getByText('Confirmed', { exact: true })).toBeVisible();
  await close(dialog);
  await expect(waiting).toBeHidden();
  expect((await stored('Confirmed Anna')).status).toBe('confirmed');

  dialog = await openSession(page, 'Cancelled Dora');
  await act(page, dialog, 'Cancel appointment', { reason: 'I am ill.' });
  await expect(dialog.getByText('I am ill.')).toBeVisible();
  await close(dialog);
  await expect(session(page, 'Cancelled Dora')).toHaveCount(0);
  await expectFocusKept(page);

  dialog = await openSession(page, 'Urgent Emma');
  await act(page, dialog, 'Mark as emergency');
  await expect(dialog.getByText('Emergency', { exact: true })).toBeVisible();
  await close(dialog);
  await expect(session(page, 'Urgent Emma')).toContainText('Emergency');

  const before = (await stored('Moved Clara')).startsAt;
  dialog = await openSession(page, 'Moved Clara');
  await dialog.getByRole('button', { name: /^Actions for/ }).click();
  await dialog.getByRole('menuitem', { name: 'Reschedule' }).click();
  const move = page.getByRole('dialog', { name: 'Reschedule' });
  await move.getByRole('button', { name: 'Next month' }).click();
  await move.getByRole('grid').locator('button:not(:disabled)').first().click();
  await move.getByRole('radio').first().check();
  await move.getByRole('button', { name: 'Move appointment' }).click();
  await expect(move).toBeHidden();
  expect((await stored('Moved Clara')).startsAt).not.toBe(before);
  await close(dialog);

  await page.goto(`/schedule?view=day&date=${past}`);
  dialog = await openSession(page, 'Completed Fay');
  await act(page, dialog, 'Mark as completed');
  await expect(dialog.getByText('Completed', { exact: true })).toBeVisible();
  await close(dialog);
  dialog = await openSession(page, 'Missed Grace');
  await act(page, dialog, 'Mark as missed');
  await close(dialog);
  await expect(session(page, 'Missed Grace')).toContainText('Missed');
  expect((await stored('Completed Fay')).status).toBe('completed');
  expect((await stored('Missed Grace')).status).toBe('no_show');
});

test('who was asked about a session that goes meanwhile keeps the focus', async ({ page, product, open }) => {
  const provider = await becomeSpecialist(page, product, { approvesFirst: true });
  const client = await become(page, product, 'Ruth Amsel');
  const monday = after(sundayAhead(), 1);
  for (const [name, at] of [
    ['Going Gail', `${monday} 09:00`],
    ['Staying Sue', `${monday} 11:00`],
  ] as const)
    await addSession(product, { provider, client, name, at, status: 'pending' });
  const elsewhere = await open();
  await signIn(elsewhere, provider.email);
  await signIn(page, provider.email);
  await page.goto(`/schedule?view=week&date=${monday}`);
  const row = page
    .getByRole('region', { name: 'Waiting for your answer' })
    .getByRole('listitem')
    .filter({ hasText: 'Going Gail' });
  await row.getByRole('button', { name: 'Decline', exact: true }).click();
  const question = page.getByRole('alertdialog');
  await question.getByLabel('Reason').click();
  const [going] = (await storedAppointments(product, { specialist: provider.email })).filter(
    ({ contactName }) => contactName === 'Going Gail',
  );
  await call(elsewhere, `/api/appointments/${going!.id}/decline`, {});
  await expect(row).toHaveCount(0);
  await expect(question).toHaveCount(0);
  await expectFocusKept(page);
});

test('the keyboard alone leads through day, week and month, the address follows, and the way back is kept', async ({
  page,
  product,
}) => {
  const provider = await becomeSpecialist(page, product);
  const client = await become(page, product, 'Ruth Amsel');
  const monday = after(sundayAhead(), 1);
  await addSession(product, { provider, client, at: `${monday} 09:00` });
  await addSession(product, { provider, client, at: `${monday} 11:00`, status: 'pending' });
  await signIn(page, provider.email);
  await page.goto('/home');
  await press(page, page.getByRole('link', { name: 'Open schedule' }));
  await expect(page).toHaveURL(/\/schedule\?view=day/);
  const today = dateIn(0);
  await press(page, page.getByRole('link', { name: 'Week', exact: true }));
  await expect(page).toHaveURL(/view=week/);
  const day = (date: string) => page.getByRole('grid', { name: 'Days' }).locator(`[data-date="${date}"]`);
  await tabTo(page, day(today));
  await expect(day(today)).toHaveAccessibleName(`Today, ${words(today)}: no sessions`);
  await expect(day(today)).toHaveAttribute('aria-current', 'date');

  await page.keyboard.press('PageDown');
  await expect(day(after(today, 7))).toBeFocused();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('Home');
  const sunday = sundayAhead();
  await expect(day(sunday)).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`date=${sunday}`));
  await page.keyboard.press('ArrowRight');
  await expect(day(monday)).toBeFocused();
  await expect(day(monday)).toHaveAccessibleName(`${words(monday)}: 2 sessions, 1 waiting`);
  await expectFocusSeen(page);
  // The column is a list of the same two.
  const column = page.getByRole('list', { name: words(monday) });
  await expect(column.getByRole('button', { name: /Ruth Amsel/ })).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`view=day&date=${monday}`));
  await expect(
    page.getByRole('heading', { level: 2, name: words(monday, { year: 'numeric' }) }),
  ).toBeVisible();
  await press(page, session(page, '09:00 AM.*Ruth Amsel'));
  const dialog = page.getByRole('dialog', { name: 'Session with Ruth Amsel' });
  await expectHoldsFocus(dialog);
  await page.keyboard.press('Escape');
  await expect(session(page, '09:00 AM.*Ruth Amsel')).toBeFocused();
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`view=week&date=${monday}`));

  // The session is still there, and so is the focus.
  await expect(session(page, '09:00 AM.*Ruth Amsel')).toBeFocused();
  await backTo(page, page.getByRole('link', { name: 'Month', exact: true }));
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('heading', {
      level: 2,
      name: words(monday, { month: 'long', year: 'numeric', weekday: undefined, day: undefined }),
    }),
  ).toBeVisible();
  await tabTo(page, day(monday));
  await page.keyboard.press('ArrowDown');
  await expect(day(after(monday, 7))).toBeFocused();
  await page.keyboard.press('End');
  await expect(day(after(monday, 12))).toBeFocused();
  await page.keyboard.press('PageUp');
  await page.keyboard.press('t');
  await expect(day(today)).toBeFocused();
  await expect(day(today)).toHaveAttribute('tabindex', '0');
  await expect(page.getByRole('grid', { name: 'Days' }).locator('[tabindex="0"]')).toHaveCount(1);
});

test('a month of 300 appointments stays usable: a bounded page, the focus moves, a day opens', async ({
  page,
  product,
}) => {
  const provider = await becomeSpecialist(page, product);
  const client = await become(page, product, 'Ruth Amsel');
  const first = `${after(`${sundayAhead().slice(0, 7)}-28`, 7).slice(0, 7)}-01`;
  for (let day = 0; day < 28; day += 1) {
    // Eleven a day, on the last two none; none of them holds the time of the other.
    if (day >= 27) break;
    await product.query(
      `insert into bookings (id, client_id, idempotency_key, fingerprint, recurrence, created_at)
       values (gen_random_uuid(), $1, gen_random_uuid(), '', 'one_time', now())`,
      [client.id],
    );
    await product.query(
      `insert into appointments (id, booking_id, series_index, series_count, client_id, provider_id, service_id, status,
         kind, session_type, starts_at, ends_at, blocked_until, local_date, price_cents, contact_name, contact_email,
         client_time_zone, reminder_minutes, created_at, updated_at)
       select gen_random_uuid(), (select id from bookings where client_id = $1 limit 1), 1, 1, $1, $2, 'individuals',
         'confirmed', 'follow-up', 'online', at, at + interval '1 hour', at + interval '1 hour', $3::date, 0,
         'Client ' || n, 'c@people.example', 'UTC', 15, now(), now()
       from generate_series(1, 12) as n,
         lateral (select ($3::date + (n + 7) * interval '1 hour') at time zone 'America/New_York' as at) as moment`,
      [client.id, provider.id, after(first, day)],
    );
  }
  const [{ count }] = (await product.query<{ count: string }>(
    'select count(*) from appointments where provider_id = $1',
    [provider.id],
  )) as [{ count: string }];
  expect(Number(count)).toBeGreaterThanOrEqual(300);

  await signIn(page, provider.email);
  await page.goto(`/schedule?view=month&date=${first}`);
  const day = (date: string) => page.getByRole('grid', { name: 'Days' }).locator(`[data-date="${date}"]`);
  await expect(day(first)).toHaveAccessibleName(/: 12 sessions$/);
  // At most six weeks of cells with four lines each.
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1_500);
  await expect(page.getByText('+9 more').first()).toBeVisible();
  await tabTo(page, day(first));
  for (const [key, days] of [
    ['ArrowRight', 1],
    ['ArrowDown', 8],
    ['ArrowDown', 15],
    ['ArrowLeft', 14],
  ] as const) {
    await page.keyboard.press(key);
    await expect(day(after(first, days))).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`view=day&date=${after(first, 14)}`));
  await expect(page.getByRole('listitem').getByRole('button', { name: /Client \d+/ })).toHaveCount(12);
  await page.goBack();
  await page.setViewportSize(phone);
  await expect(day(after(first, 14))).toBeVisible();
  await day(after(first, 2)).click();
  await expect(
    page.getByRole('heading', { level: 3, name: words(after(first, 2), { year: 'numeric' }) }),
  ).toBeVisible();
  await expect(page.getByRole('listitem').getByRole('button', { name: /Client \d+/ })).toHaveCount(12);
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1_500);
  await expectFair(page, 'a full month', { dark: true });
});

test('time that a provider blocks is gone for a client in another browser, and comes back when it is given free', async ({
  page,
  open,
  product,
}) => {
  const provider = await becomeSpecialist(page, product);
  const client = await become(page, product, 'Ruth Amsel');
  const tuesday = after(sundayAhead(), 2);
  await addSession(product, { provider, client, at: `${tuesday} 10:00` });
  const other = await open();
  await signIn(other, someone('other'));
  const ofDay = async () =>
    (await offeredTimes(other, product, provider)).filter(
      (start) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.parse(start)) === tuesday,
    );
  const before = await ofDay();
  expect(before.length).toBeGreaterThan(5);
  await signIn(page, provider.email);
  await page.goto(`/schedule?view=day&date=${tuesday}`);
  await press(page, page.getByRole('button', { name: 'Block time' }));
  const dialog = page.getByRole('dialog', { name: 'Block time' });
  await expectHoldsFocus(dialog);
  // What makes no sense is said at its field, and nothing typed is lost.
  await dialog.getByLabel('From', { exact: true }).fill('09:00');
  await dialog.getByLabel('To', { exact: true }).fill('08:00');
  await dialog.getByLabel('Note').fill('The dentist');
  await dialog.getByRole('button', { name: 'Block this time' }).click();
  await expect(dialog.getByText('The end must come after the beginning.')).toBeVisible();
  await expect(dialog.getByLabel('To', { exact: true })).toBeFocused();
  await expectNoViolation(page, 'a block with a problem');
  await dialog.getByLabel('To', { exact: true }).fill('19:00');
  await expect(dialog.getByText('One session stands in this time.')).toBeVisible();
  await expect(dialog.getByLabel('Note')).toHaveValue('The dentist');
  await dialog.getByRole('button', { name: 'Block this time' }).click();
  await expect(dialog).toBeHidden();
  const block = page.getByRole('listitem').getByRole('button', { name: /The dentist/ });
  await expect(block).toBeVisible();
  await expect(session(page, 'Ruth Amsel')).toBeVisible();
  expect(await ofDay()).toEqual([]);
  await page.getByRole('link', { name: 'Month', exact: true }).click();
  await expect(
    page.getByRole('grid', { name: 'Days' }).locator(`[data-date="${tuesday}"]`),
  ).toHaveAccessibleName(`${words(tuesday)}: 1 session, Blocked time`);
  await page.goBack();

  await block.click();
  const change = page.getByRole('dialog', { name: 'Blocked time' });
  await expectFair(page, 'a block', { dialog: change, dark: true });
  await change.getByRole('button', { name: 'Remove this block' }).click();
  await expect(change).toBeHidden();
  await expect(block).toHaveCount(0);
  expect(await ofDay()).toEqual(before);
  await page.locator('li[data-state="open"]').getByRole('button', { name: 'Undo' }).click();
  await expect(block).toBeVisible();
  expect(await ofDay()).toEqual([]);

  // Whole days, over a weekend.
  await page.getByRole('button', { name: 'Block time' }).click();
  await dialog.getByRole('switch', { name: /Whole days/ }).check();
  await dialog.getByLabel('First day').fill(after(tuesday, 1));
  await dialog.getByLabel('Last day').fill(after(tuesday, 3));
  await dialog.getByRole('button', { name: 'Block this time' }).click();
  await expect(dialog).toBeHidden();
  const [stored] = await product.query<{ hours: string }>(
    `select extract(epoch from ends_at - starts_at)::int / 3600 as hours from time_blocks where provider_id = $1 and note = ''`,
    [provider.id],
  );
  expect(Number(stored!.hours)).toBe(72);
});

test('a provider books for a client: refused with the next free times, then outside their hours; it appears at once on the client’s dashboard', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of (409|400|422|412)/);
  const provider = await becomeSpecialist(page, product);
  const theirs = await open();
  const client = await become(theirs, product, 'Ruth Amsel');
  const wednesday = after(sundayAhead(), 3);
  await addSession(product, { provider, client, at: `${dateIn(-8)} 09:00`, status: 'completed' });
  await theirs.goto('/home');
  await expect(theirs.getByRole('heading', { name: 'Upcoming Appointments', exact: true })).toBeVisible();
  await signIn(page, provider.email);
  await page.goto(`/schedule?view=week&date=${wednesday}`);

  // From an empty time, by the keyboard.
  await press(
    page,
    page.getByRole('button', {
      name: `Free, 09:00 AM – 01:00 PM, ${words(wednesday)}: book for a client`,
    }),
  );
  const dialog = page.getByRole('dialog', { name: 'Book for a client' });
  await expectHoldsFocus(dialog);
  await dialog.getByRole('button', { name: 'Book session' }).click();
  await expect(dialog.getByText('Please choose one of your clients from the list.')).toBeVisible();
  await expect(dialog.getByRole('combobox', { name: 'Client' })).toBeFocused();
  await expectFair(page, 'booking for a client', { dialog, dark: true });
  await dialog.getByRole('combobox', { name: 'Client' }).focus();
  await page.keyboard.type('ruth');
  await expect(dialog.getByRole('option', { name: 'Ruth Amsel' })).toBeVisible();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Service').selectOption('individuals');
  await dialog.getByRole('radio', { name: 'Online Video Call' }).check();
  await expect(dialog.getByRole('radiogroup', { name: /^Duration/ }).locator('label')).toHaveText([
    '30 minutes · $60',
    '60 minutes · $120',
    '90 minutes · $180',
  ]);
  await dialog.getByRole('radio', { name: '60 minutes' }).check();
  await expect(dialog.getByRole('radio', { name: '09:00 AM' })).toBeChecked();

  // Somebody else takes the time meanwhile.
  const other = await open();
  const rival = await become(other, product, 'Rival Rose');
  await addSession(product, { provider, client: rival, at: `${wednesday} 09:00` });
  await dialog.getByRole('button', { name: 'Book session' }).click();
  await expect(dialog.getByRole('alert')).toContainText('That time has just been taken');
  await expect(dialog.getByRole('combobox', { name: 'Client' })).toHaveValue('Ruth Amsel');
  const next = dialog.getByRole('alert').getByRole('button').first();
  await expectNoViolation(page, 'a booking that was refused');
  await next.click();
  await expect(dialog.getByRole('button', { name: 'Book session' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(toast(page, 'Booked for Ruth Amsel.')).toBeVisible();
  await expect(session(page, 'Ruth Amsel')).toBeVisible();
  const upcoming = theirs.getByRole('article').filter({ hasText: 'Dr. Ada Winter' });
  await expect(upcoming).toBeVisible();

  // At seven in the morning nobody is offered a time; the provider can still say so.
  await page.getByRole('button', { name: 'Book for a client', exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Client' }).fill('amsel');
  await dialog.getByRole('option', { name: 'Ruth Amsel' }).click();
  await dialog.getByLabel('Service').selectOption('grief');
  await dialog.getByRole('radio', { name: 'Phone Call' }).check();
  await dialog.getByLabel('Client’s phone number').fill('+1 617 555 0100');
  await dialog.getByRole('switch', { name: /Outside my hours/ }).check();
  await dialog.getByLabel('Date').fill(after(wednesday, 1));
  await dialog.getByLabel('Time', { exact: true }).fill('07:00');
  await dialog.getByRole('radio', { name: 'Weekly', exact: true }).check();
  await dialog.getByLabel('Number of sessions').selectOption('2');
  await dialog.getByRole('button', { name: 'Book session' }).click();
  await expect(toast(page, '2 sessions booked for Ruth Amsel.')).toBeVisible();
  const stored = await storedAppointments(product, { client: client.email, specialist: provider.email });
  expect(stored.filter(({ status }) => status === 'confirmed')).toHaveLength(3);
  await expect(upcoming).toHaveCount(3);
});

test('the calendar changes at once when a client books, and shows rest and days off', async ({
  page,
  open,
  product,
}) => {
  const provider = await becomeSpecialist(page, product, { approvesFirst: true });
  const sunday = sundayAhead();
  await product.query(
    `update providers set rest_kind = 'sabbath', rest_place = 'Jerusalem', rest_latitude = 31.8, rest_longitude = 35.2,
       rest_time_zone = null where id = $1`,
    [provider.id],
  );
  await product.query(
    `insert into date_exceptions (provider_id, date, windows, note) values ($1, $2, '[]', 'The conference')`,
    [provider.id, after(sunday, 4)],
  );
  await page.goto(`/schedule?view=week&date=${sunday}`);
  const day = (days: number) =>
    page.getByRole('grid', { name: 'Days' }).locator(`[data-date="${after(sunday, days)}"]`);
  await expect(day(4)).toHaveAccessibleName(`${words(after(sunday, 4))}: no sessions, The conference`);
  await expect(day(5)).toHaveAccessibleName(/Sabbath rest from \d\d:\d\d [AP]M$/);
  await expect(day(6)).toHaveAccessibleName(/Sabbath rest until \d\d:\d\d [AP]M$/);
  await expect(page.getByRole('list', { name: words(after(sunday, 6)) })).toContainText('Sabbath rest');
  await expect(page.getByText('Times in New York', { exact: true })).toBeVisible();

  const theirs = await open();
  await become(theirs, product, 'Naomi Field');
  const startsAt = (await offeredTimes(theirs, product, provider)).find(
    (start) => start >= `${after(sunday, 1)}T10:00:00Z`,
  )!;
  await call(theirs, '/api/bookings', {
    idempotencyKey: crypto.randomUUID(),
    providerId: provider.id,
    serviceId: 'individuals',
    startsAt,
    durationMinutes: 60,
    sessionType: 'phone',
    contact: { name: 'Naomi Field', email: 'naomi@people.example', phone: '+1 617 555 0100' },
    timeZone: 'America/Chicago',
  });
  await expect(day(1)).toHaveAccessibleName(`${words(after(sunday, 1))}: 1 session, 1 waiting`);
  await expect(session(page, 'Naomi Field')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Waiting for your answer' })).toContainText('Naomi Field');
});

test('the schedule by day, week and month is fair on phones and desktops', async ({ page, product }) => {
  const provider = await becomeSpecialist(page, product);
  const client = await become(page, product, 'Ruth Amsel');
  const monday = after(sundayAhead(), 1);
  await addSession(product, { provider, client, at: `${monday} 09:00` });
  await addSession(product, { provider, client, at: `${monday} 11:00`, status: 'pending' });
  await addSession(product, { provider, client, at: `${monday} 14:00`, status: 'completed' });
  await addSession(product, { provider, client, at: `${monday} 16:00`, status: 'no_show' });
  await product.query(`update providers set rest_kind = 'sunday' where id = $1`, [provider.id]);
  await signIn(page, provider.email);
  for (const view of ['day', 'week', 'month']) {
    await page.goto(`/schedule?view=${view}&date=${monday}`);
    await expect(page.getByText('Times in New York', { exact: true })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expectFair(page, `the ${view}`, { dark: true });
  }
  await page.goto(`/schedule?view=day&date=${monday}`);
  await session(page, 'Ruth Amsel.*Confirmed').click();
  const dialog = page.getByRole('dialog', { name: 'Session with Ruth Amsel' });
  await expect(dialog.getByRole('article')).toBeVisible();
  await expectFair(page, 'a session', { dialog, dark: true });
  await page.keyboard.press('Escape');
  await page.setViewportSize(phone);
  await page.goto(`/schedule?view=week&date=${monday}`);
  await page
    .getByRole('grid', { name: 'Days' })
    .locator(`[data-date="${after(monday, 1)}"]`)
    .click();
  await expect(page.getByText('No sessions on this day')).toBeVisible();
  await expectNoViolation(page, 'an empty day on phones');
  // What is printed is the day's list, without anything to press.
  await page.goto(`/schedule?view=day&date=${monday}`);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(5);
  await expect(page.getByRole('button', { name: 'Block time' })).toBeHidden();
});

test('an address that makes no sense shows this week, a client is told that the room isn’t theirs, a guest how to come in', async ({
  page,
  product,
}) => {
  await page.goto('/schedule?view=year&date=2026-02-31');
  await expect(page.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Book for a client' })).toHaveCount(0);
  const provider = await becomeSpecialist(page, product);
  await page.goto('/schedule?view=year&date=2026-02-31');
  await expect(page.getByRole('grid', { name: 'Days' }).locator('[aria-current="date"]')).toHaveAttribute(
    'data-date',
    dateIn(0),
  );
  expect(provider.id).toBeTruthy();
  await forgetSession(page);
  await signIn(page, 'client');
  await page.goto('/schedule');
  await expect(page.getByText('Access denied', { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Book for a client' })).toHaveCount(0);
});

test('at phone width a provider blocks time and books for a client by the keyboard alone', async ({
  page,
  product,
}) => {
  const provider = await becomeSpecialist(page, product);
  const client = await become(page, product, 'Ruth Amsel');
  await addSession(product, { provider, client, at: `${dateIn(-8)} 09:00`, status: 'completed' });
  await signIn(page, provider.email);
  await page.setViewportSize(phone);
  const thursday = after(sundayAhead(), 4);
  await page.goto(`/schedule?view=day&date=${thursday}`);
  await press(page, page.getByRole('button', { name: 'Block time' }));
  const block = page.getByRole('dialog', { name: 'Block time' });
  await expectHoldsFocus(block);
  await typeInto(page, block.getByLabel('Note'), 'Lunch with a friend');
  await press(page, block.getByRole('button', { name: 'Block this time' }));
  await expect(block).toBeHidden();
  await expectFocusKept(page);
  await expect(page.getByRole('listitem').getByRole('button', { name: /Lunch with a friend/ })).toBeVisible();
  await press(page, page.getByRole('button', { name: /^Free, 09:00 AM – 12:00 PM/ }));
  const dialog = page.getByRole('dialog', { name: 'Book for a client' });
  await expectHoldsFocus(dialog);
  await tabTo(page, dialog.getByRole('combobox', { name: 'Client' }));
  await page.keyboard.type('amsel');
  await expect(dialog.getByRole('option', { name: 'Ruth Amsel' })).toBeVisible();
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByLabel('Service'));
  await page.keyboard.type('Individual');
  await tabTo(page, dialog.getByRole('radio', { name: 'Online Video Call' }));
  await page.keyboard.press('Space');
  await expect(dialog.getByRole('radio', { name: '09:00 AM' })).toBeChecked();
  await press(page, dialog.getByRole('button', { name: 'Book session' }));
  await expect(dialog).toBeHidden();
  await expect(session(page, 'Ruth Amsel')).toBeVisible();
});
