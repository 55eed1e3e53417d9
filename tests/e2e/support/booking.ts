import { expect, type Locator, type Page } from '@playwright/test';
import type { Product } from '../../../scripts/product.ts';
import { call, signIn, someone } from './fixtures.ts';

export interface Specialist {
  id: string;
  email: string;
  name: string;
}

export interface StoredAppointment {
  id: string;
  status: string;
  startsAt: string;
  endsAt: string;
  sequence: number;
  sessionType: string;
  contactName: string;
  reminderMinutes: number;
}

/**
 * Turns a client account into a doctor (or pastor) with default hours and the services 'individuals' and 'grief'. Sorts
 * before other tests' specialists in the directory; `page` stays signed in as them.
 */
export async function becomeSpecialist(
  page: Page,
  product: Product,
  {
    name = 'Dr. Ada Winter',
    kind = 'doctor',
    timeZone = 'America/New_York',
    approvesFirst = false,
  }: { name?: string; kind?: 'doctor' | 'pastor'; timeZone?: string; approvesFirst?: boolean } = {},
): Promise<Specialist> {
  const email = someone('specialist');
  await signIn(page, email);
  const [person] = await product.query<{ id: string }>(
    'update users set name = $2 where email = $1 returning id',
    [email, name],
  );
  const { id } = person!;
  await product.query(`update profiles set role = $3, full_name = $2 where id = $1`, [id, name, kind]);
  await product.query(
    `insert into providers
       (id, slug, kind, title, specialties, experience, location, bio, time_zone, approves_first, position)
     values ($1::uuid, 'specialist-' || $1::uuid, $4, 'Psychologist', '{Grief}', '10 years', 'Boston, MA', 'Listens.',
             $2, $3, 2000000000 - extract(epoch from now())::int)`,
    [id, timeZone, approvesFirst, kind],
  );
  await product.query(`insert into provider_services values ($1, 'individuals'), ($1, 'grief')`, [id]);
  await product.query(
    `insert into weekly_hours select $1, weekday, from_time, to_time
     from generate_series(1, 6) as weekday, (values ('09:00', '13:00'), ('14:00', '19:00')) as hours (from_time, to_time)`,
    [id],
  );
  // Bypasses the product, so cached pages need an explicit refresh.
  await product.query('notify pages');
  return { id, email, name };
}

export async function openBooking(
  page: Page,
  specialist: { id: string },
  service = 'individuals',
): Promise<Locator> {
  await page.goto(`/?book=${specialist.id}&service=${service}`);
  return bookingDialog(page);
}

export function bookingDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Book Appointment' });
}

export function confirmedDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Appointment Confirmed' });
}

export async function openDays(dialog: Locator): Promise<Locator> {
  const days = dialog.getByRole('grid').locator('button:not(:disabled)');
  await expect(days.first()).toBeVisible();
  return days;
}

export async function openTimes(dialog: Locator): Promise<Locator> {
  const times = dialog.getByRole('radiogroup', { name: /^Time/ }).getByRole('radio');
  await expect(times.first()).toBeVisible();
  return times;
}

/**
 * Selects a time on the second open day by default and returns its instant. The first day may have few hours left, all
 * close to the lead time.
 */
export async function chooseTime(
  dialog: Locator,
  { monthsOn = 0, day = 1, later = 0 } = {},
): Promise<string> {
  const nextMonth = dialog.getByRole('button', { name: 'Next month' });
  for (let month = 0; month < monthsOn; month += 1) await nextMonth.click();
  const before = await (await openDays(dialog)).count();
  // The month ends before the requested day.
  if (before <= day) await nextMonth.click();
  await (await openDays(dialog)).nth(before <= day ? day - before : day).click();
  const time = (await openTimes(dialog)).nth(later);
  await time.check();
  return (await time.getAttribute('value'))!;
}

export async function chooseStart(
  dialog: Locator,
  start: string,
  timeZone = 'America/Chicago',
): Promise<void> {
  const date = dialog.getByRole('grid').getByRole('button', { name: words(start, timeZone).date });
  await openDays(dialog);
  if ((await date.count()) === 0) await dialog.getByRole('button', { name: 'Next month' }).click();
  await date.click();
  await (await openTimes(dialog)).and(dialog.locator(`[value="${start}"]`)).check();
}

export async function fill(
  dialog: Locator,
  when: { monthsOn?: number; day?: number; later?: number } = {},
): Promise<string> {
  const start = await chooseTime(dialog, when);
  await dialog.getByRole('radio', { name: /Online Video Call/ }).check();
  return start;
}

export async function confirm(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Confirm Appointment' }).click();
}

