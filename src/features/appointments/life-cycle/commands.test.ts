import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import type { Ctx, Emit } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import {
  addClient,
  addProvider,
  sixtyMinutes,
  type Person,
  type ProviderTerms,
} from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { book } from '../booking/commands.ts';
import type { AppointmentView } from '../appointment/contract.ts';
import type { BookInput } from '../booking/contract.ts';
import { freeStarts } from '../free-starts/queries.ts';
import { claimDueReminder } from '../reminders/commands.ts';
import {
  cancel,
  complete,
  confirm,
  decline,
  markEmergency,
  markNoShow,
  reschedule,
  setReminder,
} from './commands.ts';
import { requireParty } from '../appointment/policies.ts';

const database = await testDatabase();
const { db } = database;
const service = await sixtyMinutes(db);
const morning = '2026-02-16T12:00:00Z';
const at = '2026-02-23T20:00:00Z';

/** Emitted events, recorded in addition to the app's own handlers. */
let emitted: { event: string; payload: object }[] = [];
const emit: Emit = async (_tx, event, payload) => {
  emitted.push({ event, payload });
};

function as(person: Person | { kind: 'job'; name: string }): Ctx {
  return { ...database.as(person), emit };
}

interface Booked {
  client: Person;
  provider: Person;
  session: AppointmentView;
}

async function booked(terms: ProviderTerms = {}, more: Partial<BookInput> = {}): Promise<Booked> {
  database.setNow(morning);
  const [client, provider] = [await addClient(db), await addProvider(db, terms)];
  const { appointments } = await book(as(client), wish(provider, more));
  emitted = [];
  return { client, provider, session: appointments[0]! };
}

function wish(provider: Person, more: Partial<BookInput> = {}): BookInput {
  return bookInputFor(provider.id, service, at, more);
}

async function held(id: string): Promise<boolean[]> {
  const rows = await db.selectFrom('participants').select('held').where('appointment_id', '=', id).execute();
  return rows.map((row) => row.held);
}

async function dueTimes(id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('reminders')
    .select(['kind', 'due_at'])
    .where('appointment_id', '=', id)
    .execute();
  return rows.map(({ kind, due_at }) => `${kind} ${due_at.toISOString().slice(0, 16)}`).toSorted();
}

async function acts(id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_entries')
    .select('action')
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ action }) => action);
}

test('holds the time of a booking until a provider who approves first confirms it', async () => {
  const { client, provider, session } = await booked({ approvesFirst: true });
  expect(session).toMatchObject({ status: 'pending', actions: ['reschedule', 'cancel', 'set_reminder'] });
  expect(await refusalOf(book(as(await addClient(db)), wish(provider)))).toMatchObject({
    reason: 'slot_taken',
  });
  emitted = [];
  const confirmed = await confirm(as(provider), session.id);
  expect(confirmed).toMatchObject({
    status: 'confirmed',
    sequence: 1,
    client: { id: client.id, name: 'Ruth', email: 'ruth@people.example', phone: null },
    actions: ['reschedule', 'cancel', 'mark_emergency'],
  });
  expect(emitted).toEqual([
    { event: 'booking.changed', payload: { appointmentId: session.id, change: 'confirmed', by: 'provider' } },
  ]);
  expect(await acts(session.id)).toEqual(['booking.confirmed']);
  expect(await refusalOf(confirm(as(provider), session.id))).toMatchObject({
    code: 'conflict',
    reason: 'wrong_status',
  });
});

test('lets no specialist confirm after their license expired, but keep and move sessions', async () => {
  const licensedUntil = (provider: Person, licensed_until: string) =>
    db.updateTable('providers').set({ licensed_until }).where('id', '=', provider.id).execute();
  const { provider, session } = await booked({ approvesFirst: true });
  await licensedUntil(provider, '2026-02-15');
  const expired = { code: 'precondition', reason: 'license_expired' };
  expect(await refusalOf(confirm(as(provider), session.id))).toMatchObject(expired);
  await licensedUntil(provider, '2026-02-16');
  await confirm(as(provider), session.id);
  await licensedUntil(provider, '2026-02-15');
  const moved = await reschedule(as(provider), session.id, '2026-02-24T20:00:00Z');
  expect(moved).toMatchObject({ status: 'confirmed', startsAt: '2026-02-24T20:00:00Z' });
});

