import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { frames } from '#/app/api.ts';
import { tidy } from '#/app/tidy.ts';
import { setPassword } from '#/features/accounts/commands.ts';
import { newId, systemNow } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { eventually, openLine, type Line } from '../support/lines.ts';
import { addClient, type Person } from '../support/people.ts';
import { enter } from '../support/rooms.ts';
import { screensOf } from '../support/screen-updates.ts';
import { castOf, testServer, type Cast, type Visitor } from '../support/server.ts';
import { addSession } from '../support/sessions.ts';

/** Origin header of the visitor's browser. */
const origin = 'http://italk.test:3000';

const server = await testServer({ rateLimitFactor: 1 });
const { database, port } = server;
let cast: Cast;
beforeAll(async () => {
  cast = await castOf(server);
});

/** Tries to open a socket and returns the status, 101 on success. */
async function attempt(headers: Record<string, string>, path = '/realtime'): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode!));
    socket.once('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.once('close', () => resolve(0));
  });
}

async function open({ cookie }: Visitor): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/realtime`, { headers: { cookie, origin } });
  await once(socket, 'open');
  return socket;
}

/** Opens a visitor's socket, identified only by cookie. */
function lineOf({ cookie }: Visitor): Promise<Line> {
  return openLine({} as Person, `ws://127.0.0.1:${port}/realtime`, { cookie, origin });
}

/** Memory limit for misbehaving sockets, in bytes. */
const maxKept = 10 * 1024 * 1024;

/**
 * Bytes in live buffers of this process, which runs both server and browsers. Freed memory shows up with a delay: poll
 * it.
 */
