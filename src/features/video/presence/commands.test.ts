import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { leave } from '#/features/booking/guests/commands.ts';
import { cancel, complete, reschedule } from '#/features/booking/life-cycle/commands.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { eventually, openLines, type Line } from '../../../../tests/support/lines.ts';
import { addClient, addClients, addProvider, type Person } from '../../../../tests/support/people.ts';
import { addGuest, agree, changesOf, enter } from '../../../../tests/support/rooms.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { admit } from '../commands.ts';
import { roomOf } from '../queries.ts';
import { endPresence, keepPresence } from './commands.ts';

const start = '2026-03-02T15:00:00Z';
const database = await testDatabase();
const { db, as, setNow, runJobs } = database;
const open = await openLines(database);
const job = as({ kind: 'job', name: 'presence' });

interface Cast {
  client: Person;
  provider: Person;
  id: string;
}

async function session(): Promise<Cast> {
  setNow(start);
  const [client, provider] = [await addClient(db), await addProvider(db)];
  return { client, provider, id: await addSession(db, { client, provider, start, status: 'confirmed' }) };
}

/** Both in the room, in two processes, the client let in. */
async function meeting() {
  const cast = await session();
  const [client, provider] = [await open(cast.client, 0), await open(cast.provider, 1)];
  const peers = { client: await enter(client, cast.id), provider: await enter(provider, cast.id) };
  await admit(as(cast.provider), cast.id, cast.client.id);
  return { ...cast, lines: { client, provider }, peers };
}

const later = (seconds: number) => Temporal.Instant.from(start).add({ seconds }).toString();

/** Waits until a line has been told once more than before to fetch the room anew. */
async function told(line: Line, id: string, act: () => Promise<unknown>): Promise<void> {
  const before = changesOf(line, id);
  await act();
  await eventually(() => changesOf(line, id)).toBeGreaterThan(before);
}

const stored = (id: string) =>
  db.selectFrom('room_peers').select('peer_id').where('appointment_id', '=', id).execute();

test('who enters waits until the provider lets them in, and both hear of it in their processes', async () => {
  const { client, provider, id } = await session();
  const [theirs, own] = [await open(client, 0), await open(provider, 1)];
  const waiting = await enter(theirs, id);
  expect(await roomOf(as(client), id)).toEqual({ admitted: false, providerHere: false, peers: [] });
  setNow(later(1));
  await told(theirs, id, () => enter(own, id));
  expect(await roomOf(as(client), id)).toEqual({ admitted: false, providerHere: true, peers: [] });
  expect(await roomOf(as(provider), id)).toEqual({
    admitted: true,
    providerHere: true,
    peers: [
      { peerId: waiting, personId: client.id, name: 'Naomi Weiss', part: 'client', waiting: true },
      expect.objectContaining({ personId: provider.id, part: 'provider', waiting: false }),
    ],
  });
  await told(own, id, () => told(theirs, id, () => admit(as(provider), id, client.id)));
  const { admitted, peers } = await roomOf(as(client), id);
  expect([admitted, peers.map(({ part, waiting: waits }) => `${part} ${waits}`)]).toEqual([
    true,
    ['client false', 'provider false'],
  ]);
  // A cut line is no second waiting room.
  await theirs.close();
  await enter(await open(client, 1), id);
  expect((await roomOf(as(client), id)).admitted).toBe(true);
});

test('leaving is heard at once, whether it is said or the socket closes', async () => {
  const { client, provider, id, lines } = await meeting();
  await told(lines.provider, id, () =>
    Promise.resolve(lines.client.say({ type: 'room.leave', appointmentId: id })),
  );
  expect((await roomOf(as(provider), id)).peers).toHaveLength(1);
  await told(lines.provider, id, () => enter(lines.client, id));
  await told(lines.provider, id, () => lines.client.close());
  expect((await roomOf(as(provider), id)).peers.map(({ part }) => part)).toEqual(['provider']);
  await lines.provider.close();
  await eventually(() => stored(id)).toEqual([]);
  expect((await roomOf(as(client), id)).providerHere).toBe(false);
});

