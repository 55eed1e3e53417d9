import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { demoPassword } from '#/features/accounts/demo.ts';
import type { BackupsOverview } from '#/features/backups/contract.ts';
import type { AppointmentView, FreeStarts } from '#/features/appointments/view/contract.ts';
import type { OpenedMail, TrayMail } from '#/features/notifications/contract.ts';
import type { Specialist } from '#/features/providers/contract.ts';
import { changeSettings } from '#/features/settings/commands.ts';
import type { PublicSite, SiteSettings } from '#/features/settings/contract.ts';
import { turnFlag } from '#/features/settings/flags/commands.ts';
import { settingDefaults } from '#/features/settings/rules.ts';
import { transact } from '#/platform/db/transact.ts';
import { startProduct, type Product } from '../scripts/product.ts';
import { testDatabase } from './support/database.ts';
import { addProvider, sixtyMinutes } from './support/people.ts';
import { booking } from './support/server.ts';

const { url: databaseUrl, db, as, keys, readMails } = await testDatabase();
const system = as({ kind: 'system' });
const products: Product[] = [];

beforeAll(async () => {
  for (let count = 0; count < 2; count++) {
    const dataDir = await mkdtemp(join(tmpdir(), 'italk-settings-'));
    const authSecret = 'a secret for tests, long enough to be one';
    const env = { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret, RATE_LIMIT_FACTOR: '1000000', ...keys };
    products.push(await startProduct({ dataDir, env }));
  }
}, 120_000);

afterAll(async () => {
  for (const product of products) {
    await product.stop();
    await rm(product.dataDir, { recursive: true, force: true });
  }
});

afterEach(async () => {
  await changeSettings(system, { ...settingDefaults, passwordMinLength: 6 });
});

type Ask = (at: 0 | 1, path: string, body?: unknown) => Promise<Response>;

