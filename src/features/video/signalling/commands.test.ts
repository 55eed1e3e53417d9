import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { cancel, complete, reschedule } from '#/features/appointments/life-cycle/commands.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { eventually, openLines, type Line } from '../../../../tests/support/lines.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { addGuest, agree, enter, refusedLast } from '../../../../tests/support/rooms.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { admit, endRoom } from '../commands.ts';

const start = '2026-03-02T15:00:00Z';
const database = await testDatabase();
const { db, as, setNow } = database;
const open = await openLines(database);

interface Place {
  id: string;
  client: Person;
  provider: Person;
  lines: { client: Line; provider: Line };
  peers: { client: string; provider: string };
}

/** Both peers in one room, on two processes; the client is admitted by default. */
async function meeting({ admitted = true } = {}): Promise<Place> {
  setNow(start);
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const id = await addSession(db, { client, provider, start, status: 'confirmed' });
  const lines = { client: await open(client, 0), provider: await open(provider, 1) };
  const peers = { client: await enter(lines.client, id), provider: await enter(lines.provider, id) };
  if (admitted) await admit(as(provider), id, client.id);
  return { id, client, provider, lines, peers };
}

const signalsOf = ({ received }: Line) => received.filter(({ type }) => type === 'room.signal');

/** Sends a message and returns its refusal. */
async function refused(line: Line, said: string | Record<string, unknown>): Promise<string> {
  const before = line.received.length;
  line.say(typeof said === 'string' ? said : { type: 'room.signal', ...said });
  await eventually(() => line.received.slice(before).some(({ type }) => type === 'refused')).toBe(true);
  return refusedLast(line)!;
}

test('delivers signals between browsers in order, across processes and to no one else', async () => {
  const { id, client, provider, lines, peers } = await meeting();
  const second = await open(client, 1);
  await enter(second, id);
  const bystander = await meeting();
  const signals = Array.from({ length: 40 }, (_, index) => ({ candidate: { index, text: 'שלום\u0000' } }));
  for (const signal of signals) {
    lines.client.say({ type: 'room.signal', appointmentId: id, to: peers.provider, signal });
  }
  await eventually(() => signalsOf(lines.provider).length).toBe(40);
  expect(signalsOf(lines.provider)).toEqual(
    signals.map((signal) => ({ type: 'room.signal', id, data: { from: peers.client, signal } })),
  );
  lines.provider.say({
    type: 'room.signal',
    appointmentId: id,
    to: peers.client,
    signal: { description: 'v=0' },
  });
  await eventually(() => signalsOf(lines.client).length).toBe(1);
  expect(signalsOf(second)).toEqual([]);
  for (const line of Object.values(bystander.lines)) expect(signalsOf(line)).toEqual([]);
  // The signal is never stored.
  const kept = await db
    .selectFrom('audit_entries')
    .select('details')
    .where('actor_id', 'in', [client.id, provider.id])
    .orderBy('id')
    .execute();
  expect(JSON.stringify(kept)).not.toContain('candidate');
});

test('neither sends nor delivers signals while waiting', async () => {
  const { id, lines, peers } = await meeting({ admitted: false });
  const signal = { candidate: 1 };
  expect(await refused(lines.client, { appointmentId: id, to: peers.provider, signal })).toBe(
    'not_found peer',
  );
  expect(await refused(lines.provider, { appointmentId: id, to: peers.client, signal })).toBe(
    'not_found peer',
  );
  expect([...signalsOf(lines.client), ...signalsOf(lines.provider)]).toEqual([]);
});

test('answers other rooms like missing ones', async () => {
  const { id, client, lines, peers } = await meeting();
  const other = await meeting();
  const signal = { candidate: 1 };
  for (const to of [other.peers.client, other.peers.provider, newId(), peers.client]) {
    expect(await refused(lines.client, { appointmentId: id, to, signal })).toBe('not_found peer');
  }
  // Targets another room, then sends from outside any room.
  expect(await refused(lines.client, { appointmentId: other.id, to: other.peers.client, signal })).toBe(
    'conflict not_in_room',
  );
  const outside = await open(client, 0);
  expect(await refused(outside, { appointmentId: id, to: peers.provider, signal })).toBe(
    'conflict not_in_room',
  );
  expect([...signalsOf(other.lines.client), ...signalsOf(other.lines.provider)]).toEqual([]);
});