test('entering twice is entering once; a browser is in one room at a time', async () => {
  const { client, provider, id, lines, peers } = await meeting();
  expect(await enter(lines.client, id)).toBe(peers.client);
  expect(await stored(id)).toHaveLength(2);
  const other = await addSession(db, { client, provider: await addProvider(db), start, status: 'confirmed' });
  await told(lines.provider, id, () => enter(lines.client, other));
  expect((await roomOf(as(provider), id)).peers).toHaveLength(1);
  // What is left is left, and not another room.
  lines.client.say({ type: 'room.leave', appointmentId: id });
  await enter(lines.client, other);
  expect(await stored(other)).toEqual([{ peer_id: peers.client }]);
});

test('peers of a process that died are gone within forty seconds, and the others hear of it', async () => {
  const { client, provider, id, lines, peers } = await meeting();
  await db
    .updateTable('room_peers')
    .set({ process_id: newId() })
    .where('peer_id', '=', peers.client)
    .execute();
  setNow(later(20));
  await keepPresence(job);
  setNow(later(29));
  await keepPresence(job);
  expect((await roomOf(as(provider), id)).peers).toHaveLength(2);
  setNow(later(30));
  // Gone for who asks, before anybody has swept.
  expect((await roomOf(as(provider), id)).peers.map(({ part }) => part)).toEqual(['provider']);
  await told(lines.provider, id, () => keepPresence(job));
  expect(await stored(id)).toEqual([{ peer_id: peers.provider }]);
  // Whose line stands all the same is told to come back, and needn't wait.
  await enter(lines.client, id);
  expect((await roomOf(as(client), id)).admitted).toBe(true);
});

test('a process that ends takes its peers with it', async () => {
  const { id, lines } = await meeting();
  await db.updateTable('room_peers').set({ process_id: newId() }).where('appointment_id', '=', id).execute();
  await enter(lines.provider, id);
  await told(lines.client, id, () => endPresence(job));
  expect(await stored(id)).toHaveLength(1);
});

test('six people fit, the provider’s place is kept; of one person the three newest browsers', async () => {
  const { client, provider, id } = await session();
  await agree(db, id, client.id);
  const guests = await addClients(db, 5);
  for (const [index, guest] of guests.entries()) {
    await addGuest(db, { appointmentId: id, personId: guest.id, name: `Guest ${index + 1}` });
  }
  await enter(await open(client, 0), id);
  for (const guest of guests.slice(0, 4)) await enter(await open(guest, 1), id);
  const last = await open(guests[4]!, 1);
  await expect(enter(last, id)).rejects.toThrow('conflict room_full');
  const own = await open(provider, 0);
  await enter(own, id);
  const more = [await open(client, 1), await open(client, 0), await open(client, 1)];
  const peers = [];
  for (const [index, line] of more.entries()) {
    setNow(later(index + 1));
    peers.push(await enter(line, id));
  }
  const ofClient = (await roomOf(as(provider), id)).peers.filter(({ part }) => part === 'client');
  expect(ofClient.map(({ peerId }) => peerId)).toEqual(peers);
  await expect(enter(last, id)).rejects.toThrow('conflict room_full');
  for (const line of more) await line.close();
  await eventually(async () => (await roomOf(as(provider), id)).peers.length).toBe(5);
  await enter(last, id);
});

test('at once, too, no more than six come in', async () => {
  const { client, id } = await session();
  await agree(db, id, client.id);
  const guests = await addClients(db, 8);
  for (const guest of guests) await addGuest(db, { appointmentId: id, personId: guest.id, name: 'Guest' });
  const lines = await Promise.all(guests.map((guest, index) => open(guest, index % 2)));
  const answers = await Promise.all(
    lines.map((line) => enter(line, id).catch((error: unknown) => (error as Error).message)),
  );
  expect(answers.filter((answer) => answer === 'conflict room_full')).toHaveLength(3);
  expect(await stored(id)).toHaveLength(5);
});

