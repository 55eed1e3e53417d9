import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openLog } from '../log.ts';
import { transact } from '../db/transact.ts';
import { testDatabase, type TestDatabase } from '../../../tests/support/database.ts';
import { openHub, type Hub } from './hub.ts';
import { publish } from './publish.ts';
import type { Grant } from './sockets.ts';

/** Two hubs stand in for two server processes on one database. */
let database: TestDatabase;
const hubs: Hub[] = [];
const servers: Server[] = [];
const sockets: WebSocket[] = [];
const said: string[] = [];
/** How what is said is heard; tests put their own in. */
let hearing: Grant['hear'];

beforeAll(async () => {
  database = await testDatabase();
  for (let i = 0; i < 2; i++) {
    const hub = await openHub(database.url, openLog('silent'));
    const server = createServer();
    server.on('upgrade', (request, socket, head) => {
      const personId = new URL(request.url ?? '', 'http://x').searchParams.get('as') ?? '';
      hub.accept(request, socket, head, {
        personId,
        topics: [`person:${personId}`],
        hear: (text, connection) => hearing(text, connection),
        context: () => database.as({ kind: 'system' }),
        rateLimitFactor: 1,
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    hubs.push(hub);
    servers.push(server);
  }
});

afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await Promise.all(hubs.map((hub) => hub.close().catch(() => undefined)));
  for (const server of servers) server.close();
});

beforeEach(() => {
  hearing = (text) => {
    said.push(text);
    return Promise.resolve('heard');
  };
});

async function open(server: number, personId: string): Promise<{ socket: WebSocket; heard: unknown[] }> {
  const { port } = servers[server]!.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/?as=${personId}`);
  sockets.push(socket);
  const heard: unknown[] = [];
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())));
  await once(socket, 'open');
  return { socket, heard };
}

const tell = (id: string, topics: string[]) =>
  transact(database.as({ kind: 'system' }), (tx) => publish(tx, topics, { type: 'booking.changed', id }));

it('reaches a person’s sockets in every process once, and nobody else’s', async () => {
  const [here, there, other] = await Promise.all([open(0, 'anna'), open(1, 'anna'), open(1, 'ben')]);
  await tell('1', ['person:anna', 'person:anna']);
  await tell('last', ['person:anna', 'person:ben']);
  const last = { type: 'booking.changed', id: 'last' };
  // Notices keep their order, so whoever has the last one has missed nothing before it.
  await expect.poll(() => here.heard).toEqual([{ type: 'booking.changed', id: '1' }, last]);
  await expect.poll(() => there.heard).toEqual(here.heard);
  await expect.poll(() => other.heard).toEqual([last]);
});

it('says nothing of a transaction that was rolled back', async () => {
  const { heard } = await open(0, 'clara');
  await transact(database.as({ kind: 'system' }), async (tx) => {
    await publish(tx, ['person:clara'], { type: 'booking.changed', id: '2' });
    throw new Error('rolled back');
  }).catch(() => undefined);
  await tell('last', ['person:clara']);
  await expect.poll(() => heard).toEqual([{ type: 'booking.changed', id: 'last' }]);
});

it('gives nobody more than twenty sockets, and grants nothing that a browser asks for', async () => {
  const mine = await Promise.all(Array.from({ length: 20 }, () => open(0, 'david')));
  await expect(open(0, 'david')).rejects.toThrow('429');
  mine[0]!.socket.send('{"topics":["person:anna"]}');
  await tell('3', ['person:anna']);
  await tell('last', ['person:david']);
  await expect.poll(() => mine[0]!.heard).toEqual([{ type: 'booking.changed', id: 'last' }]);
  await expect.poll(() => said).toContain('{"topics":["person:anna"]}');
  mine[1]!.socket.send('x'.repeat(70_000));
  const [code] = (await once(mine[1]!.socket, 'close')) as [number];
  expect(code).toBe(1009);
});

it('sends browsers to reconnect when its ear to the database is lost, and hears again', async () => {
  const { socket } = await open(1, 'eva');
  const closed = once(socket, 'close');
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`,
  );
  await admin.end();
  expect((await closed)[0]).toBe(1012);
  const again = await open(1, 'eva');
  await tell('4', ['person:eva']);
  await expect.poll(() => again.heard).toEqual([{ type: 'booking.changed', id: '4' }]);
});

it('closes without waiting for browsers that don’t answer, and lets nobody in after', async () => {
  const { port } = servers[1]!.address() as AddressInfo;
  const asleep = connect(port, '127.0.0.1');
  asleep.on('error', () => undefined);
  asleep.write(
    [
      ['GET /?as=fay HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket'],
      ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', '', ''],
    ]
      .flat()
      .join('\r\n'),
  );
  await once(asleep, 'data');
  asleep.resume();
  const gone = once(asleep, 'close');
  await hubs[1]!.close();
  await expect(open(1, 'gus')).rejects.toThrow('503');
  await Promise.race([gone, new Promise((_, reject) => setTimeout(reject, 6_000))]);
});
