import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { leave } from '#/features/attendees/commands.ts';
import { cancel, complete, reschedule } from '#/features/appointments/life-cycle/commands.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { eventually, openLines, type Line } from '../../../../tests/support/lines.ts';
import { addClient, addClients, addProvider, type Person } from '../../../../tests/support/people.ts';
import { addGuest, agree, changesOf, enter } from '../../../../tests/support/rooms.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { admit } from '../commands.ts';
import { roomOf } from '../queries.ts';
import { endPresence, refreshPresence } from './commands.ts';

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

/** Client (admitted) and provider in one room, connected to two processes. */
async function meeting() {
  const cast = await session();
  const [client, provider] = [await open(cast.client, 0), await open(cast.provider, 1)];
  const peers = { client: await enter(client, cast.id), provider: await enter(provider, cast.id) };
  await admit(as(cast.provider), cast.id, cast.client.id);
  return { ...cast, lines: { client, provider }, peers };
}

const later = (seconds: number) => Temporal.Instant.from(start).add({ seconds }).toString();

/** Waits for `act` to notify the connection. */
async function told(line: Line, id: string, act: () => Promise<unknown>): Promise<void> {
  await noticesArrived(line);
  const before = changesOf(line, id);
  await act();
  await eventually(() => changesOf(line, id)).toBeGreaterThan(before);
}

/** Notices arrive in the order of their commits, so all earlier ones have arrived when this one has. */
async function noticesArrived(line: Line): Promise<void> {
  const last = newId();
  await transact(as(line.person), (tx) =>
    publish(tx, [`person:${line.person.id}`], { type: 'room.changed', id: last }),
  );
  await eventually(() => changesOf(line, last)).toBe(1);
}

const stored = (id: string) =>
  db.selectFrom('room_peers').select('peer_id').where('appointment_id', '=', id).execute();

test('waits for admission by the provider, notifying both in their processes', async () => {
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
  // Reconnecting doesn't require admission again.
  await theirs.close();
  await enter(await open(client, 1), id);
  expect((await roomOf(as(client), id)).admitted).toBe(true);
});

test('reports a leave immediately, by message or closed socket', async () => {
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

test('enters a room once, and a browser only one room at a time', async () => {
  const { client, provider, id, lines, peers } = await meeting();
  expect(await enter(lines.client, id)).toBe(peers.client);
  expect(await stored(id)).toHaveLength(2);
  const other = await addSession(db, { client, provider: await addProvider(db), start, status: 'confirmed' });
  await told(lines.provider, id, () => enter(lines.client, other));
  expect((await roomOf(as(provider), id)).peers).toHaveLength(1);
  // A late leave for the previous room doesn't leave the new one.
  lines.client.say({ type: 'room.leave', appointmentId: id });
  await enter(lines.client, other);
  expect(await stored(other)).toEqual([{ peer_id: peers.client }]);
});

test('removes peers of a dead process within forty seconds and notifies the others', async () => {
  const { client, provider, id, lines, peers } = await meeting();
  await db
    .updateTable('room_peers')
    .set({ process_id: newId() })
    .where('peer_id', '=', peers.client)
    .execute();
  setNow(later(20));
  await refreshPresence(job);
  setNow(later(29));
  await refreshPresence(job);
  expect((await roomOf(as(provider), id)).peers).toHaveLength(2);
  setNow(later(30));
  // Expired peers are hidden before cleanup runs.
  expect((await roomOf(as(provider), id)).peers.map(({ part }) => part)).toEqual(['provider']);
  await told(lines.provider, id, () => refreshPresence(job));
  expect(await stored(id)).toEqual([{ peer_id: peers.provider }]);
  // A peer whose socket survived can re-enter without waiting.
  await enter(lines.client, id);
  expect((await roomOf(as(client), id)).admitted).toBe(true);
});

test('removes a process’s peers when it stops', async () => {
  const { id, lines } = await meeting();
  await db.updateTable('room_peers').set({ process_id: newId() }).where('appointment_id', '=', id).execute();
  await enter(lines.provider, id);
  await told(lines.client, id, () => endPresence(job));
  expect(await stored(id)).toHaveLength(1);
});

test('fits six people, always the provider, and each person’s three newest browsers', async () => {
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

test('admits six people at most, even concurrently', async () => {
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

test(
  'empties the room and notifies peers when a session is canceled, moved or completed',
  { tags: ['long'] },
  async () => {
    const provider = (cast: Cast) => as(cast.provider);
    for (const act of [
      (cast: Cast) => complete(provider(cast), cast.id),
      (cast: Cast) => reschedule(provider(cast), cast.id, '2026-03-04T15:00:00Z'),
      (cast: Cast) => cancel(provider(cast), cast.id),
    ]) {
      const cast = await meeting();
      // Before the start, while rescheduling and canceling are allowed.
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
  },
);

test('requires new admission after a session is moved', async () => {
  const { client, provider, id, lines } = await meeting();
  setNow(later(-60));
  await reschedule(as(provider), id, '2026-03-04T15:00:00Z');
  setNow('2026-03-04T15:00:00Z');
  await enter(lines.client, id);
  expect((await roomOf(as(client), id)).admitted).toBe(false);
  await admit(as(provider), id, client.id);
  expect((await roomOf(as(client), id)).admitted).toBe(true);
});

test('removes everyone when a room closes', async () => {
  const { provider, id, lines } = await meeting();
  setNow('2026-03-02T16:14:59Z');
  await refreshPresence(job);
  expect((await roomOf(as(provider), id)).peers).toHaveLength(2);
  setNow('2026-03-02T16:15:00Z');
  await told(lines.client, id, () => refreshPresence(job));
  expect(await stored(id)).toEqual([]);
});

test('removes a guest who withdraws from the room', async () => {
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
  await told(line, id, () => told(lines.client, id, () => refreshPresence(job)));
  expect(await stored(id)).toHaveLength(2);
  await expect(enter(line, id)).rejects.toThrow('not_found appointment');
});

test('removes a guest who leaves the session, and requires admission to return', async () => {
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
