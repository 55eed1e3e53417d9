import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { demoPassword } from '#/features/accounts/demo.ts';
import { transact } from '#/platform/db/transact.ts';
import { closeSockets } from '#/platform/realtime/publish.ts';
import { addClient } from '../support/people.ts';
import { castOf, problemIn, storedIn, testServer, type Cast } from '../support/server.ts';
import { blockedConnections } from '../support/locks.ts';

const server = await testServer();
const ours = server.config.appUrl;
const loopback = `http://127.0.0.1:${server.port}`;
let cast: Cast;
beforeAll(async () => {
  cast = await castOf(server);
});

const sockets: WebSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

/** Attempts a WebSocket upgrade. Returns the HTTP status, 101 if opened, or 0 if disconnected. */
async function upgrade(path: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers });
  sockets.push(socket);
  return new Promise((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode!));
    socket.on('error', () => resolve(0));
  });
}

/** Sends raw lines and returns the response once the connection closes. */
async function raw(...lines: string[]): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
  socket.on('error', () => undefined);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'close');
  return answer;
}

const foreign: [string, string | null][] = [
  ['no origin', null],
  ['an opaque origin', 'null'],
  ['another site', 'https://evil.example'],
  ['our name with another scheme', ours.replace('http:', 'https:')],
  ['our name at another port', 'http://italk.test:3001'],
  ['our name without the port', 'http://italk.test'],
  ['a name that begins with ours', `${ours}.evil.example`],
  ['our name as user', 'http://italk.test:3000@evil.example'],
  ['another loopback port', 'http://127.0.0.1:1'],
  ['several origins', `${ours} https://evil.example`],
  ['no address at all', '🙂'.codePointAt(0)!.toString(16)],
];

test.each(foreign)('rejects every change from %s', async (_, origin) => {
  const before = await storedIn(server.database);
  const paths = ['/api/me/preferences', `/api/appointments/${cast.appointmentId}/cancel`];
  paths.push('/api/auth/sign-out', '/api/auth/sign-in/email', '/api/nowhere', '/', '/home');
  for (const path of paths) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const problem = problemIn(await cast.client.send(method, path, { origin, body: {} }));
      expect([path, method, problem.code, problem.reason]).toEqual([
        path,
        method,
        'forbidden',
        'foreign_origin',
      ]);
    }
  }
  expect(await storedIn(server.database)).toEqual(before);
  expect((await cast.client.send('GET', '/api/me', { origin })).json).toMatchObject({ role: 'client' });
});

test('doesn’t trust an origin from a foreign host header', async () => {
  const headers = { host: 'evil.example' };
  const answer = await cast.client.send('POST', '/api/me/preferences', {
    origin: 'http://evil.example',
    headers,
    body: {},
  });
  expect(problemIn(answer).reason).toBe('foreign_origin');
});

