import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
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
import { addSession } from '../../../../tests/support/sessions.ts';
import { book } from '../booking/commands.ts';
import type { BookForInput } from '../booking/contract.ts';
import { freeStarts } from '../free-starts/queries.ts';
import { bookFor } from './commands.ts';

const { db, as } = await testDatabase();
const service = await sixtyMinutes(db);
/** Monday, 10:00 in New York. */
const at = '2026-03-09T14:00:00Z';

function wish(clientId: string, more: Partial<BookForInput> = {}): BookForInput {
  return {
    idempotencyKey: newId(),
    clientId,
    serviceId: service,
    startsAt: at,
    durationMinutes: 60,
    sessionType: 'online',
    recurrence: 'one_time',
    sessions: 4,
    outsideHours: false,
    ...more,
  };
}

async function pair(terms: ProviderTerms = {}) {
  const [client, provider] = [await addClient(db), await addProvider(db, terms)];
  await addSession(db, { client, provider });
  return { client, provider };
}

function bookAs(client: Person, provider: Person, startsAt: string) {
  return book(as(client), bookInputFor(provider.id, service, startsAt));
}

test('books confirmed sessions for a client without notice, naming the provider as booker', async () => {
  const { client, provider } = await pair({ approvesFirst: true });
  // Current time: Monday, 07:00 in New York.
  const { bookingId, appointments } = await bookFor(
    as(provider),
    wish(client.id, { startsAt: '2026-03-02T15:00:00Z' }),
  );
  expect(appointments).toMatchObject([
    {
      status: 'confirmed',
      kind: 'follow-up',
      reminderMinutes: 60,
      client: { id: client.id, name: 'Naomi Weiss', email: 'naomi@weiss.example' },
    },
  ]);
  const entries = await db
    .selectFrom('audit_entries')
    .select(['action', 'actor_id', 'details'])
    .where('subject_id', '=', bookingId)
    .orderBy('id')
    .execute();
  expect(entries).toMatchObject([
    { action: 'booking.booked', actor_id: provider.id, details: { by: 'provider' } },
  ]);
  const held = await db
    .selectFrom('participants')
    .select(['person_id', 'held'])
    .where('appointment_id', '=', appointments[0]!.id)
    .execute();
  expect(new Set(held.map(({ person_id }) => person_id))).toEqual(new Set([client.id, provider.id]));
  const reminders = await db
    .selectFrom('reminders')
    .select('person_id')
    .where('appointment_id', '=', appointments[0]!.id)
    .where('kind', '=', 'own')
    .execute();
  expect(reminders).toEqual([{ person_id: client.id }]);
});

test('books once per idempotency key, and rejects reusing it for another booking', async () => {
  const { client, provider } = await pair();
  const wanted = wish(client.id, { recurrence: 'weekly', sessions: 3 });
  const first = await bookFor(as(provider), wanted);
  expect(first.appointments).toHaveLength(3);
  expect(await bookFor(as(provider), wanted)).toEqual(first);
  expect(await refusalOf(bookFor(as(provider), { ...wanted, outsideHours: true }))).toMatchObject({
    reason: 'idempotency_key_reused',
  });
});

test('returns not_found for people the provider doesn’t serve', async () => {
  const { client } = await pair();
  const { provider: other } = await pair();
  for (const id of [client.id, other.id, newId()]) {
    expect(await refusalOf(bookFor(as(other), wish(id)))).toMatchObject({
      code: 'not_found',
      reason: 'client',
    });
  }
});

test('hides contact details the client gave another provider', async () => {
  const { client, provider } = await pair();
  await bookAs(client, await addProvider(db), '2026-03-10T14:00:00Z');
  const { appointments } = await bookFor(as(provider), wish(client.id));
  expect(appointments[0]!.client).toMatchObject({ name: 'Naomi Weiss', email: 'naomi@weiss.example' });
});

test('books outside hours only on request, and never over a busy time', async () => {
  const { client, provider } = await pair();
  const evening = { startsAt: '2026-03-10T01:20:00Z' };
  expect(await refusalOf(bookFor(as(provider), wish(client.id, evening)))).toMatchObject({
    reason: 'outside_hours',
  });
  const outside = { ...evening, outsideHours: true };
  expect((await bookFor(as(provider), wish(client.id, outside))).appointments).toHaveLength(1);
  const { client: next } = await pair();
  await addSession(db, { client: next, provider });
  // The session has a 15-minute buffer after it.
  for (const startsAt of ['2026-03-10T01:20:00Z', '2026-03-10T00:30:00Z', '2026-03-10T02:30:00Z']) {
    const refusal = await refusalOf(bookFor(as(provider), wish(next.id, { startsAt, outsideHours: true })));
    expect(refusal).toMatchObject({ code: 'conflict', reason: 'slot_taken' });
  }
  await bookFor(as(provider), wish(next.id, { startsAt: '2026-03-10T02:35:00Z', outsideHours: true }));
  expect(
    await refusalOf(
      bookFor(as(provider), wish(next.id, { startsAt: '2026-03-10T05:01:00Z', outsideHours: true })),
    ),
  ).toMatchObject({ reason: 'unaligned' });
});

test('tells the provider only that a busy client isn’t free', async () => {
  const { client, provider } = await pair();
  const elsewhere = await addProvider(db);
  await bookAs(client, elsewhere, at);
  for (const outsideHours of [false, true]) {
    const refusal = await refusalOf(bookFor(as(provider), wish(client.id, { outsideHours })));
    expect(refusal).toMatchObject({ code: 'conflict', reason: 'not_free', data: {} });
  }
  await bookFor(as(provider), wish(client.id, { startsAt: '2026-03-09T16:00:00Z' }));
});

test('shows the provider times too soon for others to book', async () => {
  const { client, provider } = await pair();
  // Current time: Monday, 07:00 in New York.
  const span = { from: '2026-03-02T12:00:00Z', to: '2026-03-03T00:00:00Z' };
  const starts = async (person: Person) =>
    (await freeStarts(as(person), { providerId: provider.id, durationMinutes: 60, ...span })).starts;
  expect(await starts(client)).toEqual([]);
  expect(await starts(provider)).toContain('2026-03-02T15:00:00Z');
});

test('uses the client’s last phone number or one the provider enters', async () => {
  const { client, provider } = await pair();
  await db
    .updateTable('appointments')
    .set({ contact_phone: null })
    .where('client_id', '=', client.id)
    .execute();
  const byPhone = { sessionType: 'phone' as const };
  expect(await refusalOf(bookFor(as(provider), wish(client.id, byPhone)))).toMatchObject({
    code: 'invalid',
    fields: [{ field: 'contact.phone', reason: 'required' }],
  });
  const number = '+1 617 555 0100';
  const { appointments } = await bookFor(as(provider), wish(client.id, { ...byPhone, phone: number }));
  expect(appointments[0]!.client!.phone).toBe(number);
  const later = wish(client.id, { ...byPhone, startsAt: '2026-03-10T14:00:00Z' });
  expect((await bookFor(as(provider), later)).appointments[0]!.calledAt).toBe(number);
});