test('frees the time and removes reminders on decline or cancellation', async () => {
  for (const [terms, who, command, change] of [
    [{ approvesFirst: true }, 'provider', decline, 'declined'],
    [{}, 'provider', cancel, 'cancelled'],
    [{}, 'client', cancel, 'cancelled'],
  ] as const) {
    const people = await booked(terms);
    const { session, provider } = people;
    expect(await dueTimes(session.id)).toHaveLength(3);
    const view = await command(as(people[who]), session.id, 'Ill, sorry');
    expect(view).toMatchObject({ status: 'cancelled', sequence: 1, cancelReason: 'Ill, sorry', actions: [] });
    expect(await held(session.id)).toEqual([false, false]);
    expect(await dueTimes(session.id)).toEqual([]);
    expect(emitted).toEqual([
      { event: 'booking.changed', payload: { appointmentId: session.id, change, by: who } },
    ]);
    await book(as(await addClient(db)), wish(provider));
  }
});

test('lets clients cancel or reschedule until the deadline, providers until the start', async () => {
  const { client, provider, session } = await booked();
  database.setNow('2026-02-23T18:00:00.001Z');
  expect(await refusalOf(cancel(as(client), session.id))).toMatchObject({
    code: 'precondition',
    reason: 'deadline_passed',
  });
  expect(await refusalOf(reschedule(as(client), session.id, '2026-02-25T20:00:00Z'))).toMatchObject({
    reason: 'deadline_passed',
  });
  await reschedule(as(provider), session.id, '2026-02-23T22:00:00Z');
  database.setNow('2026-02-23T22:00:00Z');
  expect(await refusalOf(cancel(as(provider), session.id))).toMatchObject({
    code: 'precondition',
    reason: 'already_started',
  });
});

test('allows completing or marking missed only once, after the start', async () => {
  for (const [command, status] of [
    [complete, 'completed'],
    [markNoShow, 'no_show'],
  ] as const) {
    const { client, provider, session } = await booked();
    expect(await refusalOf(command(as(provider), session.id))).toMatchObject({
      code: 'precondition',
      reason: 'not_started',
    });
    database.setNow('2026-02-23T20:00:00Z');
    expect(await refusalOf(command(as(client), session.id))).toMatchObject({ code: 'forbidden' });
    expect(await command(as(provider), session.id)).toMatchObject({ status, sequence: 0, actions: [] });
    expect(await held(session.id)).toEqual([false, false]);
    expect(emitted.at(-1)).toEqual({
      event: 'booking.changed',
      payload: { appointmentId: session.id, change: status, by: 'provider' },
    });
    expect(await refusalOf(cancel(as(provider), session.id))).toMatchObject({
      code: 'conflict',
      reason: 'wrong_status',
    });
  }
});

test('reschedules the same appointment and its reminders, ignoring its own time', async () => {
  const { client, provider, session } = await booked();
  const moved = await reschedule(as(client), session.id, '2026-02-23T20:30:00Z');
  expect(moved).toMatchObject({
    id: session.id,
    status: 'confirmed',
    sequence: 1,
    startsAt: '2026-02-23T20:30:00Z',
    endsAt: '2026-02-23T21:30:00Z',
  });
  expect(await dueTimes(session.id)).toEqual([
    'own 2026-02-23T20:15',
    'site 2026-02-23T19:30',
    'site 2026-02-23T19:30',
  ]);
  const row = await db
    .selectFrom('appointments')
    .selectAll()
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  expect(row.blocked_until.toISOString()).toBe('2026-02-23T21:45:00.000Z');
  const again = await reschedule(as(client), session.id, '2026-02-23T20:30:00Z');
  expect(again.sequence).toBe(1);
  const late = await reschedule(as(provider), session.id, '2026-02-25T23:00:00Z');
  expect(late).toMatchObject({ sequence: 2, status: 'confirmed' });
  expect(
    (
      await db
        .selectFrom('appointments')
        .select('local_date')
        .where('id', '=', session.id)
        .executeTakeFirstOrThrow()
    ).local_date,
  ).toBe('2026-02-25');
  expect(emitted.filter(({ event }) => event === 'booking.changed').map(({ payload }) => payload)).toEqual([
    { appointmentId: session.id, change: 'rescheduled', by: 'client' },
    { appointmentId: session.id, change: 'rescheduled', by: 'provider' },
  ]);
});

