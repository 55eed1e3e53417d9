import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { demoPassword } from '#/features/accounts/demo.ts';
import type { BackupsOverview } from '#/features/backups/contract.ts';
import type { AppointmentView, FreeStarts } from '#/features/appointments/appointment/contract.ts';
import type { OpenedMail, TrayMail } from '#/features/notifications/contract.ts';
import type { Specialist } from '#/features/providers/contract.ts';
import type { PublicSite } from '#/features/settings/contract.ts';
import { switchFlag } from '#/features/settings/flags/commands.ts';
import { testDatabase } from './support/database.ts';
import { addProvider, sixtyMinutes } from './support/people.ts';
import { booking } from './support/server.ts';
import { twoProducts, type Ask } from './support/two-products.ts';

const database = await testDatabase();
const { db, readMails } = database;
const { products, system, asker, signIn, save } = twoProducts(database);

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
});

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
    expect(await siteRemindersOf(id)).toEqual([1, 2].map(() => ({ due_at: due, queued_at: null })));

  await save(admin, { emailNotifications: false });
  await makeDue(silent.id);
  await save(admin, { emailNotifications: true });
  await makeDue(told.id);
  const mails = await mailsOf(told.id);
  expect(mails).toHaveLength(2);
  expect(mails[0]!.subject).toMatch(/^Reminder: iTalk Health session /);
  expect(await mailsOf(silent.id)).toEqual([]);
});

async function siteRemindersOf(appointmentId: string): Promise<{ due_at: Date; queued_at: Date | null }[]> {
  return db
    .selectFrom('reminders')
    .select(['due_at', 'queued_at'])
    .where('appointment_id', '=', appointmentId)
    .where('kind', '=', 'site')
    .execute();
}

/** Makes its reminders due, and waits until their jobs are done. */
async function makeDue(appointmentId: string): Promise<void> {
  await db
    .updateTable('reminders')
    .set({ due_at: new Date() })
    .where('appointment_id', '=', appointmentId)
    .where('kind', '=', 'site')
    .execute();
  const done = async () => {
    const { rows } = await sql`
      select from reminders join jobs.job on data->'payload'->>'reminderId' = reminders.id::text
       where appointment_id = ${appointmentId} and state = 'completed'`.execute(db);
    return rows.length;
  };
  await expect.poll(done, { timeout: 60_000 }).toBe(2);
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
    await switchFlag(system, { flagId: 'two_factor_authentication', version, enabled });
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
});