function asker(cookie: string): Ask {
  return (at, path, body) => {
    const { url } = products[at]!;
    return fetch(`${url}${path}`, {
      headers: { cookie, origin: url, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
  };
}

async function signIn(email: string): Promise<Ask> {
  const answer = await asker('')(0, '/api/auth/sign-in/email', { email, password: demoPassword });
  expect(answer.status).toBe(200);
  return asker(answer.headers.getSetCookie()[0]!.split(';')[0]!);
}

async function save(admin: Ask, change: Partial<SiteSettings>): Promise<void> {
  const { version } = (await (await admin(0, '/api/admin/settings')).json()) as { version: number };
  const saved = await admin(0, '/api/admin/settings', { version, change });
  expect(saved.status, await saved.clone().text()).toBe(200);
}

test('shows saved settings to users of another process within a second', async () => {
  const [admin, client] = [await signIn('admin@italk.example'), await signIn('client@italk.example')];
  const site = async () => (await (await client(1, '/api/site')).json()) as PublicSite;

  await save(admin, {
    siteName: 'Cedar House',
    siteDescription: 'A quiet place',
    supportEmail: 'help@cedar.example',
    timezone: 'Asia/Kathmandu',
    defaultSessionDuration: 90,
    bookingAdvanceNotice: 48,
    cancellationDeadline: 12,
    passwordMinLength: 11,
  });
  expect(await site()).toMatchObject({
    siteName: 'Cedar House',
    siteDescription: 'A quiet place',
    supportEmail: 'help@cedar.example',
    timeZone: 'Asia/Kathmandu',
    defaultSessionDuration: 90,
    bookingAdvanceNoticeHours: 48,
    cancellationDeadlineHours: 12,
    passwordMinLength: 11,
  });
  const short = { name: 'Ruth Amsel', email: 'ruth@amsel.example', password: 'ten-digits' };
  const refused = await asker('')(1, '/api/auth/sign-up/email', short);
  expect(await refused.json()).toMatchObject({
    fields: [{ field: 'password', reason: 'too_small' }],
    data: { least: 11 },
  });
  const guest = asker('');
  await expect
    .poll(async () => (await guest(1, '/services')).text(), { timeout: 1_000 })
    .toContain('Cedar House');
  const manifest = (await (await guest(1, '/manifest.webmanifest')).json()) as object;
  expect(manifest).toMatchObject({ name: 'Cedar House', description: 'A quiet place' });

  await save(admin, { sessionTimeout: 45 });
  const session = (await (await client(1, '/api/me/session')).json()) as { secondsLeft: number };
  expect(session.secondsLeft).toBeGreaterThan(44 * 60 - 60);

  await save(admin, { debugMode: true });
  const seen = (await (await admin(1, '/api/site')).json()) as PublicSite;
  expect([seen.debug, (await site()).debug]).toEqual([true, false]);

  await save(admin, { maintenanceMode: true });
  await expect.poll(async () => (await client(1, '/api/me')).status, { timeout: 1_000 }).toBe(503);
  const page = await client(1, '/home');
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '300']);
  const text = await page.text();
  expect(text).toContain('We’ll be back soon');
  expect(text).not.toContain('client@italk.example');
  expect((await admin(1, '/home')).status).toBe(200);
  expect((await guest(1, '/admin/settings')).status).toBe(200);
  await save(admin, { maintenanceMode: false });
  await expect.poll(async () => (await client(1, '/home')).status, { timeout: 1_000 }).toBe(200);
}, 120_000);

test('rejects conflicting settings saved by two administrators on two processes', async () => {
  const [one, other] = [await signIn('admin@italk.example'), await signIn('admin@italk.example')];
  const { version } = (await (await one(0, '/api/admin/settings')).json()) as { version: number };
  const [first, second] = await Promise.all([
    one(0, '/api/admin/settings', { version, change: { reminderTime: 45 } }),
    other(1, '/api/admin/settings', { version, change: { reminderTime: 90 } }),
  ]);
  expect(new Set([first.status, second.status])).toEqual(new Set([200, 409]));
  const refusal = (await (first.status === 409 ? first : second).json()) as object;
  expect(refusal).toMatchObject({
    code: 'conflict',
    reason: 'settings_changed',
    data: { version: version + 1 },
  });
});

test('allows guest booking on both processes only while the setting is on', async () => {
  const [admin, guest] = [await signIn('admin@italk.example'), asker('')];
  const site = async () => (await (await guest(1, '/api/site')).json()) as PublicSite;
  const specialists = (await (await guest(1, '/api/specialists')).json()) as Specialist[];
  const specialist = specialists.find(
    ({ serviceIds, sessionLengths }) => serviceIds.includes('individuals') && sessionLengths === null,
  )!;
  const now = Temporal.Now.instant();
  const span = `from=${now.add({ hours: 72 }).toString()}&to=${now.add({ hours: 60 * 24 }).toString()}`;
  const free = await guest(
    1,
    `/api/specialists/${specialist.id}/free-starts?durationMinutes=60&sessionType=phone&${span}`,
  );
  const { starts } = (await free.json()) as FreeStarts;
  const email = 'naomi@guests.example';
  const request = (startsAt = starts[0]!) => ({
    idempotencyKey: crypto.randomUUID(),
    providerId: specialist.id,
    serviceId: 'individuals',
    startsAt,
    durationMinutes: 60,
    sessionType: 'phone',
    contact: { name: 'Naomi Weiss', email, phone: '+1 617 555 0100' },
    timeZone: 'America/Chicago',
  });
  expect((await site()).guestBooking).toBe(false);
  expect(await (await guest(1, '/api/booking-requests', request())).json()).toMatchObject({
    reason: 'guest_booking_off',
  });

  await save(admin, { allowGuestBooking: true });
  expect((await site()).guestBooking).toBe(true);
  const answer = await guest(1, '/api/booking-requests', request());
  expect([answer.status, await answer.json()]).toEqual([201, { sentTo: email }]);
  const mail = async () => {
    const tray = (await (await guest(0, '/api/mail-tray')).json()) as TrayMail[];
    const id = tray.find(({ recipient }) => recipient === email)?.id;
    return id ? ((await (await guest(0, `/api/mail-tray/${id}`)).json()) as OpenedMail).text : '';
  };
  await expect.poll(mail, { timeout: 30_000 }).toContain('/booking#');
  const token = /\/booking#([\w-]+)/.exec(await mail())![1]!;
  const link = '/api/booking-requests';
  expect(await (await guest(0, `${link}/read`, { token })).json()).toMatchObject({
    state: 'open',
    signsIn: true,
  });
  const confirmed = (await (await guest(1, `${link}/confirm`, { token })).json()) as Record<string, string>;
  const signedIn = await guest(0, '/api/auth/sign-in/link', { token: confirmed.signInToken });
  expect(await signedIn.json()).toEqual({ signedIn: true });
  const naomi = asker(signedIn.headers.getSetCookie()[0]!.split(';')[0]!);
  expect(await (await naomi(1, '/api/me')).json()).toMatchObject({
    email,
    role: 'client',
    hasPassword: false,
  });
  expect(await (await naomi(1, `/api/appointments/${confirmed.appointmentId}`)).json()).toMatchObject({
    startsAt: starts[0],
  });

  await save(admin, { allowGuestBooking: false });
  expect((await site()).guestBooking).toBe(false);
  expect((await guest(1, '/api/booking-requests', request(starts.at(-1)))).status).toBe(403);
  expect(await (await guest(1, `${link}/read`, { token })).json()).toMatchObject({ state: 'used' });
}, 120_000);

const hour = 3_600_000;
let clients = 0;

async function people() {
  clients += 1;
  return {
    admin: await signIn('admin@italk.example'),
    client: await signIn(`client-${clients}@people.example`),
    specialist: (await addProvider(db)).id,
  };
}

async function proposed(client: Ask, specialist: string): Promise<string[]> {
  const from = new Date(Date.now() + 72 * hour).toISOString();
  const to = new Date(Date.now() + (72 + 14 * 24) * hour).toISOString();
  const query = new URLSearchParams({ from, to, durationMinutes: '60' });
  const answer = await client(1, `/api/specialists/${specialist}/free-starts?${query.toString()}`);
  return ((await answer.json()) as FreeStarts).starts;
}

async function book(client: Ask, specialist: string, startsAt: string) {
  const wish = booking({ providerId: specialist, serviceId: await sixtyMinutes(db), startsAt });
  const answer = await client(1, '/api/bookings', { ...wish, sessionType: 'phone', reminderMinutes: 15 });
  const { reason, appointments } = (await answer.json()) as {
    reason?: string;
    appointments?: AppointmentView[];
  };
  return { refused: reason ?? null, id: appointments?.[0]?.id ?? '' };
}

const later = (instant: string, hours: number) =>
  new Date(Date.parse(instant) + hours * hour).toISOString().replace('.000Z', 'Z');

test('neither offers nor books times inside the lead time', async () => {
  const { admin, client, specialist } = await people();
  const [start] = await proposed(client, specialist);
  await save(admin, { bookingAdvanceNotice: 720 });
  expect(await proposed(client, specialist)).toEqual([]);
  expect((await book(client, specialist, start!)).refused).toBe('too_little_notice');
  await save(admin, { bookingAdvanceNotice: 24 });
  expect((await proposed(client, specialist))[0]).toBe(start);
  expect((await book(client, specialist, start!)).refused).toBeNull();
});

test('refuses to cancel or reschedule past the cancellation deadline', async () => {
  const { admin, client, specialist } = await people();
  const [start, other] = await proposed(client, specialist);
  const { id } = await book(client, specialist, start!);
  const cancel = async () => {
    const answer = await client(1, `/api/appointments/${id}/cancel`, {});
    return ((await answer.json()) as { reason?: string }).reason ?? answer.status;
  };
  const move = async () => {
    const answer = await client(1, `/api/appointments/${id}/reschedule`, { startsAt: other });
    return ((await answer.json()) as { reason?: string }).reason ?? answer.status;
  };
  await save(admin, { cancellationDeadline: 168 });
  expect([await cancel(), await move()]).toEqual(['deadline_passed', 'deadline_passed']);
  await save(admin, { cancellationDeadline: 2 });
  expect([await move(), await cancel()]).toEqual([200, 200]);
});

test('closes a day at its maximum sessions, and reopens it when the setting changes', async () => {
  const { admin, client, specialist } = await people();
  const starts = await proposed(client, specialist);
  const morning = starts.find((start) => /T1[34]:00:00Z$/.test(start))!;
  const afternoon = later(morning, 5);
  expect(starts).toContain(afternoon);
  expect((await book(client, specialist, morning)).refused).toBeNull();
  await save(admin, { maxDailyBookings: 1 });
  expect(await proposed(client, specialist)).not.toContain(afternoon);
  expect((await book(client, specialist, afternoon)).refused).toBe('day_full');
  await save(admin, { maxDailyBookings: 2 });
  expect(await proposed(client, specialist)).toContain(afternoon);
  expect((await book(client, specialist, afternoon)).refused).toBeNull();
});

test('keeps the configured buffer after a session free', async () => {
  const { admin, client, specialist } = await people();
  await save(admin, { bufferTimeMinutes: 0 });
  const starts = await proposed(client, specialist);
  const nine = starts.find((start) => /T1[34]:00:00Z$/.test(start))!;
  const ten = later(nine, 1);
  expect((await book(client, specialist, ten)).refused).toBeNull();
  expect(await proposed(client, specialist)).toContain(nine);
  await save(admin, { bufferTimeMinutes: 30 });
  expect(await proposed(client, specialist)).not.toContain(nine);
  expect((await book(client, specialist, nine)).refused).toBe('slot_taken');
  await save(admin, { bufferTimeMinutes: 0 });
  expect((await book(client, specialist, nine)).refused).toBeNull();
});

test('offers times of the default session length without a service', async () => {
  const { admin, client } = await people();
  const week = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
    weekday,
    from: '10:00',
    to: '11:00',
    placeId: null,
  }));
  const { id } = await addProvider(db, { week });
  const next = async () => {
    const answer = await client(1, `/api/find/next-starts?providerIds=${id}`);
    const [{ durationMinutes, starts } = { durationMinutes: 0, starts: [] }] = (await answer.json()) as {
      durationMinutes: number;
      starts: string[];
    }[];
    return { durationMinutes, any: starts.length > 0 };
  };
  await save(admin, { defaultSessionDuration: 90 });
  expect(await next()).toEqual({ durationMinutes: 90, any: false });
  await save(admin, { defaultSessionDuration: 60 });
  expect(await next()).toEqual({ durationMinutes: 60, any: true });
});

