import { expect, test } from 'vitest';
import { bookInputFor } from '../../../tests/support/booking.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient, addProvider, sixtyMinutes, type Person } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { book } from '#/features/appointments/booking/commands.ts';
import { cancel } from '#/features/appointments/life-cycle/commands.ts';
import { joinForEarlierTime, joinWaitlist } from './commands.ts';
import type { AskInput } from './contract.ts';

const { db, as, setNow } = await testDatabase({ now: '2026-03-02T15:00:00Z' });
const service = await sixtyMinutes(db);
const oneHour = [{ weekday: 1, from: '10:00', to: '11:00', placeId: null }];
const monday = '2026-03-09T14:00:00Z';

const wishes = {
  untilDate: '2026-03-15',
  weekdays: [1, 3],
  dayParts: ['morning' as const],
  timeZone: 'America/New_York',
};

function wish(provider: Person, more: Partial<AskInput> = {}): AskInput {
  return {
    ...wishes,
    providerId: provider.id,
    serviceId: service,
    durationMinutes: 60,
    sessionType: 'phone',
    ...more,
  };
}

async function session(client: Person, provider: Person, startsAt: string): Promise<string> {
  const { appointments } = await book(
    as(client),
    bookInputFor(provider.id, service, startsAt, {
      sessionType: 'phone',
      contact: { name: 'Ruth', email: 'ruth@people.example', phone: '+1 617 555 0100' },
      timeZone: 'America/New_York',
    }),
  );
  return appointments[0]!.id;
}

async function full() {
  const [client, provider] = [await addClient(db), await addProvider(db, { week: oneHour })];
  await session(await addClient(db), provider, monday);
  return { client, provider };
}

test('updates the request on joining again, and keeps its place in line', async () => {
  const { client, provider } = await full();
  const first = await joinWaitlist(as(client), wish(provider));
  expect(first).toMatchObject({ appointment: null, wishes, offers: [], service: { id: service } });
  setNow('2026-03-02T16:00:00Z');
  const again = await joinWaitlist(as(client), wish(provider, { weekdays: [2, 2, 1], durationMinutes: 30 }));
  expect(again).toMatchObject({ id: first.id, wishes: { ...wishes, weekdays: [1, 2] }, durationMinutes: 30 });
  const rows = await db.selectFrom('waits').select('asked_at').where('client_id', '=', client.id).execute();
  expect(rows).toEqual([{ asked_at: new Date('2026-03-02T15:00:00Z') }]);
  setNow('2026-03-02T15:00:00Z');
});

test(
  'keeps a client on at most twenty waiting lists, even when joining many at once',
  { tags: ['long'] },
  async () => {
    const client = await addClient(db);
    const sundays = [{ ...oneHour[0]!, weekday: 7 }];
    const providers = await Promise.all(Array.from({ length: 24 }, () => addProvider(db, { week: sundays })));
    const asked = await Promise.allSettled(
      providers.map((provider) => joinWaitlist(as(client), wish(provider))),
    );
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toHaveLength(4);
    for (const refusal of refused)
      expect(refusal).toMatchObject({ code: 'precondition', reason: 'too_many_waits' });
  },
);

test('rejects a request when a matching time is already free, and names it', async () => {
  const { client, provider } = await full();
  const refusal = await refusalOf(joinWaitlist(as(client), wish(provider, { untilDate: '2026-03-31' })));
  expect(refusal).toMatchObject({
    code: 'conflict',
    reason: 'free_already',
    data: { nextFreeStarts: ['2026-03-16T14:00:00Z', '2026-03-23T14:00:00Z', '2026-03-30T14:00:00Z'] },
  });
  const own = await session(client, provider, '2026-03-23T14:00:00Z');
  expect(
    await refusalOf(
      joinForEarlierTime(as(client), { ...wishes, untilDate: '2026-03-31', appointmentId: own }),
    ),
  ).toMatchObject({ data: { nextFreeStarts: ['2026-03-16T14:00:00Z'] } });
  expect(await joinForEarlierTime(as(client), { ...wishes, appointmentId: own })).toMatchObject({
    offers: [],
  });
});

test.each([
  ['a date that is over', { untilDate: '2026-03-01' }, 'untilDate', 'past'],
  ['a date that is too far ahead', { untilDate: '2027-03-20' }, 'untilDate', 'too_far'],
  ['a zone that there isn’t', { timeZone: 'Mars/Olympus' }, 'timeZone', 'unknown_zone'],
  ['a service that isn’t offered', { serviceId: 'nothing' }, 'serviceId', 'not_offered'],
  ['a way to meet that isn’t offered', { sessionType: 'in-person' as const }, 'sessionType', 'not_offered'],
  ['a length that isn’t offered', { durationMinutes: 45 }, 'durationMinutes', 'not_offered'],
])('%s is refused by its field', async (_, more, field, reason) => {
  const { client, provider } = await full();
  await db
    .updateTable('providers')
    .set({ session_types: ['online', 'phone'] })
    .where('id', '=', provider.id)
    .execute();
  expect(await refusalOf(joinWaitlist(as(client), wish(provider, more)))).toMatchObject({
    reason,
    fields: [{ field, reason }],
  });
});

test('allows only the client’s own appointment, while it can be moved', async () => {
  const { client, provider } = await full();
  const own = await session(client, provider, '2026-03-23T14:00:00Z');
  const earlier = (person: Person) => joinForEarlierTime(as(person), { ...wishes, appointmentId: own });
  expect(await refusalOf(earlier(await addClient(db)))).toMatchObject({ code: 'not_found' });
  expect(await refusalOf(earlier(provider))).toMatchObject({ code: 'forbidden', reason: 'not_your_part' });
  expect(await refusalOf(joinWaitlist(as(client), wish(client)))).toMatchObject({ reason: 'yourself' });
  expect(
    await refusalOf(joinWaitlist(as(client), wish(await addProvider(db, { listed: false })))),
  ).toMatchObject({
    code: 'not_found',
    reason: 'specialist',
  });
  await cancel(as(client), own);
  expect(await refusalOf(earlier(client))).toMatchObject({ code: 'conflict', reason: 'wrong_status' });
});