test('requires new approval when a client reschedules with a provider who approves first', async () => {
  const { client, provider, session } = await booked({ approvesFirst: true });
  await confirm(as(provider), session.id);
  expect((await reschedule(as(provider), session.id, '2026-02-23T22:00:00Z')).status).toBe('confirmed');
  expect((await reschedule(as(client), session.id, '2026-02-24T22:00:00Z')).status).toBe('pending');
});

test('refuses to move a session to a time that can’t be booked', async () => {
  const { client, provider, session } = await booked();
  const other = await addClient(db);
  await book(as(other), wish(provider, { startsAt: '2026-02-24T20:00:00Z' }));
  await book(as(client), wish(await addProvider(db), { startsAt: '2026-02-25T20:00:00Z' }));
  for (const [startsAt, reason] of [
    ['2026-02-24T20:30:00Z', 'slot_taken'],
    ['2026-02-25T20:30:00Z', 'own_clash'],
    ['2026-02-15T20:00:00Z', 'past'],
    ['2026-02-16T20:00:00Z', 'too_little_notice'],
    ['2026-02-22T20:00:00Z', 'outside_hours'],
    ['2026-02-24T15:05:00Z', 'unaligned'],
  ] as const) {
    const refused = await refusalOf(reschedule(as(client), session.id, startsAt));
    expect(refused).toMatchObject({ reason, fields: [{ field: 'startsAt', reason }] });
    expect(refused.data.nextFreeStarts).toHaveLength(5);
  }
  // Hides from the provider that their client is busy elsewhere; the notice period binds only clients.
  expect(await refusalOf(reschedule(as(provider), session.id, '2026-02-25T20:30:00Z'))).toMatchObject({
    reason: 'slot_taken',
  });
  await reschedule(as(provider), session.id, '2026-02-16T20:00:00Z');
});

test('returns not_found for another person’s appointment', async () => {
  const { session } = await booked({ approvesFirst: true });
  const strangers = [await addClient(db), await addProvider(db)];
  const before = await db
    .selectFrom('appointments')
    .selectAll()
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  for (const stranger of strangers) {
    const ctx = as(stranger);
    const attempts = [
      cancel(ctx, session.id),
      confirm(ctx, session.id),
      decline(ctx, session.id),
      complete(ctx, session.id),
      markNoShow(ctx, session.id),
      markEmergency(ctx, session.id),
      setReminder(ctx, session.id, 60),
      reschedule(ctx, session.id, '2026-02-24T20:00:00Z'),
      requireParty(ctx, session.id),
      requireParty(ctx, newId()),
      freeStarts(ctx, {
        providerId: session.provider.id,
        from: at,
        to: '2026-02-24T20:00:00Z',
        durationMinutes: 60,
        moving: session.id,
      }),
    ];
    for (const refused of await Promise.all(attempts.map(refusalOf))) {
      expect(refused).toMatchObject({ code: 'not_found', reason: 'appointment' });
    }
  }
  expect(
    await db.selectFrom('appointments').selectAll().where('id', '=', session.id).executeTakeFirst(),
  ).toEqual(before);
  expect(await acts(session.id)).toEqual([]);
});

test('ignores the appointment being moved in free times, for its own parties only', async () => {
  const { client, provider, session } = await booked();
  const range = {
    providerId: provider.id,
    from: '2026-02-23T05:00:00Z',
    to: '2026-02-24T05:00:00Z',
    durationMinutes: 60,
  };
  expect((await freeStarts(as(client), range)).starts).not.toContain(at);
  expect((await freeStarts(as(client), { ...range, moving: session.id })).starts).toContain(at);
  const today = { ...range, from: '2026-02-16T05:00:00Z', to: '2026-02-17T05:00:00Z', moving: session.id };
  expect((await freeStarts(as(client), today)).starts).toEqual([]);
  expect((await freeStarts(as(provider), today)).starts[0]).toBe('2026-02-16T14:00:00Z');
});