test('reminds both parties at the configured lead time, by email if enabled', async () => {
  const { admin, client, specialist } = await people();
  await save(admin, { reminderTime: 95 });
  const booked = async () => {
    const [start] = await proposed(client, specialist);
    const { id } = await book(client, specialist, start!);
    return { id, due: new Date(Date.parse(start!) - 95 * 60_000) };
  };
  const [silent, told] = [await booked(), await booked()];
  for (const { id, due } of [silent, told])
    expect(await alarmsOf(id)).toEqual([1, 2].map(() => ({ due, at: due, waits: true })));

  await save(admin, { emailNotifications: false });
  await ring(silent.id);
  await save(admin, { emailNotifications: true });
  await ring(told.id);
  const mails = await mailsOf(told.id);
  expect(mails).toHaveLength(2);
  expect(mails[0]!.subject).toMatch(/^Reminder: iTalk Health session /);
  expect(await mailsOf(silent.id)).toEqual([]);
}, 90_000);

async function alarmsOf(appointmentId: string): Promise<{ due: Date; at: Date; waits: boolean }[]> {
  const { rows } = await sql<{ due: Date; at: Date; waits: boolean }>`
    select due_at as due, start_after as at, state <> 'completed' as waits
      from reminders join jobs.job on data->'payload'->>'reminderId' = reminders.id::text
     where appointment_id = ${appointmentId} and kind = 'site'`.execute(db);
  return rows;
}

