import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addAdministrator, addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { viewPersonAppointments, openAppointment } from './commands.ts';

const { db, as } = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const admin = as(await addAdministrator(db));

async function viewed(subject: string): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_entries')
    .select('action')
    .where('subject_id', '=', subject)
    .orderBy('id')
    .execute();
  return rows.map(({ action }) => action);
}

/** One session per start, as the client or the provider. */
async function sessionsOf(person: Person, side: 'client' | 'provider', starts: readonly string[]) {
  const parties = { client: await addClient(db), provider: await addProvider(db), [side]: person };
  const ids: string[] = [];
  for (const start of starts)
    ids.push(await addSession(db, { ...parties, start: `2026-${start}:00Z`, status: 'confirmed' }));
  return ids;
}

test('returns a person’s next sessions soonest first, and ended ones latest first', async () => {
  const provider = await addProvider(db);
  // Running now counts as next.
  const next = await sessionsOf(provider, 'provider', ['03-02T11:30', '03-03T09:00', '03-04T09:00']);
  const recent = await sessionsOf(provider, 'provider', ['03-01T09:00', '02-27T09:00']);
  await sessionsOf(await addProvider(db), 'provider', ['03-03T12:00']);
  const found = await viewPersonAppointments(admin, provider.id);
  expect(found.next.map(({ id }) => id)).toEqual(next);
  expect(found.recent.map(({ id }) => id)).toEqual(recent);
  expect(found.more).toBe(false);
  expect(await viewed(provider.id)).toEqual(['booking.searched']);
});

test('includes sessions from both roles, and says when there are more than it shows', async () => {
  const person = await addProvider(db);
  const [asProvider] = await sessionsOf(person, 'provider', ['03-05T09:00']);
  const asClient = await sessionsOf(person, 'client', ['03-04T09:00', '03-06T09:00', '03-07T09:00']);
  const found = await viewPersonAppointments(admin, person.id);
  expect(found.next.map(({ id }) => id)).toEqual([asClient[0], asProvider, asClient[1]]);
  expect(found).toMatchObject({ recent: [], more: true });
});

test('opens an appointment with its place and reminders, without any text that people wrote', async () => {
  const client = await addClient(db);
  const [id] = await sessionsOf(client, 'client', ['03-05T09:00']);
  const place = newId();
  const { provider_id } = await db
    .updateTable('appointments')
    .set({
      session_type: 'in-person',
      contact_name: 'As typed',
      cancel_reason: 'Too much at work',
      moved_reason: 'Not well',
    })
    .where('id', '=', id!)
    .returning('provider_id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('places')
    .values({
      id: place,
      provider_id,
      name: 'Grace House',
      address: '12 Elm St',
      town: 'Chicago, IL',
      latitude: null,
      longitude: null,
    })
    .execute();
  await db.updateTable('appointments').set({ place_id: place }).where('id', '=', id!).execute();
  await db
    .insertInto('reminders')
    .values({
      id: newId(),
      appointment_id: id!,
      person_id: client.id,
      kind: 'own',
      due_at: new Date('2026-03-05T08:00:00Z'),
      sent_at: null,
    })
    .execute();
  const opened = await openAppointment(admin, id!);
  expect(opened).toMatchObject({
    id,
    sessionType: 'in-person',
    place: { name: 'Grace House', address: '12 Elm St' },
    reminders: [{ dueAt: '2026-03-05T08:00:00Z', sentAt: null }],
    actions: ['reschedule', 'cancel'],
  });
  expect(JSON.stringify(opened)).not.toMatch(/As typed|Too much|Not well/);
  expect(await viewed(id!)).toEqual(['booking.viewed']);
});

test('is closed to others, and finds nothing for unknown ids', async () => {
  const client = await addClient(db);
  const [id] = await sessionsOf(client, 'client', ['03-05T09:00']);
  for (const stranger of [as(client), as(await addProvider(db))]) {
    expect(await refusalOf(openAppointment(stranger, id!))).toMatchObject({ code: 'forbidden' });
    expect(await refusalOf(viewPersonAppointments(stranger, client.id))).toMatchObject({ code: 'forbidden' });
  }
  expect(await refusalOf(openAppointment(admin, newId()))).toMatchObject({ code: 'not_found' });
  expect(await refusalOf(viewPersonAppointments(admin, newId()))).toMatchObject({ code: 'not_found' });
  expect(await refusalOf(viewPersonAppointments(admin, id!))).toMatchObject({ code: 'not_found' });
});
