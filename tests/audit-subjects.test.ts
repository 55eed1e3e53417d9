import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { transact } from '#/platform/db/transact.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { servicesOn } from '#/features/catalogue/contract.test.cases.ts';
import { contactOn } from '#/features/contact/contract.test.cases.ts';
import { conversationsOn } from '#/features/messaging/contract.test.cases.ts';
import { applicationsOn } from '#/features/providers/applications/contract.test.cases.ts';
import { flagsOn } from '#/features/settings/flags/contract.test.cases.ts';
import type { LogEntry } from '#/features/audit/contract.ts';
import { testServer } from './support/server.ts';
import { stageOf } from './support/stage.ts';

const server = await testServer();
const { db, as } = server.database;
const stage = await stageOf(server);
const { cast, admin, call } = stage;
const { applied } = applicationsOn(stage);
const { conversation } = conversationsOn(stage);
const { flag } = flagsOn(stage);
const { message } = contactOn(stage);
const { service } = servicesOn(stage);

async function nameOf(id: string): Promise<string> {
  return (await db.selectFrom('profiles').select('full_name').where('id', '=', id).executeTakeFirstOrThrow())
    .full_name;
}

/** Latest entry of an action, as shown to administrators and as exported. */
async function told(action: string): Promise<{ entry: LogEntry; line: string }> {
  const { json } = await cast.admin.send('POST', '/api/admin/audit-log/search', { body: { limit: 100 } });
  const entry = (json as { entries: LogEntry[] }).entries.find((one) => one.action === action)!;
  const asked = await cast.admin.send('POST', '/api/admin/audit-log/export', { body: { format: 'csv' } });
  const { text } = await cast.admin.send('GET', (asked.json as { path: string }).path);
  return { entry, line: text.split('\r\n').find((line) => line.includes(entry.id))! };
}

test('names what each entry is about on screen and in the file', async () => {
  const [client, provider] = [await nameOf(cast.clientId), await nameOf(cast.providerId)];
  const booked = await told('booking.booked');
  expect(booked.entry.subject).toMatchObject({ kind: 'booking', name: client });
  expect(booked.line).toContain(`Booking: ${client}`);

  const act = { action: 'booking.cancelled' } as const;
  const appointment = { kind: 'appointment', id: cast.appointmentId };
  await transact(as({ kind: 'system' }), (tx) => recordDone(tx, { ...act, subject: appointment }));
  const cancelled = await told('booking.cancelled');
  const { starts_at: start } = await db
    .selectFrom('appointments')
    .select('starts_at')
    .where('id', '=', cast.appointmentId)
    .executeTakeFirstOrThrow();
  const session = `${client} with ${provider}, ${start.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  expect(cancelled.entry.subject!.name).toBe(session);
  // Quoted because of the comma.
  expect(cancelled.line).toContain(`"Appointment: ${session}`);

  await transact(as({ kind: 'system' }), (tx) =>
    recordDone(tx, { ...act, action: 'review.approved', subject: { kind: 'review', id: tx.newId() } }),
  );
  expect((await told('review.approved')).entry.subject).toMatchObject({ kind: 'review', name: null });
});

test('shows old and new values of a settings change', async () => {
  const settings = await cast.admin.send('GET', '/api/admin/settings');
  const { version } = settings.json as { version: number };
  const change = { cancellationDeadline: 48, allowGuestBooking: true };
  const saved = await cast.admin.send('POST', '/api/admin/settings', { body: { version, change } });
  expect(saved.status).toBe(200);
  const { entry, line } = await told('settings.changed');
  expect(entry.details).toMatchObject({ cancellationDeadline: '2 → 48', allowGuestBooking: 'off → on' });
  expect(line).toContain('Allow guest booking: off → on · Cancellation deadline: 2 → 48');
});

test('shows changes of site text on screen and in the file, but stores none in the log', async () => {
  const settings = await cast.admin.send('GET', '/api/admin/settings');
  const { version, values } = settings.json as { version: number; values: { siteName: string } };
  const change = { siteName: 'Elm House' };
  await cast.admin.send('POST', '/api/admin/settings', { body: { version, change } });
  const { entry, line } = await told('settings.changed');
  expect(line).toContain(`Site name: ${values.siteName} → Elm House`);
  const kept = await db
    .selectFrom('audit_entries')
    .select('details')
    .where('id', '=', entry.id)
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(kept)).not.toContain('Elm');
});

test('shows old and new times of a moved session', async () => {
  const { client, appointmentId, other: startsAt } = await stage.booked();
  await call(client, 'appointments.reschedule', { appointmentId, startsAt });
  const { entry, line } = await told('booking.rescheduled');
  expect(entry.details['start']).toMatch(
    /^(\d{4}-\d\d-\d\d \d\d:\d\d UTC) → (?!\1)\d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
  );
  expect(line).toContain(`Start: ${String(entry.details['start'])}`);
});

test('shows person, old role and new role', async () => {
  const { id: userId } = await stage.newProvider();
  await call(admin, 'directory.changeRole', { userId, from: 'doctor', to: 'pastor' });
  const { entry, line } = await told('role_changed');
  expect(entry.subject).toMatchObject({ kind: 'person', id: userId, name: await nameOf(userId) });
  expect(line).toContain('Role: doctor → pastor');
});

test('shows applicant, decision and reason of an application', async () => {
  const { applicationId } = await applied();
  await call(admin, 'providers.applications.reject', { applicationId, reason: 'The ID has run out.' });
  const { entry, line } = await told('provider.application_rejected');
  expect(entry.subject!.name).toBe(await nameOf(String(entry.details['personId'])));
  expect(line).toContain('Status: pending → rejected · Reason: The ID has run out.');
  const { rows } = await sql<{ details: string }>`
    select details::text from audit_entries where id = ${entry.id}`.execute(db);
  expect(rows[0]!.details).not.toContain('run out');
});

test('shows the feature, its change and its people', async () => {
  const before = await flag('mobile_app_access');
  const personIds = [cast.clientId];
  await call(admin, 'flags.setScope', {
    flagId: before.id,
    version: before.version,
    scope: 'user_specific',
    personIds,
  });
  const { entry, line } = await told('flags.scoped');
  expect(entry.subject).toEqual({ kind: 'feature_flag', id: null, name: before.name });
  expect(line).toContain(
    `Scope: ${before.scope.replaceAll('_', ' ')} → user specific · Added people: ${await nameOf(cast.clientId)}`,
  );
});

test('shows the service and its old and new values', async () => {
  const { id: serviceId, version, title, priceCents } = await service();
  await call(admin, 'catalogue.edit', { serviceId, version, title, priceCents: 4_200 });
  const { entry, line } = await told('service.edited');
  expect(entry.subject).toEqual({ kind: 'service', id: null, name: title });
  expect(line).toContain(`Price cents: ${String(priceCents)} → 4200`);
});

test('identifies contact messages and conversations only by time', { tags: ['long'] }, async () => {
  const messageId = await message();
  await call(admin, 'contact.close', { messageId });
  const closed = await told('contact.closed');
  expect(closed.entry.subject!.name).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  expect(closed.line).toContain('State: open → closed');
  await conversation();
  expect((await told('messages.opened')).entry.subject!.name).toMatch(/^\d{4}-/);
});