async function ring(appointmentId: string): Promise<void> {
  const reminders = await db
    .selectFrom('reminders')
    .select('id')
    .where('appointment_id', '=', appointmentId)
    .where('kind', '=', 'site')
    .execute();
  await transact(system, async (tx) => {
    for (const { id } of reminders) await tx.emit(tx, 'booking.reminder_due', { reminderId: id });
  });
  const rung = async () => {
    const alarms = await alarmsOf(appointmentId);
    return alarms.filter(({ waits }) => !waits).length;
  };
  await expect.poll(rung, { timeout: 40_000 }).toBe(2);
}

async function mailsOf(appointmentId: string): Promise<{ subject: string }[]> {
  const reminders = await db
    .selectFrom('reminders')
    .select('id')
    .where('appointment_id', '=', appointmentId)
    .execute();
  const mails = await readMails();
  return mails.filter(({ key }) => reminders.some(({ id }) => key.startsWith(`reminder:${id}:`)));
}

test('signs out people without a required second factor, if their role can have one', async () => {
  const { admin, client } = await people();
  const doctor = await signIn('doctor@italk.example');
  const who = async (ask: Ask) => (await ask(1, '/api/me')).json();
  const turn = async (enabled: boolean) => {
    const { version } = await db
      .selectFrom('feature_flags')
      .select('version')
      .where('id', '=', 'two_factor_authentication')
      .executeTakeFirstOrThrow();
    await turnFlag(system, { flagId: 'two_factor_authentication', version, enabled });
  };
  await turn(true);
  expect(await who(doctor)).toMatchObject({ email: 'doctor@italk.example' });
  await save(admin, { requireTwoFactor: true });
  expect([await who(doctor), await who(admin)]).toEqual([null, null]);
  expect(await who(client)).not.toBeNull();
  const again = { email: 'doctor@italk.example', password: demoPassword };
  const half = await asker('')(1, '/api/auth/sign-in/email', again);
  expect(await who(asker(half.headers.getSetCookie()[0]?.split(';')[0] ?? ''))).toBeNull();
  // The feature flag decides which roles can be required to use it.
  await turn(false);
  expect(await who(doctor)).toMatchObject({ email: 'doctor@italk.example' });
});