test('marks an emergency once, leaving the other party’s calendar unchanged', async () => {
  const { provider, session } = await booked();
  expect(await markEmergency(as(provider), session.id)).toMatchObject({ kind: 'emergency', sequence: 0 });
  expect(await refusalOf(markEmergency(as(provider), session.id))).toMatchObject({ reason: 'wrong_status' });
  expect(await acts(session.id)).toEqual(['booking.marked_emergency']);
});

test('claims a reminder once, and never after a move, cancellation or expiry', async () => {
  const job = as({ kind: 'job', name: 'test' });
  const take = (reminderId: string) => transact(job, (tx) => claimDueReminder(tx, reminderId));
  const { client, session } = await booked();
  const alarms = async (): Promise<string[]> => {
    const rows = await db
      .selectFrom('reminders')
      .select('id')
      .where('appointment_id', '=', session.id)
      .orderBy('kind')
      .execute();
    return rows.map(({ id }) => id);
  };
  const first = await alarms();
  await setReminder(as(client), session.id, 1440);
  expect(await dueTimes(session.id)).toEqual([
    'own 2026-02-22T20:00',
    'site 2026-02-23T19:00',
    'site 2026-02-23T19:00',
  ]);
  expect(await take(first[0]!)).toBeNull();
  const second = await alarms();
  const claims = await Promise.all([1, 2, 3].map(() => take(second[0]!)));
  expect(claims.filter((claim) => claim !== null)).toEqual([
    { appointmentId: session.id, personId: client.id, kind: 'own' },
  ]);
  database.setNow('2026-02-23T20:00:00Z');
  expect(await take(second[1]!)).toBeNull();
  database.setNow(morning);
  await cancel(as(client), session.id);
  expect(await take(second[1]!)).toBeNull();
});

test('keeps the other party’s due reminder when the client changes theirs', async () => {
  const job = as({ kind: 'job', name: 'test' });
  const { client, provider, session } = await booked();
  const { id } = await db
    .selectFrom('reminders')
    .select('id')
    .where('appointment_id', '=', session.id)
    .where('person_id', '=', provider.id)
    .executeTakeFirstOrThrow();
  database.setNow('2026-02-23T19:00:10Z');
  await setReminder(as(client), session.id, 15);
  expect(await transact(job, (tx) => claimDueReminder(tx, id))).toMatchObject({ personId: provider.id });
});

test('releases a claim whose transaction rolls back', async () => {
  const job = as({ kind: 'job', name: 'test' });
  const { session } = await booked();
  const { id } = await db
    .selectFrom('reminders')
    .select('id')
    .where('appointment_id', '=', session.id)
    .where('kind', '=', 'own')
    .executeTakeFirstOrThrow();
  const broken = transact(job, async (tx) => {
    await claimDueReminder(tx, id);
    throw new Error('crashed');
  });
  await expect(broken).rejects.toThrow('crashed');
  expect(await transact(job, (tx) => claimDueReminder(tx, id))).not.toBeNull();
});

test('skips past reminder times and merges equal ones', async () => {
  const { session } = await booked({}, { startsAt: '2026-02-17T20:00:00Z', reminderMinutes: 2880 });
  expect(await dueTimes(session.id)).toEqual(['site 2026-02-17T19:00', 'site 2026-02-17T19:00']);
  const other = await booked({}, { reminderMinutes: 60 });
  expect(await dueTimes(other.session.id)).toEqual(['own 2026-02-23T19:00', 'site 2026-02-23T19:00']);
});

test('rolls back when an event can’t be queued', async () => {
  const { client, session } = await booked();
  const failing: Ctx = {
    ...as(client),
    emit: () => Promise.reject(new Error('no queue')),
  };
  await expect(cancel(failing, session.id)).rejects.toThrow('no queue');
  expect(await held(session.id)).toEqual([true, true]);
  expect(await acts(session.id)).toEqual([]);
  expect(await dueTimes(session.id)).toHaveLength(3);
});