test('limits signals to 32 kB of shallow JSON', async () => {
  const { id, lines, peers } = await meeting();
  const to = peers.provider;
  const sized = (bytes: number) => ({ sdp: 'é'.repeat((bytes - '{"sdp":""}'.length) / 2) });
  lines.client.say({ type: 'room.signal', appointmentId: id, to, signal: sized(32 * 1024) });
  await eventually(() => signalsOf(lines.provider).length).toBe(1);
  expect(signalsOf(lines.provider)[0]!.data).toEqual({ from: peers.client, signal: sized(32 * 1024) });
  // Too deep for recursion or JSON.stringify.
  const deep = `{"type":"room.signal","appointmentId":"${id}","to":"${to}","signal":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  expect(await refused(lines.client, deep)).toBe('invalid bad_signal');
  for (const signal of [sized(32 * 1024 + 2), [[[[[[[[[]]]]]]]]]]) {
    expect(await refused(lines.client, { appointmentId: id, to, signal })).toBe('invalid bad_signal');
  }
  expect(await refused(lines.client, { appointmentId: id, to })).toBe('invalid bad_frame');
  for (const odd of ['x', '\u0000', 7, null, ['x'], `${to}'--`]) {
    expect(await refused(lines.client, { appointmentId: id, to: odd, signal: 1 })).toBe('invalid bad_frame');
  }
  expect(signalsOf(lines.provider)).toHaveLength(1);
});

test.each([
  ['ended', ({ provider, id }: Place) => endRoom(as(provider), id), 'conflict not_in_room'],
  ['cancelled', ({ provider, id }: Place) => cancel(as(provider), id), 'precondition cancelled'],
  [
    'moved',
    ({ provider, id }: Place) => reschedule(as(provider), id, '2026-03-04T15:00:00Z'),
    'precondition early',
  ],
  ['over', () => Promise.resolve(setNow('2026-03-02T16:15:00Z')), 'conflict not_in_room'],
] as const)('stops delivery immediately once the session is %s', async (_, act, word) => {
  const place = await meeting();
  setNow('2026-03-02T14:59:00Z');
  await act(place);
  const { id, lines, peers } = place;
  const signal = { candidate: 1 };
  expect(await refused(lines.client, { appointmentId: id, to: peers.provider, signal })).toBe(word);
  expect(await refused(lines.provider, { appointmentId: id, to: peers.client, signal })).toBe(word);
  expect([...signalsOf(lines.client), ...signalsOf(lines.provider)]).toEqual([]);
});

test('stops delivery once it is completed', async () => {
  const place = await meeting();
  const { id, provider, lines, peers } = place;
  const said = { appointmentId: id, to: peers.provider, signal: 1 };
  await complete(as(provider), id);
  expect(await refused(lines.client, said)).toBe('precondition ended');
});

test('stops delivery to and from a withdrawn guest', async () => {
  const { id, client, provider, lines, peers } = await meeting();
  await agree(db, id, client.id);
  const guest = await addClient(db);
  const guestId = await addGuest(db, { appointmentId: id, personId: guest.id, name: 'Ruth' });
  const line = await open(guest, 1);
  const peer = await enter(line, id);
  await admit(as(provider), id, guest.id);
  lines.client.say({ type: 'room.signal', appointmentId: id, to: peer, signal: 1 });
  await eventually(() => signalsOf(line).length).toBe(1);
  await db.updateTable('session_guests').set({ state: 'withdrawn' }).where('id', '=', guestId).execute();
  expect(await refused(line, { appointmentId: id, to: peers.client, signal: 1 })).toBe(
    'conflict not_in_room',
  );
  expect(await refused(lines.client, { appointmentId: id, to: peer, signal: 1 })).toBe('not_found peer');
});

test('stops delivery while video sessions are off', async () => {
  const { id, lines, peers } = await meeting();
  const switched = (enabled: boolean) =>
    db.updateTable('feature_flags').set({ enabled }).where('id', '=', 'video_sessions').execute();
  await switched(false);
  try {
    const said = { appointmentId: id, to: peers.provider, signal: 1 };
    expect(await refused(lines.client, said)).toBe('not_found feature_off');
  } finally {
    await switched(true);
  }
});