function bytesKept(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

const tell = (topics: string[], id: string, count = 1, data?: string) =>
  transact(database.as({ kind: 'system' }), async (tx) => {
    for (let n = 0; n < count; n++)
      await publish(tx, topics, { type: 'booking.changed', id: `${id}${n}`, ...(data ? { data } : {}) });
  });

/** Messages other than replies to this socket. */
const news = ({ received }: Line) => received.filter(({ type }) => type !== 'refused' && type !== 'beat');

/** Checks that a socket still gets answers and published messages. */
async function works(line: Line): Promise<void> {
  line.say({ type: 'beat' });
  await eventually(() => line.received.some(({ type }) => type === 'beat')).toBe(true);
}

test('opens only to our own pages with our session', async () => {
  const { cookie } = cast.client;
  expect(await attempt({ cookie, origin })).toBe(101);
  expect(await attempt({ cookie, origin: 'https://evil.example' })).toBe(403);
  expect(await attempt({ cookie, origin: 'null' })).toBe(403);
  expect(await attempt({ cookie, origin: `${origin}.evil.example` })).toBe(403);
  expect(await attempt({ cookie })).toBe(403);
  expect(await attempt({ origin })).toBe(401);
  expect(await attempt({ origin, cookie: `${cookie.slice(0, -3)}AAA` })).toBe(401);
  expect(await attempt({ origin, cookie: 'italk.session_token=%E0%A4%A' })).toBe(401);
  expect(await attempt({ cookie, origin }, '/realtime/person')).toBe(0);
});

test('delivers only the person’s messages, whatever it requests', async () => {
  const path = `/realtime?topics=person:${cast.providerId}&as=${cast.providerId}`;
  const headers = { cookie: cast.otherClient.cookie, origin, 'x-topics': `person:${cast.providerId}` };
  const line = await openLine({} as Person, `ws://127.0.0.1:${port}${path}`, headers);
  const topic = `person:${cast.providerId}`;
  for (const asked of [
    { type: 'subscribe', topic },
    { type: 'grant', topics: [topic] },
    { type: 'booking.changed', topics: [topic], id: '1' },
    { type: '__proto__', topics: [topic] },
    { topics: [topic, 'role:super_admin'], message: { type: 'booking.changed', id: '1' } },
  ])
    line.say(asked);
  await eventually(() => line.received.length).toBe(5);
  await tell([topic, `person:${cast.clientId}`, 'role:super_admin'], 'theirs');
  await tell(['role:client'], 'ours');
  await eventually(() => news(line)).not.toEqual([]);
  expect(news(line)).toEqual([{ type: 'booking.changed', id: 'ours0' }]);
  await line.close();
});

test('closes an idle socket once its session ends', async () => {
  const person = await addClient(database.db);
  const [socket, other] = [await open(await server.signIn(person)), await open(cast.client)];
  const closed = once(socket, 'close');
  await database.db
    .updateTable('sessions')
    .set({ expires_at: new Date('2020-01-01T00:00:00Z') })
    .where('user_id', '=', person.id)
    .execute();
  await tidy(database.as({ kind: 'job', name: 'tidy' }));
  await closed;
  expect(other.readyState).toBe(WebSocket.OPEN);
  other.terminate();
});

test('closes the sockets of ended sessions only, since a person may sign in again before the notice arrives', async () => {
  const person = await addClient(database.db);
  await server.signIn(person);
  const screens = await screensOf(database.url);
  await screens.clear();
  await transact(database.as({ kind: 'system' }), (tx) => setPassword(tx, person.id, 'a hash'));
  expect(await screens.updates(person.id)).toEqual(['closed session']);
  await screens.close();
});

test('rejects invalid frames, then stops reading, without affecting others', async () => {
  const other = await lineOf(cast.provider);
  const garbage = [
    '',
    '{',
    'null',
    '[]',
    '7',
    '"beat"',
    '\u0000\u0001',
    '{"type":1}',
    '{"type":"constructor"}',
  ];
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const socket = await open(cast.client);
  const answers: string[] = [];
  socket.on('message', (data: Buffer) => answers.push(data.toString()));
  for (const text of [...garbage, deep, `{"type":"${'x'.repeat(60_000)}"}`]) socket.send(text);
  socket.send(Buffer.from([0xff, 0xfe, 0x00]));
  await eventually(() => answers.length).toBe(garbage.length + 3);
  for (const answer of answers) {
    expect(JSON.parse(answer)).toMatchObject({
      type: 'refused',
      data: { code: 'invalid', reason: 'bad_frame' },
    });
    expect(answer.length).toBeLessThan(300);
  }
  const closed = once(socket, 'close');
  for (let n = 0; n < 20; n++) socket.send('{');
  expect((await closed)[0]).toBe(4008);
  await works(other);
  await other.close();
});

test('closes a socket that sends a megabyte frame, keeping none in memory', async () => {
  const other = await lineOf(cast.provider);
  const before = bytesKept();
  for (let n = 0; n < 20; n++) {
    const socket = await open(cast.client);
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    socket.send(`{"type":"beat","x":"${'x'.repeat(1024 * 1024)}"}`);
    expect([1009, 1006]).toContain((await closed)[0]);
  }
  await eventually(() => bytesKept() - before).toBeLessThan(maxKept);
  await works(other);
  await other.close();
});

test('disconnects a flooding person across sockets, while answering others', async () => {
  const other = await lineOf(cast.provider);
  const flooder = await server.signIn(await addClient(database.db));
  const sockets = [await open(flooder), await open(flooder)];
  const closed = sockets.map(async (socket) => ((await once(socket, 'close')) as [number])[0]);
  const frame = JSON.stringify({ type: 'messages.typing', conversationId: newId() });
  for (let n = 0; n < 1_000; n++) for (const socket of sockets) socket.send(frame);
  await works(other);
  expect(await Promise.all(closed)).toEqual([4008, 4008]);
  expect(server.log.join('\n')).not.toContain('a frame failed');
  await other.close();
});

test('disconnects a socket that never reads, and frees its memory', { tags: ['long'] }, async () => {
  const silent = await openSilent(cast.client);
  const reader = await lineOf(cast.client);
  const before = bytesKept();
  // Exceeds every buffer between server and socket.
  const [times, each, size] = [25, 100, 7_000];
  for (let n = 1; n <= times; n++) {
    await tell([`person:${cast.clientId}`], `${n}-`, each, 'x'.repeat(size));
    await eventually(() => news(reader).length).toBe(n * each);
  }
  await eventually(() => bytesKept() - before).toBeLessThan(maxKept);
  let read = 0;
  silent.on('data', (chunk: Buffer) => (read += chunk.length));
  if (!silent.destroyed) await once(silent.resume(), 'close');
  expect(read).toBeLessThan(times * each * size);
  await works(reader);
  await reader.close();
});

/** Opens a raw socket that stops reading after the handshake. */
async function openSilent({ cookie }: Visitor): Promise<Socket> {
  const silent = connect(port, '127.0.0.1');
  silent.on('error', () => undefined);
  silent.write(
    `GET /realtime HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\nCookie: ${cookie}\r\nConnection: Upgrade\r\n` +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  const [answer] = (await once(silent, 'data')) as [Buffer];
  expect(answer.toString()).toContain('101 Switching Protocols');
  silent.pause();
  return silent;
}

test('drops strangers’ messages about conversations and rooms, revealing nothing', async () => {
  const conversationId = newId();
  const opened = await cast.client.send('POST', '/api/conversations', {
    body: { conversationId, messageId: newId(), withId: cast.providerId, subject: 'Sleep', text: 'Hello' },
  });
  expect(opened.status).toBe(201);
  const appointmentId = await addSession(database.db, {
    client: { id: cast.clientId },
    provider: { id: cast.providerId },
    start: systemNow().subtract({ minutes: 5 }).toString(),
    status: 'confirmed',
  });
  const [client, provider] = [await lineOf(cast.client), await lineOf(cast.provider)];
  const [clientPeer, providerPeer] = [
    await enter(client, appointmentId),
    await enter(provider, appointmentId),
  ];
  const admitted = await cast.provider.send('POST', `/api/sessions/${appointmentId}/admit`, {
    body: { personId: cast.clientId },
  });
  expect(admitted.status).toBeLessThan(300);
  // Client and provider can reach each other.
  client.say({ type: 'messages.typing', conversationId });
  client.say({ type: 'room.signal', appointmentId, to: providerPeer, signal: { candidate: 1 } });
  const typing = { type: 'messages.typing', id: conversationId };
  const signal = {
    type: 'room.signal',
    id: appointmentId,
    data: { from: clientPeer, signal: { candidate: 1 } },
  };
  await eventually(() => provider.received).toEqual(expect.arrayContaining([typing, signal]));

  const typed = ({ received }: Line) => received.filter(({ type }) => type === typing.type).length;
  /** Waits until both have received everything sent so far, plus one message each. */
  const settled = async (mark: string) => {
    const counts = [client, provider].map(typed);
    for (const line of [client, provider]) line.say({ type: 'messages.typing', conversationId });
    await eventually(() => [client, provider].map(typed)).toEqual(counts.map((count) => count + 1));
    await tell([`person:${cast.clientId}`, `person:${cast.providerId}`], mark);
    for (const line of [client, provider])
      await eventually(() => line.received.some((one) => one.id === `${mark}0`)).toBe(true);
  };
  await settled('before');
  const before = [client, provider].map(({ received }) => received.length);
  for (const stranger of [cast.otherClient, cast.otherProvider, cast.admin]) {
    const line = await lineOf(stranger);
    const [theirs, unknown] = [
      [conversationId, appointmentId, clientPeer],
      [newId(), newId(), newId()],
    ].map(([conversation, appointment, peer]) => [
      { type: 'messages.typing', conversationId: conversation },
      { type: 'room.enter', appointmentId: appointment },
      { type: 'room.signal', appointmentId: appointment, to: peer, signal: { candidate: 1 } },
      { type: 'room.signal', appointmentId: appointment, to: providerPeer, signal: { candidate: 1 } },
      { type: 'room.leave', appointmentId: appointment },
    ]);
    expect(new Set(theirs!.map(({ type }) => type))).toEqual(new Set(frames.map(({ type }) => type)));
    const end = { type: 'nothing' };
    for (const said of [...theirs!, end, ...unknown!, end]) line.say(said);
    await works(line);
    const refusals = () => line.received.filter(({ type }) => type === 'refused').map(({ data }) => data);
    const ends = () => refusals().filter((data) => (data as typeof end).type === end.type);
    await eventually(ends).toHaveLength(2);
    // Refusals for existing and unknown ids match; only leaving is never refused.
    const half = refusals().length / 2;
    expect(half).toBeGreaterThanOrEqual(theirs!.length);
    expect(refusals().slice(0, half)).toEqual(refusals().slice(half));
    expect(news(line)).toEqual([]);
    await line.close();
  }
  await settled('after');
  expect([client, provider].map(({ received }) => received.length)).toEqual(before.map((count) => count + 2));
  for (const line of [client, provider]) await line.close();
});
