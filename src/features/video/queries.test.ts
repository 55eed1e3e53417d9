import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient, addProvider, type Person } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { addSession } from '../../../tests/support/sessions.ts';
import { iceServersOf, sessionPage } from './queries.ts';

const { db, as, setNow } = await testDatabase();
const relay = {
  stunUrls: ['stun:relay.example:3478'],
  turn: { urls: ['turn:relay.example:3478?transport=udp', 'turns:relay.example:5349'], secret: 'shared' },
};
const start = '2026-03-02T15:00:00Z';

async function session() {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  return { client, provider, id: await addSession(db, { client, provider, start, status: 'confirmed' }) };
}

test('issues personal, anonymous credentials that are valid until the room closes', async () => {
  const { client, provider, id } = await session();
  setNow('2026-03-02T14:50:00Z');
  const [stun, turn] = await iceServersOf(as(client), relay, id);
  expect(stun).toEqual({ urls: ['stun:relay.example:3478'] });
  expect(turn!.urls).toEqual(relay.turn.urls);
  const [until, name] = turn!.username!.split(':');
  expect(Number(until)).toBe(Date.parse('2026-03-02T16:15:00Z') / 1_000);
  expect(turn!.credential).toBe(createHmac('sha1', 'shared').update(turn!.username!).digest('base64'));
  expect(name).toMatch(/^[0-9a-f]{24}$/);
  const others = [
    (await iceServersOf(as(provider), relay, id))[1]!.username,
    (await iceServersOf(as(client), relay, (await sessionOf(client)).id))[1]!.username,
  ];
  expect(others).not.toContain(turn!.username);
  for (const person of [client, provider]) expect(name).not.toContain(person.id.slice(-6));
});

async function sessionOf(client: Awaited<ReturnType<typeof addClient>>) {
  const provider = await addProvider(db);
  return { id: await addSession(db, { client, provider, start, status: 'confirmed' }) };
}

test('limits credentials to six hours', async () => {
  const { client, id } = await session();
  await db
    .updateTable('appointments')
    .set({ ends_at: new Date('2026-03-03T15:00:00Z'), blocked_until: new Date('2026-03-03T15:00:00Z') })
    .where('id', '=', id)
    .execute();
  setNow(start);
  const [, turn] = await iceServersOf(as(client), relay, id);
  expect(turn!.username!.split(':')[0]).toBe(String(Date.parse('2026-03-02T21:00:00Z') / 1_000));
});

test('returns no servers if none are configured', async () => {
  const { client, id } = await session();
  setNow(start);
  expect(await iceServersOf(as(client), { stunUrls: [], turn: null }, id)).toEqual([]);
});

test('refuses credentials while the room is closed, and to non-participants', async () => {
  const { client, id } = await session();
  setNow('2026-03-02T14:49:59Z');
  expect(await refusalOf(iceServersOf(as(client), relay, id))).toMatchObject({
    code: 'precondition',
    reason: 'early',
  });
  setNow('2026-03-02T16:15:00Z');
  expect(await refusalOf(iceServersOf(as(client), relay, id))).toMatchObject({ reason: 'over' });
  setNow(start);
  expect(await refusalOf(iceServersOf(as(await addClient(db)), relay, id))).toMatchObject({
    code: 'not_found',
    reason: 'appointment',
  });
});

test('shows times in the zone of the account, or where the client booked', async () => {
  const { client, provider, id } = await session();
  setNow(start);
  const zoneOf = async (person: Person) => (await sessionPage(as(person), id)).timeZone;
  expect([await zoneOf(client), await zoneOf(provider)]).toEqual(['America/Chicago', 'America/New_York']);
  await db.updateTable('profiles').set({ time_zone: 'Asia/Tokyo' }).where('id', '=', client.id).execute();
  expect([await zoneOf(client), await zoneOf(provider)]).toEqual(['Asia/Tokyo', 'America/New_York']);
});