test('applies the log level in the other process', async () => {
  const { admin, client } = await people();
  const asked = async () => (await admin(1, '/api/site')).headers.get('x-request-id')!;
  const isTold = (id: string) => products[1]!.written().includes(id);
  const isClosed = async () => (await client(1, '/api/me')).status === 503;
  await save(admin, { debugMode: true });
  await expect.poll(async () => isTold(await asked()), { timeout: 5_000 }).toBe(true);
  // Both settings load together: once maintenance mode applies, so does the log level.
  await save(admin, { logLevel: 'error', maintenanceMode: true });
  await expect.poll(isClosed, { timeout: 1_000 }).toBe(true);
  const quiet = await asked();
  await save(admin, { logLevel: 'debug', maintenanceMode: false });
  await expect.poll(isClosed, { timeout: 1_000 }).toBe(false);
  const loud = await asked();
  await expect.poll(() => isTold(loud), { timeout: 5_000 }).toBe(true);
  expect(isTold(quiet)).toBe(false);
}, 30_000);

test('applies the backup frequency in the other process', async () => {
  const { admin } = await people();
  const overview = async () => (await (await admin(1, '/api/backups')).json()) as BackupsOverview;
  await expect
    .poll(async () => (await overview()).lastDoneAt, { timeout: 60_000, interval: 250 })
    .not.toBeNull();
  await db
    .updateTable('backups')
    .set({
      requested_at: sql`requested_at - interval '2 hours'`,
      started_at: sql`started_at - interval '2 hours'`,
    })
    .execute();
  const days = async () => {
    const { dueAt, lastDoneAt } = await overview();
    return (Date.parse(dueAt!) - Date.parse(lastDoneAt!)) / (24 * hour);
  };
  await save(admin, { backupFrequency: 'weekly' });
  expect(await days()).toBe(7);
  await save(admin, { backupFrequency: 'daily' });
  expect(await days()).toBe(1);
  const [, other] = products;
  const files = () => readdir(join(other!.dataDir, 'backups')).catch(() => []);
  const before = (await files()).length;
  await save(admin, { backupFrequency: 'hourly' });
  // Kills the process that saved the setting, so any later backup comes from the other.
  await products[0]!.kill();
  await expect
    .poll(async () => (await files()).length, { timeout: 60_000, interval: 250 })
    .toBeGreaterThan(before);
  expect((await overview()).backups[0]).toMatchObject({ origin: 'schedule' });
}, 150_000);