export async function bookDirectly(
  page: Page,
  specialist: { id: string },
  startsAt: string,
  { serviceId = 'individuals', durationMinutes = 60 } = {},
): Promise<string> {
  const { appointments } = await call<{ appointments: { id: string }[] }>(page, '/api/bookings', {
    ...request(specialist, startsAt),
    durationMinutes,
    idempotencyKey: crypto.randomUUID(),
    serviceId,
    sessionType: 'phone',
    contact: { name: 'Somebody Else', email: 'else@people.example', phone: '+1 617 555 0100' },
    timeZone: 'America/Chicago',
  });
  return appointments[0]!.id;
}

export async function bookWeekly(
  page: Page,
  specialist: { id: string },
  startsAt: string,
): Promise<string[]> {
  const { appointments } = await call<{ appointments: { id: string }[] }>(page, '/api/bookings', {
    ...request(specialist, startsAt),
    recurrence: 'weekly',
    sessions: 4,
    idempotencyKey: crypto.randomUUID(),
    serviceId: 'individuals',
    sessionType: 'online',
    contact: { name: 'Somebody Else', email: 'else@people.example' },
    timeZone: 'America/Chicago',
  });
  return appointments.map(({ id }) => id);
}

export async function weeklyFrom(
  page: Page,
  specialist: { id: string },
  startsAt: string,
): Promise<string[]> {
  const input = { ...request(specialist, startsAt), recurrence: 'weekly', sessions: 4 };
  const plan = await call<{ startsAt: string }[]>(page, '/api/bookings/check', input);
  return plan.map((session) => session.startsAt);
}

function request(specialist: { id: string }, startsAt: string) {
  return { providerId: specialist.id, startsAt, durationMinutes: 60 };
}

export async function offeredTimes(
  page: Page,
  product: Product,
  specialist: { id: string },
  weeks = 4,
): Promise<string[]> {
  // Five extra minutes keep the first time outside the lead time until it's booked.
  const from = new Date(Date.now() + 86_400_000 + 300_000);
  const to = new Date(from.getTime() + weeks * 7 * 86_400_000);
  const query = new URLSearchParams({
    from: from.toISOString(),
    to: to.toISOString(),
    durationMinutes: '60',
  });
  const answer = await page.request.get(
    `${product.url}/api/specialists/${specialist.id}/free-starts?${query}`,
  );
  expect(answer.ok(), await answer.text()).toBe(true);
  return ((await answer.json()) as { starts: string[] }).starts;
}

export async function moveInDatabase(product: Product, id: string, startsAt: Date): Promise<void> {
  const values = [id, startsAt];
  await product.query(
    `update appointments set starts_at = $2, ends_at = $2::timestamptz + (ends_at - starts_at),
       blocked_until = $2::timestamptz + (blocked_until - starts_at), local_date = ($2::timestamptz at time zone 'UTC')::date
     where id = $1`,
    values,
  );
  await product.query(
    `update participants set starts_at = $2, ends_at = $2::timestamptz + (ends_at - starts_at) where appointment_id = $1`,
    values,
  );
}

/** Finds an open toast by text: a modal dialog hides its role. */
export function toast(page: Page, title: string): Locator {
  return page.locator('li[data-state="open"]').getByText(title, { exact: true });
}

export async function storedAppointments(
  product: Product,
  who: { client?: string; specialist?: string },
): Promise<StoredAppointment[]> {
  const rows = await product.query<StoredAppointment & { startsAt: Date; endsAt: Date }>(
    `select a.id, a.status, a.starts_at as "startsAt", a.ends_at as "endsAt", a.sequence,
            a.session_type as "sessionType", a.contact_name as "contactName", a.reminder_minutes as "reminderMinutes"
     from appointments a join users c on c.id = a.client_id join users p on p.id = a.provider_id
     where ($1::text is null or c.email = $1) and ($2::text is null or p.email = $2)
     order by a.starts_at, a.created_at`,
    [who.client ?? null, who.specialist ?? null],
  );
  return rows.map((row) => ({
    ...row,
    startsAt: new Date(row.startsAt).toISOString(),
    endsAt: new Date(row.endsAt).toISOString(),
  }));
}

/** Formats an instant like the product: `Thursday, March 12, 2026` and `9:00 AM`, or `09:00 AM` for open times. */
export function words(instant: string, timeZone = 'America/Chicago') {
  const at = new Date(instant);
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(at);
  return {
    date: format({ dateStyle: 'full' }),
    shortDate: format({ weekday: 'short', month: 'short', day: 'numeric' }),
    day: format({ weekday: 'long', month: 'long', day: 'numeric' }),
    time: format({ hour: 'numeric', minute: '2-digit' }),
    openTime: format({ hour: '2-digit', minute: '2-digit' }),
  };
}

/** Dismisses a toast so it can't cover anything. */
export async function readToast(page: Page, title: string): Promise<void> {
  const shown = page.locator('li[data-state="open"]').filter({ hasText: title });
  await shown.getByRole('button', { name: 'Dismiss' }).click();
  await expect(shown).toHaveCount(0);
}