test('a session that is cancelled, moved or completed empties its room, and who was in it hears so', async () => {
  const provider = (cast: Cast) => as(cast.provider);
  for (const act of [
    (cast: Cast) => complete(provider(cast), cast.id),
    (cast: Cast) => reschedule(provider(cast), cast.id, '2026-03-04T15:00:00Z'),
    (cast: Cast) => cancel(provider(cast), cast.id),
  ]) {
    const cast = await meeting();
    // Before the start, so that it may still be moved and cancelled.
    if (act.toString().includes('complete')) setNow(start);
    else setNow(later(-60));
    await told(cast.lines.client, cast.id, () =>
      told(cast.lines.provider, cast.id, async () => {
        await act(cast);
        await runJobs();
      }),
    );
    expect(await stored(cast.id)).toEqual([]);
    expect(await roomOf(as(cast.client), cast.id)).toEqual({
      admitted: false,
      providerHere: false,
      peers: [],
    });
  }
});

test('who was let in before a session was moved waits again at its new time', async () => {
  const { client, provider, id, lines } = await meeting();
  setNow(later(-60));
  await reschedule(as(provider), id, '2026-03-04T15:00:00Z');
  setNow('2026-03-04T15:00:00Z');
  await enter(lines.client, id);
  expect((await roomOf(as(client), id)).admitted).toBe(false);
  await admit(as(provider), id, client.id);
  expect((await roomOf(as(client), id)).admitted).toBe(true);
});

test('when a room closes, nobody is in it any more', async () => {
  const { provider, id, lines } = await meeting();
  setNow('2026-03-02T16:14:59Z');
  await keepPresence(job);
  expect((await roomOf(as(provider), id)).peers).toHaveLength(2);
  setNow('2026-03-02T16:15:00Z');
  await told(lines.client, id, () => keepPresence(job));
  expect(await stored(id)).toEqual([]);
});

test('a guest who doesn’t come after all is gone from the room', async () => {
  const { client, provider, id, lines } = await meeting();
  await agree(db, id, client.id);
  const guest = await addClient(db);
  const guestId = await addGuest(db, { appointmentId: id, personId: guest.id, name: 'Ruth' });
  const line = await open(guest, 1);
  await enter(line, id);
  await admit(as(provider), id, guest.id);
  expect((await roomOf(as(client), id)).peers.map(({ name }) => name)).toContain('Ruth');
  await db.updateTable('session_guests').set({ state: 'withdrawn' }).where('id', '=', guestId).execute();
  expect((await roomOf(as(client), id)).peers.map(({ name }) => name)).not.toContain('Ruth');
  await told(line, id, () => told(lines.client, id, () => keepPresence(job)));
  expect(await stored(id)).toHaveLength(2);
  await expect(enter(line, id)).rejects.toThrow('not_found appointment');
});

test('a guest who leaves the session leaves its room, and would have to be let in again', async () => {
  const { client, provider, id, lines } = await meeting();
  await agree(db, id, client.id);
  const guest = await addClient(db);
  const guestId = await addGuest(db, { appointmentId: id, personId: guest.id, name: 'Ruth' });
  const line = await open(guest, 1);
  await enter(line, id);
  await admit(as(provider), id, guest.id);
  await told(line, id, () =>
    told(lines.provider, id, async () => {
      await leave(as(guest), id);
      await runJobs();
    }),
  );
  expect(await stored(id)).toHaveLength(2);
  await db.updateTable('session_guests').set({ state: 'accepted' }).where('id', '=', guestId).execute();
  await agree(db, id, guest.id);
  await enter(line, id);
  expect((await roomOf(as(guest), id)).admitted).toBe(false);
});
