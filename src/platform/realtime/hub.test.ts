import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { WebSocket } from 'ws';
import { openLog } from '../log.ts';
import { transact } from '../db/transact.ts';
import { testDatabase, type TestDatabase } from '../../../tests/support/database.ts';
import { databaseUrl, onServer } from '../../../tests/support/global-setup.ts';
import type { Connection } from './frames.ts';
import { openHub, type Hub } from './hub.ts';
import { channel, publish } from './publish.ts';
import type { Grant } from './sockets.ts';

/** Two hubs simulate two server processes on one database. */
let database: TestDatabase;
const hubs: Hub[] = [];
const servers: Server[] = [];
const sockets: WebSocket[] = [];
const said: string[] = [];
/** Client message handler, replaced by tests. */
let onFrame: Grant['onFrame'];

/** Starts another process and returns its index. */
async function start(log = openLog('silent')): Promise<number> {
  const hub = await openHub(database.url, log);
  const server = createServer();
  server.on('upgrade', (request, socket, head) => {
    const asked = new URL(request.url ?? '', 'http://x').searchParams;
    const personId = asked.get('as') ?? '';
    const since = asked.get('since');
    hub.accept(request, socket, head, {
      personId,
      topics: [`person:${personId}`],
      since: since === null ? null : Number(since),
      onFrame: (text, connection) => onFrame(text, connection),
      context: () => database.as({ kind: 'system' }),
      rateLimitFactor: 1,
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return hubs.push(hub) - 1;
}

beforeAll(async () => {
  database = await testDatabase();
  await start();
  await start();
});

afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await Promise.all(hubs.map((hub) => hub.close().catch(() => undefined)));
  for (const server of servers) server.close();
});

beforeEach(() => {
  onFrame = (text) => {
    said.push(text);
    return Promise.resolve('handled');
  };
});

async function open(
  server: number,
  personId: string,
  since?: number,
): Promise<{ socket: WebSocket; received: unknown[] }> {
  const { port } = servers[server]!.address() as AddressInfo;
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}/?as=${personId}${since === undefined ? '' : `&since=${since}`}`,
  );
  sockets.push(socket);
  const received: unknown[] = [];
  socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString())));
  await once(socket, 'open');
  return { socket, received };
}

/** Waits until the server has handled all earlier messages. */
async function turns(server: number): Promise<void> {
  const { socket, received } = await open(server, 'zoe');
  for (let answers = 1; answers <= 2; answers++) {
    socket.send('{"type":"beat"}');
    await expect.poll(() => received.length, { interval: 5 }).toBe(answers);
  }
  socket.terminate();
}

const tell = (id: string, topics: string[]) =>
  transact(database.as({ kind: 'system' }), (tx) => publish(tx, topics, { type: 'booking.changed', id }));

it('reaches a person’s sockets in every process once, and no one else’s', async () => {
  const [here, there, other] = await Promise.all([open(0, 'anna'), open(1, 'anna'), open(1, 'ben')]);
  await tell('1', ['person:anna', 'person:anna']);
  await tell('last', ['person:anna', 'person:ben']);
  const last = { type: 'booking.changed', id: 'last' };
  // Notices arrive in order, so the last one proves none before it is missing.
  await expect.poll(() => here.received).toEqual([{ type: 'booking.changed', id: '1' }, last]);
  await expect.poll(() => there.received).toEqual(here.received);
  await expect.poll(() => other.received).toEqual([last]);
});

/** By how much the clock of the process that rendered a page may be ahead, in milliseconds. */
const aheadMs = 5_000;

/** What a page receives that was rendered at this moment and connects now. */
async function receivedBy(personId: string, renderedAt: number): Promise<unknown[]> {
  const { socket, received } = await open(0, personId, renderedAt + aheadMs);
  await tell('last', [`person:${personId}`]);
  await expect.poll(() => received.at(-1)).toEqual({ type: 'booking.changed', id: 'last' });
  socket.terminate();
  return received.slice(0, -1);
}

it(
  'says that messages may have been missed since a page was rendered, and only then',
  { tags: ['long'] },
  async () => {
    const missed = [{ type: 'missed', id: '' }];
    const before = Date.now();
    expect(await receivedBy('hal', before)).toEqual([]);
    expect(await receivedBy('hal', before)).toEqual(missed);
    expect(await receivedBy('ivy', before)).toEqual([]);
    expect(await receivedBy('joe', before - 60_000)).toEqual(missed);
    await cutBoth('kay');
    expect(await receivedBy('leo', before), 'after notices were missed').toEqual(missed);
    expect(await receivedBy('mia', Date.now())).toEqual([]);
  },
);

it('publishes nothing from a rolled-back transaction', async () => {
  const { received } = await open(0, 'clara');
  await transact(database.as({ kind: 'system' }), async (tx) => {
    await publish(tx, ['person:clara'], { type: 'booking.changed', id: '2' });
    throw new Error('rolled back');
  }).catch(() => undefined);
  await tell('last', ['person:clara']);
  await expect.poll(() => received).toEqual([{ type: 'booking.changed', id: 'last' }]);
});

it('limits a person to twenty sockets and ignores topics browsers request', async () => {
  const mine = await Promise.all(Array.from({ length: 20 }, () => open(0, 'david')));
  await expect(open(0, 'david')).rejects.toThrow('429');
  mine[0]!.socket.send('{"topics":["person:anna"]}');
  await tell('3', ['person:anna']);
  await tell('last', ['person:david']);
  await expect.poll(() => mine[0]!.received).toEqual([{ type: 'booking.changed', id: 'last' }]);
  await expect.poll(() => said).toContain('{"topics":["person:anna"]}');
  mine[1]!.socket.send('x'.repeat(70_000));
  const [code] = (await once(mine[1]!.socket, 'close')) as [number];
  expect(code).toBe(1009);
});

it('makes browsers reconnect when its database listener is lost, then recovers', async () => {
  expect(await cutBoth('eva')).toEqual([1012, 1012]);
  const again = await open(1, 'eva');
  await tell('4', ['person:eva']);
  await expect.poll(() => again.received).toEqual([{ type: 'booking.changed', id: '4' }]);
});

/** Waits until both are connected again. Returns how they closed this person's sockets. */
async function cutBoth(personId: string): Promise<unknown[]> {
  const opened = await Promise.all([open(0, personId), open(1, personId)]);
  const closed = opened.map(async ({ socket }) => (await once(socket, 'close'))[0] as number);
  await onServer(inject('serverUrl'), cutListeners(new URL(database.url).pathname.slice(1)));
  return Promise.all(closed);
}

/** SQL that kills a hub's database connections, found by their last query. */
function cutListeners(name: string): string {
  return `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = '${name}' and (query ilike 'listen%' or query ilike '%pg_notify%')`;
}

/** Opens a raw TCP connection, so tests control when data is read. */
async function openRaw(server: number, personId: string): Promise<Socket> {
  const { port } = servers[server]!.address() as AddressInfo;
  const raw = connect(port, '127.0.0.1');
  raw.on('error', () => undefined);
  raw.write(
    `GET /?as=${personId} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await once(raw, 'data');
  return raw;
}

/** Opens a socket and returns its server-side `Connection`. */
async function connectionOf(server: number, personId: string): Promise<Connection> {
  const { socket } = await open(server, personId);
  return new Promise((resolve) => {
    onFrame = (_, connection) => {
      resolve(connection);
      return Promise.resolve('handled');
    };
    socket.send('{}');
  });
}

it('batches messages of one turn into few notices, in order and exactly once', async () => {
  const [connection, near, far] = [await connectionOf(0, 'ida'), await open(0, 'jon'), await open(1, 'jon')];
  const payloads: string[] = [];
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  listener.on('notification', ({ payload }) => payloads.push(payload!));
  await listener.query(`listen ${channel}`);
  const messages = Array.from({ length: 500 }, (_, n) => ({ type: 'typing', id: String(n >> 1) }));
  for (const message of messages) connection.tell(['person:jon'], message);
  await expect.poll(() => far.received.length).toBe(500);
  expect(far.received).toEqual(messages);
  await expect.poll(() => near.received).toEqual(messages);
  await listener.end();
  expect(payloads.length).toBeGreaterThan(0);
  expect(payloads.length).toBeLessThan(10);
});

it('carries messages larger than a PostgreSQL notice', async () => {
  const [connection, near, far] = [await connectionOf(0, 'kim'), await open(0, 'lea'), await open(1, 'lea')];
  const long = { type: 'signal', id: '1', data: 'v=0 Grüße 🕊 "\n\u0000'.repeat(3_000) };
  connection.tell(['person:lea'], long);
  connection.tell(['person:lea'], { type: 'signal', id: '2' });
  await expect.poll(() => far.received).toEqual([long, { type: 'signal', id: '2' }]);
  await expect.poll(() => near.received).toEqual(far.received);
  await transact(database.as({ kind: 'system' }), (tx) => publish(tx, ['person:lea'], { ...long, id: '3' }));
  await expect.poll(() => far.received.at(-1)).toEqual({ ...long, id: '3' });
});

it(
  'drops messages while the database is unreachable, logs it once and recovers',
  { tags: ['long'] },
  async () => {
    const lines: string[] = [];
    const own = await start(openLog('warn', { write: (line: string) => void lines.push(line) }));
    const connection = await connectionOf(own, 'max');
    const [serverUrl, name] = [inject('serverUrl'), new URL(database.url).pathname.slice(1)];
    const allow = (yes: boolean) => onServer(serverUrl, `alter database ${name} allow_connections ${yes}`);
    await allow(false);
    await onServer(serverUrl, cutListeners(name));
    await expect.poll(() => lines.join('')).toContain('unreachable');
    const dropped = () => lines.filter((line) => line.includes('dropped')).length;
    connection.tell(['person:nan'], { type: 'typing', id: 'lost' });
    await expect.poll(dropped).toBe(1);
    for (let n = 0; n < 2; n++) {
      connection.tell(['person:nan'], { type: 'typing', id: 'lost' });
      await turns(own);
    }
    await allow(true);
    for (const server of [0, 1, own]) {
      let line: Awaited<ReturnType<typeof open>> | undefined;
      const reached = async () => {
        if (line?.socket.readyState !== WebSocket.OPEN) line = await open(server, 'nan');
        connection.tell(['person:nan'], { type: 'typing', id: 'kept' });
        return line.received[0];
      };
      await expect.poll(reached).toEqual({ type: 'typing', id: 'kept' });
      expect(line!.received).not.toContainEqual({ type: 'typing', id: 'lost' });
    }
    // Messages keep their order, so the dropped ones were already processed.
    expect(dropped()).toBe(1);
  },
);

it('fails to open without a database, leaving nothing to fail later', async () => {
  const lines = () => process.getActiveResourcesInfo().filter((one) => /^(?:TCP|Pipe)/.test(one)).length;
  const before = lines();
  const nowhere = databaseUrl(inject('serverUrl'), 'italk_nowhere');
  await expect(openHub(nowhere, openLog('silent'))).rejects.toThrow('does not exist');
  // Waits for the connection to end: an unhandled error would fail the whole run.
  await expect.poll(lines).toBeLessThanOrEqual(before);
  await new Promise((resolve) => setImmediate(resolve));
});

it(
  'disconnects a browser that never reads, while others receive everything',
  { tags: ['long'] },
  async () => {
    const raw = await openRaw(0, 'oda');
    raw.pause();
    const reader = await open(0, 'pia');
    const connection = await connectionOf(0, 'quin');
    const gone = new Promise((resolve) => {
      onFrame = (_, silent) => {
        silent.onClose('test', async () => resolve(true));
        return Promise.resolve('handled');
      };
      // A manual frame (RFC 6455: two bytes of masked text) shows when the server closes.
      raw.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]));
    });
    const before = heldBytes();
    for (let n = 0; n < 10_000; n++) {
      connection.tell(['person:oda', 'person:pia'], {
        type: 'typing',
        id: String(n),
        data: 'x'.repeat(2_000),
      });
      // Sends only as fast as the reading client receives.
      while (n - reader.received.length > 100) await new Promise((resolve) => setImmediate(resolve));
    }
    await gone;
    await expect.poll(() => reader.received.length).toBe(10_000);
    reader.received.length = 0;
    // Twenty million bytes were sent.
    await expect.poll(() => heldBytes() - before).toBeLessThan(2 ** 22);
    raw.destroy();
  },
);