test('lets no other site read an answer', async () => {
  for (const method of ['GET', 'OPTIONS']) {
    const { headers } = await cast.client.send(method, '/api/me', { origin: 'https://evil.example' });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test.each([
  ['the address that people see', ours],
  ['the loopback address that was asked', loopback],
])('allows changes from %s', async (_, origin) => {
  const { status } = await cast.client.send('POST', '/api/me/preferences', {
    origin,
    body: { keepDiscreet: true },
  });
  expect(status).toBe(200);
});

test('keeps the session in a cookie closed to scripts and other sites', async () => {
  const body = { email: 'visitor@italk.test', password: 'a-quiet-room-42' };
  const { headers } = await server.guest.send('POST', '/api/auth/sign-in/email', { body });
  const cookies = headers['set-cookie']!;
  expect(cookies[0]).toMatch(/^italk\.session_token=/);
  for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; SameSite=Lax/);
});

test.each(foreign)('rejects a socket from %s', async (_, origin) => {
  const headers = { cookie: cast.client.cookie, ...(origin === null ? {} : { origin }) };
  expect(await upgrade('/realtime', headers)).toBe(403);
});

test('logs requests and sockets of other sites, up to sixty an hour for a network, without their content', async () => {
  const { db } = server.database;
  await db.deleteFrom('rate_limits').where('key', 'like', 'refused:%').execute();
  const logged = () =>
    db
      .selectFrom('audit_entries')
      .where('action', '=', 'refused.other_site')
      .select(['actor_kind', 'details', 'success'])
      .orderBy('id')
      .execute();
  const before = (await logged()).length;
  const evil = { origin: 'https://evil.example' };
  await cast.client.send('POST', '/api/me/preferences', { ...evil, body: { keepDiscreet: true } });
  for (const path of ['/realtime', '/realtime/v1/websocket?vsn=2.0.0']) await upgrade(path, evil);
  const entry = { actor_kind: 'guest', details: { reason: 'foreign_origin' }, success: false };
  await expect.poll(async () => (await logged()).slice(before)).toEqual([entry, entry, entry]);
  const send = () => server.guest.send('POST', '/api/me/preferences', { ...evil, body: {} });
  const answers = await Promise.all(Array.from({ length: 70 }, send));
  expect(answers.every(({ status }) => status === 403)).toBe(true);
  expect(await logged()).toHaveLength(before + 60);
});

test('rejects a socket without a session', async () => {
  expect(await upgrade('/realtime', { origin: ours })).toBe(401);
  expect(await upgrade('/realtime', { origin: ours, cookie: 'italk.session_token=abc.def' })).toBe(401);
});

test('opens sockets from both of our addresses', async () => {
  expect(await upgrade('/realtime', { origin: ours, cookie: cast.client.cookie })).toBe(101);
  expect(await upgrade('/realtime', { origin: loopback, cookie: cast.client.cookie })).toBe(101);
});

test('sends a socket only its person’s messages, whatever it requests', async () => {
  const listen = async (cookie: string): Promise<string[]> => {
    const received: string[] = [];
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/realtime`, {
      headers: { origin: ours, cookie },
    });
    sockets.push(socket);
    socket.on('message', (data) => received.push((data as Buffer).toString()));
    await once(socket, 'open');
    socket.send(JSON.stringify({ subscribe: [`person:${cast.providerId}`] }));
    return received;
  };
  const refusal = { type: 'refused', data: { type: null, code: 'invalid', reason: 'bad_frame' } };
  const [own, strangers] = [await listen(cast.provider.cookie), await listen(cast.otherClient.cookie)];
  await expect.poll(() => [own.length, strangers.length]).toEqual([1, 1]);
  const path = `/api/appointments/${cast.appointmentId}/reminder`;
  expect((await cast.client.send('POST', path, { body: { minutes: 15 } })).status).toBe(200);
  await expect.poll(() => own.length).toBe(2);
  expect(own.map((text) => JSON.parse(text) as unknown)).toEqual([
    expect.objectContaining(refusal),
    { type: 'booking.changed', id: cast.appointmentId },
  ]);
  expect(strangers.map((text) => JSON.parse(text) as unknown)).toEqual([expect.objectContaining(refusal)]);
});

test('closes sockets when the session ends by sign-out or new password', async () => {
  const person = await addClient(server.database.db);
  const open = async (cookie: string) => {
    const url = `ws://127.0.0.1:${server.port}/realtime`;
    const socket = new WebSocket(url, { headers: { origin: ours, cookie } });
    sockets.push(socket);
    await once(socket, 'open');
    return { socket, closed: once(socket, 'close').then(([code]) => code as number) };
  };
  // Sets the password when signing in, which ends earlier sessions.
  const first = await server.signIn(person);
  const body = { email: await emailOf(person.id), password: demoPassword };
  const { headers } = await server.guest.send('POST', '/api/auth/sign-in/email', { body });
  const other = headers['set-cookie']![0]!.split(';')[0]!;
  const [here, there] = [await open(first.cookie), await open(other)];
  await first.send('POST', '/api/auth/sign-out', { body: {} });
  expect(await here.closed).toBe(1008);
  const beaten = once(there.socket, 'message').then(() => 'open');
  there.socket.send('{"type":"beat"}');
  expect(await Promise.race([there.closed, beaten])).toBe('open');
  await server.signIn(person);
  expect(await there.closed).toBe(1008);
});

interface OpeningSocket {
  opened: Promise<unknown>;
  /** The close code; rejects if what arrives isn’t a WebSocket frame. */
  closed: Promise<number>;
}

function openSocket(cookie: string): OpeningSocket {
  const headers = { origin: ours, cookie };
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/realtime`, { headers });
  sockets.push(socket);
  return { opened: once(socket, 'open'), closed: once(socket, 'close').then(([code]) => code as number) };
}

test('closes a socket opened while its session ends', async () => {
  const { db, as } = server.database;
  const [person, other] = [await addClient(db), await addClient(db)];
  const { cookie } = await server.signIn(person);
  const others = openSocket((await server.signIn(other)).cookie);
  await others.opened;
  // The last-used update runs after the session is read; this delays it until the session ends.
  const key = sql.lit(20_260_302);
  await sql`
    update sessions set updated_at = updated_at - interval '2 minutes' where user_id = ${sql.lit(person.id)};
    create function wait() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${key}); return null; end $$;
    create trigger wait before update on sessions for each statement execute function wait()`.execute(db);
  const late = await db.transaction().execute(async (holding) => {
    await sql`select pg_advisory_xact_lock(${key})`.execute(holding);
    const opening = openSocket(cookie);
    await expect.poll(() => blockedConnections(db)).toBe(1);
    await transact(as({ kind: 'system' }), async (tx) => {
      const ended = await tx.db
        .deleteFrom('sessions')
        .where('user_id', 'in', [person.id, other.id])
        .returning(['id', 'user_id'])
        .execute();
      // The other person’s notice comes last, so it shows that the first was delivered.
      for (const id of [person.id, other.id])
        await closeSockets(tx, `session:${ended.find((session) => session.user_id === id)!.id}`);
    });
    expect(await others.closed).toBe(1008);
    return opening;
  });
  await late.opened;
  expect(await late.closed).toBe(1008);
  await sql`drop trigger wait on sessions`.execute(db);
});

test('disconnects a socket whose session can’t be checked again', async () => {
  const { db } = server.database;
  const person = await addClient(db);
  const { cookie } = await server.signIn(person);
  // Each check of a session not used for a minute updates it; this keeps it so, and fails the second check.
  await sql`
    update sessions set updated_at = updated_at - interval '2 minutes' where user_id = ${sql.lit(person.id)};
    create sequence checks;
    create function fails() returns trigger language plpgsql as $$ begin
      if nextval('checks') > 1 then raise exception 'full' using errcode = '53100'; end if;
      return old;
    end $$;
    create trigger fails before update on sessions for each row execute function fails()`.execute(db);
  const socket = openSocket(cookie);
  await socket.opened;
  expect(await socket.closed).toBe(1006);
  await sql`drop trigger fails on sessions`.execute(db);
});

async function emailOf(id: string): Promise<string> {
  const user = server.database.db.selectFrom('users').select('email').where('id', '=', id);
  return (await user.executeTakeFirstOrThrow()).email;
}

test.each(['/', '/api/me', '/realtime/', '/realtimes', '/healthz'])(
  'rejects an upgrade of %s',
  async (path) => {
    expect(await upgrade(path, { origin: ours, cookie: cast.client.cookie })).toBe(0);
  },
);

test.each([
  ['an address that is none', 'GET //[ HTTP/1.1'],
  ['another host as address', 'GET http://[evil/realtime HTTP/1.1'],
])('rejects an upgrade of %s and keeps running', async (_, line) => {
  const answer = await raw(line, 'Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: websocket');
  expect(answer).toBe('');
  expect((await server.guest.send('GET', '/healthz')).status).toBe(200);
});

test('survives disconnects during a socket upgrade', async () => {
  const cookie = `Cookie: ${cast.client.cookie}`;
  for (let round = 0; round < 20; round++) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const lines = ['GET /realtime HTTP/1.1', 'Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: websocket'];
    socket.write([...lines, `Origin: ${ours}`, ...(round % 2 ? [cookie] : []), '', ''].join('\r\n'));
    // Waits `round` event loop turns, since the server runs in-process.
    for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve));
    socket.resetAndDestroy();
  }
  expect((await server.guest.send('GET', '/healthz')).status).toBe(200);
});