/** Memory held after garbage collection. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it('disconnects flooding people, keeping their count across reconnects', async () => {
  const [loud, quiet] = [await open(0, 'rex'), await open(0, 'sue')];
  const closed = once(loud.socket, 'close');
  for (let n = 0; n < 1_000; n++) loud.socket.send('"rex"');
  expect((await closed)[0]).toBe(4008);
  expect(said.filter((text) => text === '"rex"').length).toBeLessThan(600);
  const again = await open(0, 'rex');
  const closedAgain = once(again.socket, 'close');
  for (let n = 0; n < 199; n++) again.socket.send('"rex"');
  expect((await closedAgain)[0]).toBe(4008);
  quiet.socket.send('"sue"');
  await expect.poll(() => said).toContain('"sue"');
});

it('answers heartbeats ahead of queued messages, and stops reading when overloaded', async () => {
  let letIn: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => (letIn = resolve));
  onFrame = async (text) => {
    await gate;
    said.push(text);
    return 'handled';
  };
  const { socket, received } = await open(0, 'tom');
  const all = Array.from({ length: 100 }, (_, n) => `tom ${n}`);
  for (const text of all.slice(0, 10)) socket.send(text);
  socket.send('{"type":"beat"}');
  await expect.poll(() => received).toEqual([{ type: 'beat', id: '' }]);
  for (const text of all.slice(10, 40)) socket.send(text);
  await turns(0);
  socket.send('{"type":"beat"}');
  for (const text of all.slice(40)) socket.send(text);
  await turns(0);
  expect(received).toHaveLength(1);
  letIn!();
  await expect.poll(() => said.filter((text) => text.startsWith('tom'))).toEqual(all);
  await expect.poll(() => received).toHaveLength(2);
});

it('disconnects after twenty invalid frames, or when the session ends or changes', async () => {
  onFrame = () => Promise.resolve('garbage');
  const { socket } = await open(0, 'uli');
  const closed = once(socket, 'close');
  for (let n = 0; n < 20; n++) socket.send(Buffer.from([0, n]));
  expect((await closed)[0]).toBe(4008);
  for (const [how, code] of [
    ['ended', 1008],
    ['changed', 1012],
  ] as const) {
    onFrame = () => Promise.resolve(how);
    const { socket: other } = await open(0, 'uli');
    other.send('{}');
    expect((await once(other, 'close'))[0]).toBe(code);
  }
});

it('runs a socket’s close handler once, after its messages, and none set later', async () => {
  const done: string[] = [];
  const upgrading = once(servers[0]!, 'upgrade') as Promise<[unknown, Socket]>;
  const { socket } = await open(0, 'uma');
  const [, ofServer] = await upgrading;
  const gone = once(ofServer, 'close');
  const began = Promise.withResolvers<void>();
  onFrame = async (text, connection) => {
    connection.onClose('room', async () => void done.push('replaced'));
    began.resolve();
    await gone;
    await turns(0);
    connection.onClose('room', async ({ actor }) => void done.push(actor.kind));
    connection.onClose('broken', () => Promise.reject(new Error('broken')));
    connection.onClose('last', async () => void done.push(text));
    connection.grant('person:vera');
    connection.send({ type: 'late', id: '' });
    return 'handled';
  };
  socket.send('first');
  socket.send('never handled');
  await began.promise;
  socket.terminate();
  await expect.poll(() => done).toEqual(['system', 'first']);
  const vera = await open(0, 'vera');
  await tell('5', ['person:vera']);
  await expect.poll(() => vera.received).toEqual([{ type: 'booking.changed', id: '5' }]);
  expect(done).toEqual(['system', 'first']);
});

it(
  'waits for close handlers with a time limit, and still publishes their messages',
  { tags: ['long'] },
  async () => {
    const own = await start();
    const other = await open(0, 'wim');
    const done: string[] = [];
    let listening = Promise.withResolvers<void>();
    const leaving = Promise.withResolvers<void>();
    const mayLeave = Promise.withResolvers<void>();
    onFrame = (text, connection) => {
      connection.onClose('room', async () => {
        if (text === 'hangs') await new Promise(() => undefined);
        leaving.resolve();
        await mayLeave.promise;
        connection.tell(['person:wim'], { type: 'left', id: text });
        done.push(text);
      });
      listening.resolve();
      return Promise.resolve('handled');
    };
    const { socket } = await open(own, 'xen');
    socket.send('leaves');
    await listening.promise;
    let closed = false;
    const closing = hubs[own]!.close().then(() => (closed = true));
    await leaving.promise;
    await turns(0);
    expect(closed).toBe(false);
    mayLeave.resolve();
    await closing;
    expect(done).toEqual(['leaves']);
    await expect.poll(() => other.received).toEqual([{ type: 'left', id: 'leaves' }]);

    const third = await start();
    const { socket: hanging } = await open(third, 'yan');
    listening = Promise.withResolvers();
    hanging.send('hangs');
    await listening.promise;
    // A stuck handler doesn't block closing.
    await hubs[third]!.close();
  },
);

it('closes without waiting for silent browsers, and admits none afterward', { tags: ['long'] }, async () => {
  const asleep = await openRaw(1, 'fay');
  asleep.resume();
  const gone = once(asleep, 'close');
  await hubs[1]!.close();
  await expect(open(1, 'gus')).rejects.toThrow('503');
  await gone;
});
