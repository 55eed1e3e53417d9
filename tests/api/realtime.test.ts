import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { changeSettings } from '#/features/settings/commands.ts';
import { switchFlag } from '#/features/settings/flags/commands.ts';
import { newId, systemNow } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { addAdministrator, addProvider } from '../support/people.ts';
import { appCode, programPassword, programsOf, type Tokens } from '../support/programs.ts';
import { testServer } from '../support/server.ts';
import { addSession } from '../support/sessions.ts';

const server = await testServer({ rateLimitFactor: 100, config: { mode: 'production' } });
const { database, port } = server;
const { db } = database;
const { appUrl } = server.config;
const programs = programsOf(server);
const { somebody, send, signIn, refresh } = programs;
const strict = await testServer({ rateLimitFactor: 1, config: { mode: 'production' } });
const timed = await testServer({ settableClock: true, config: { mode: 'production' } });

type Message = [string | null, string | null, string, string, unknown];

/** A socket without the published client. */
interface Raw {
  socket: WebSocket;
  received: Message[];
  closed: Promise<number>;
  /** Sends a message, and returns the answer's status and response. */
  say(topic: string, event: string, payload?: unknown, joinRef?: string): Promise<unknown>;
}

const sockets: WebSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

interface Opening {
  port?: number;
  path?: string;
  headers?: Readonly<Record<string, string | undefined>>;
}

function socketAt({ port: at = port, path = '/websocket?apikey=none&vsn=2.0.0', headers = {} }: Opening) {
  const socket = new WebSocket(`ws://127.0.0.1:${at}/realtime/v1${path}`, { headers: { ...headers } });
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

async function open(opening: Opening = {}): Promise<Raw> {
  const socket = socketAt(opening);
  const received: Message[] = [];
  socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString()) as Message));
  await once(socket, 'open');
  let refs = 0;
  return {
    socket,
    received,
    closed: once(socket, 'close').then(([code]) => code as number),
    async say(topic, event, payload = {}, joinRef = '1') {
      const ref = `ref ${refs++}`;
      socket.send(JSON.stringify([joinRef, ref, topic, event, payload]));
      const answer = () => received.find(([, of, , kind]) => of === ref && kind === 'phx_reply');
      await expect.poll(answer, { interval: 5 }).toBeDefined();
      return answer()![4];
    },
  };
}

/** Tries to open a socket and returns the status: 101 if it opens, 0 if it is disconnected. */
function attempt(opening: Opening = {}): Promise<number> {
  const socket = socketAt(opening);
  return new Promise((resolve) => {
    socket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode!));
    socket.once('open', () => resolve(101));
    socket.once('close', () => resolve(0));
  });
}

const ok = { status: 'ok', response: {} };
const refused = (code: string, reason: string, field?: string) => ({
  status: 'error',
  response: { code, reason, ...(field === undefined ? {} : { field }) },
});

async function starter(of = programs, person?: Parameters<typeof somebody>[0]) {
  const { id, email } = await of.somebody(person);
  const tokens = await of.signIn(email);
  return { id, email, tokens, token: tokens.access_token };
}

type Who = Awaited<ReturnType<typeof starter>>;

const signInAgain = async (email: string, password = programPassword) => {
  const tokens = await signIn(email, password);
  return { tokens, token: tokens.access_token };
};

/** Opens a socket that receives its person’s notices. */
async function listen({ token }: Pick<Who, 'token'>, opening: Opening = {}): Promise<Raw> {
  const line = await open(opening);
  expect(await line.say('realtime:me', 'phx_join', { access_token: token })).toEqual(ok);
  return line;
}

const tell = (id: string, type = 'booking.changed', of = database) =>
  transact(of.as({ kind: 'system' }), (tx) => publish(tx, [`person:${id}`], { type, id: 'x' }));

/** What was received besides answers. */
const news = ({ received }: Raw) => received.filter(([, , , event]) => event !== 'phx_reply');

/** Checks that a socket still gets its person’s notices, each once. */
async function works(line: Raw, { id }: { id: string }, of = database): Promise<void> {
  const before = news(line).length;
  await tell(id, 'growth.changed', of);
  await expect.poll(() => news(line).length).toBe(before + 1);
}

/** Typing as the published client sends it. */
function typing(
  topic: string,
  payload: string | Buffer = '{}',
  { encoding = 1, metadata = '' } = {},
): Buffer {
  const fields = ['1', 'typed', topic, 'typing', metadata].map((field) => Buffer.from(field));
  const lengths = fields.map(({ length }) => length);
  return Buffer.concat([Buffer.from([3, ...lengths, encoding]), ...fields, Buffer.from(payload)]);
}

let [client, provider, stranger] = [] as unknown as [Who, Who, Who];
let conversationId: string;
let appointmentId: string;
beforeAll(async () => {
  client = await starter();
  provider = await starter(programs, await addProvider(db));
  stranger = await starter();
  conversationId = await converse();
  const start = systemNow().subtract({ minutes: 5 }).toString();
  appointmentId = await addSession(db, { client, provider, start, status: 'confirmed' });
});

async function converse(): Promise<string> {
  const id = newId();
  const body = {
    conversationId: id,
    messageId: newId(),
    withId: provider.id,
    subject: 'Sleep',
    text: 'Hello',
  };
  const opened = await send('POST', '/api/conversations', { token: client.token, body });
  expect(opened.status, opened.text).toBe(201);
  return id;
}

const system = { ...database.as({ kind: 'system' }), now: systemNow };

async function turnPrograms(enabled: boolean, of = system): Promise<void> {
  const flag = of.db.selectFrom('feature_flags').select('version').where('id', '=', 'mobile_app_access');
  const { version } = await flag.executeTakeFirstOrThrow();
  await switchFlag(of, { flagId: 'mobile_app_access', version, enabled });
}

describe('an upgrade', () => {
  test('is not found while Mobile App Access is off, and neither are broadcasts', async () => {
    await turnPrograms(false);
    const { cookie } = await server.signIn({
      kind: 'person',
      id: stranger.id,
      role: 'client',
      sessionId: '',
    });
    for (const headers of [{}, { origin: 'https://evil.example' }, { cookie, origin: appUrl }])
      expect(await attempt({ headers })).toBe(404);
    expect(await attempt({ headers: { authorization: `Bearer ${client.token}` } })).toBe(404);
    const path = `/realtime/v1/api/broadcast/conversation:${conversationId}/events/typing`;
    const off = await send('POST', path, { token: client.token, body: {} });
    expect(off).toMatchObject({ status: 404, json: { code: 'not_found', reason: 'no_such_route' } });
    await turnPrograms(true);
    expect(await attempt()).toBe(101);
    stranger = { ...stranger, ...(await signInAgain(stranger.email, 'peace-be-with-you')) };
  });

  test('is refused to other sites’ pages, unknown versions and other paths', async () => {
    for (const origin of ['https://evil.example', 'null', `${appUrl}.evil.example`, 'http://127.0.0.1:1'])
      expect(await attempt({ headers: { origin } }), origin).toBe(403);
    // Some mobile apps name the address that they connect to.
    for (const origin of [appUrl, `http://127.0.0.1:${port}`])
      expect(await attempt({ headers: { origin } }), origin).toBe(101);
    for (const query of ['', '?vsn=', '?vsn=3.0.0', '?vsn=2', '?vsn=__proto__'])
      expect(await attempt({ path: `/websocket${query}` }), query).toBe(400);
    for (const path of ['', '/', '/websocket/', '/websocket/x', '/api/broadcast'])
      expect(await attempt({ path: `${path}?vsn=2.0.0` }), path).toBe(0);
    for (const path of ['/websocket?vsn=2.0.0', '/api/broadcast', '/nowhere'])
      expect((await send('GET', `/realtime/v1${path}`)).status, path).toBe(404);
  });

  test('doesn’t count cookies or tokens in its headers or address', async () => {
    const { cookie } = await server.signIn({
      kind: 'person',
      id: stranger.id,
      role: 'client',
      sessionId: '',
    });
    stranger = { ...stranger, ...(await signInAgain(stranger.email, 'peace-be-with-you')) };
    const { token } = client;
    for (const opening of [
      { headers: { cookie, origin: appUrl } },
      { headers: { authorization: `Bearer ${token}` } },
      { path: `/websocket?apikey=${token}&access_token=${token}&vsn=2.0.0` },
    ]) {
      const line = await open(opening);
      expect(await line.say('realtime:me', 'phx_join')).toEqual(refused('unauthenticated', 'no_token'));
      for (const id of [client.id, stranger.id]) await tell(id);
      await line.say('phoenix', 'heartbeat');
      expect(news(line)).toEqual([]);
    }
  });

  test('is refused during maintenance, when programs’ sockets close', async () => {
    const person = await starter(programsOf(strict));
    const at = { port: strict.port };
    const [line, waiting] = [await listen(person, at), await open(at)];
    await changeSettings(strict.database.as({ kind: 'system' }), { maintenanceMode: true });
    expect(await line.closed).toBe(1008);
    await expect.poll(() => attempt(at)).toBe(503);
    expect(await waiting.say('realtime:me', 'phx_join', { access_token: person.token })).toEqual(
      refused('unavailable', 'maintenance'),
    );
    await changeSettings(strict.database.as({ kind: 'system' }), { maintenanceMode: false });
    await expect.poll(() => attempt(at)).toBe(101);
  });
});

describe('a join', () => {
  test('needs a full access token of a session that lasts', async () => {
    const ended = await starter();
    await send('POST', '/logout?scope=local', { token: ended.token });
    const tampered = `${client.token.slice(0, -4)}AAAA`;
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${client.token.split('.')[1]}.`;
    const line = await open();
    for (const [access_token, answer] of [
      [undefined, refused('unauthenticated', 'no_token')],
      [null, refused('unauthenticated', 'no_token')],
      ['', refused('invalid', 'bad_format', 'access_token')],
      ['a b\r\nx: y', refused('invalid', 'bad_format', 'access_token')],
      [7, refused('invalid', 'wrong_type', 'access_token')],
      ['x'.repeat(8_001), refused('invalid', 'too_large', 'access_token')],
      ['none', refused('unauthenticated', 'bad_token')],
      [tampered, refused('unauthenticated', 'bad_token')],
      [unsigned, refused('unauthenticated', 'bad_token')],
      [client.tokens.refresh_token, refused('unauthenticated', 'bad_token')],
      [await waitingToken(), refused('forbidden', 'factor_needed')],
      [await apiToken(), refused('unauthenticated', 'bad_token')],
      [ended.token, refused('unauthenticated', 'sign_in_required')],
    ] as const)
      expect(await line.say('realtime:me', 'phx_join', { access_token }), String(access_token)).toEqual(
        answer,
      );
    for (const { id } of [client, ended]) await tell(id);
    expect(await line.say('realtime:me', 'broadcast')).toEqual(refused('not_found', 'topic'));
    expect(news(line)).toEqual([]);
  });

  async function apiToken(): Promise<string> {
    const { tokens } = await starter();
    await send('PUT', '/user', { token: tokens.access_token, body: { current_password: programPassword } });
    const { access_token: token } = (await refresh(tokens.refresh_token)).json as Tokens;
    const body = { name: 'Front desk', scopes: ['appointments:read'], days: 30 };
    const made = await send('POST', '/api/me/api-tokens', { token, body });
    expect(made.status, made.text).toBe(201);
    return (made.json as { token: string }).token;
  }

  /** A token of a sign-in that waits for its second factor. */
  async function waitingToken(): Promise<string> {
    await db
      .updateTable('feature_flags')
      .set({ enabled: true, scope: 'global' })
      .where('id', '=', 'two_factor_authentication')
      .execute();
    const { email, tokens } = await starter();
    await send('PUT', '/user', { token: tokens.access_token, body: { current_password: programPassword } });
    const { access_token: token } = (await refresh(tokens.refresh_token)).json as Tokens;
    const enrolled = await send('POST', '/factors', { token, body: { factor_type: 'totp' } });
    const { id, totp } = enrolled.json as { id: string; totp: { secret: string } };
    const body = { challenge_id: newId(), code: appCode(totp.secret) };
    expect((await send('POST', `/factors/${id}/verify`, { token, body })).status).toBe(200);
    return (await signIn(email)).access_token;
  }

  test('finds nobody else’s topics, the same as unknown ones', async () => {
    const line = await listen(stranger);
    for (const [name, foreign] of [
      ['conversation', conversationId],
      ['room', appointmentId],
    ]) {
      const answers = [];
      for (const id of [foreign, newId()]) {
        answers.push(await line.say(`realtime:${name}:${id}`, 'phx_join'));
        answers.push(
          await line.say(`realtime:${name}:${id}`, 'broadcast', { type: 'broadcast', event: 'typing' }),
        );
        answers.push(
          await line.say(`realtime:${name}:${id}`, 'presence', { type: 'presence', event: 'track' }),
        );
        answers.push(await line.say(`realtime:${name}:${id}`, 'phx_leave'));
        const path = `/realtime/v1/api/broadcast/${name}:${id}/events/typing`;
        const { status, json } = await send('POST', path, { token: stranger.token, body: {} });
        answers.push([status, (json as { reason: string }).reason]);
      }
      expect(answers.slice(0, 5)).toEqual(answers.slice(5));
      expect(answers[0]).toMatchObject({ status: 'error', response: { code: 'not_found' } });
    }
    const logged = await server.database.db
      .selectFrom('audit_entries')
      .where('action', '=', 'refused.realtime')
      .where('actor_id', '=', stranger.id)
      .select('details')
      .orderBy('id')
      .execute();
    // Four ways with each of four topics; rooms have no such event to post.
    expect(logged.map(({ details }) => details)).toEqual(
      Array.from({ length: 14 }, () => ({ reason: expect.any(String) as string })),
    );
    for (const topic of [
      `realtime:conversation:${conversationId.toUpperCase()}`,
      `realtime:conversation:${conversationId}:x`,
      `realtime:conversation:${conversationId}\n`,
      `realtime:conversation`,
      `conversation:${conversationId}`,
      `realtime:person:${client.id}`,
      `realtime:role:client`,
      `realtime:__proto__:${newId()}`,
      'realtime:realtime:me',
      'phoenix',
      '',
    ])
      expect(await line.say(topic, 'phx_join'), topic).toEqual(refused('not_found', 'topic'));
    for (const { id } of [client, provider]) await tell(id);
    await works(line, stranger);
    expect(news(line)).toHaveLength(1);
  });

  test('of the same topic replaces the one before', async () => {
    const [line, other] = [await listen(client), await listen(client)];
    expect(await line.say('realtime:me', 'phx_join', {}, '2')).toEqual(ok);
    expect(news(line)).toEqual([['1', null, 'realtime:me', 'phx_close', {}]]);
    await works(line, client);
    expect(news(line).at(-1)![0]).toBe('2');
    expect(await line.say('realtime:me', 'phx_leave', {}, '2')).toEqual(ok);
    expect(await line.say('realtime:me', 'phx_leave', {}, '2')).toEqual(ok);
    await works(other, client);
    expect(await line.say('realtime:me', 'phx_join', {}, '3')).toEqual(ok);
    await works(line, client);
    expect(news(line)).toHaveLength(3);
  });

  test('takes no other person’s key, no rows and nothing unknown', async () => {
    const line = await listen(client);
    for (const [config, reason, field] of [
      [{ presence: { key: provider.id } }, 'not_an_option', 'config.presence.key'],
      [{ presence: { key: client.id.toUpperCase() } }, 'not_an_option', 'config.presence.key'],
      [{ presence: { key: 7 } }, 'wrong_type', 'config.presence.key'],
      [{ postgres_changes: [{ event: '*', schema: 'public' }] }, 'too_large', 'config.postgres_changes'],
      [{ broadcast: { replay: { since: 0 } } }, 'unknown_field', 'config.broadcast'],
      [{ broadcast: { replication_ready: true } }, 'unknown_field', 'config.broadcast'],
      [{ topics: ['x'] }, 'unknown_field', 'config'],
      [7, 'wrong_type', 'config'],
    ] as const)
      expect(await line.say('realtime:me', 'phx_join', { config }), field).toEqual(
        refused('invalid', reason, field),
      );
    expect(await line.say('realtime:me', 'phx_join', 7)).toEqual(refused('invalid', 'wrong_type', ''));
  });
});

describe('a broadcast', () => {
  test('names its sender and topic itself, whatever the payload says', async () => {
    const [mine, theirs, other] = [await listen(client), await listen(provider), await listen(stranger)];
    const topic = `realtime:conversation:${conversationId}`;
    for (const line of [mine, theirs]) expect(await line.say(topic, 'phx_join')).toEqual(ok);
    const forged = { id: newId(), from: provider.id, conversationId: newId(), otherId: stranger.id };
    const said = { type: 'broadcast', event: 'typing', payload: forged };
    expect(await mine.say(topic, 'broadcast', said)).toEqual(ok);
    const received = { type: 'broadcast', event: 'typing', payload: { id: conversationId } };
    await expect.poll(() => news(theirs)).toEqual([['1', null, topic, 'broadcast', received]]);
    await works(other, stranger);
    expect(news(other)).toHaveLength(1);
    expect(await mine.say('realtime:me', 'broadcast', said)).toEqual(
      refused('invalid', 'not_an_option', 'event'),
    );
    for (const [payload, answer] of [
      [{ ...said, event: 'changed' }, refused('invalid', 'not_an_option', 'event')],
      [{ ...said, event: 7 }, refused('invalid', 'wrong_type', 'event')],
      [{ ...said, payload: 'hello' }, refused('invalid', 'wrong_type', 'payload')],
      [{ ...said, persist: true }, refused('invalid', 'unknown_field', '')],
      [{ ...said, type: 'presence' }, refused('invalid', 'not_an_option', 'type')],
    ] as const)
      expect(await mine.say(topic, 'broadcast', payload)).toEqual(answer);
    expect(await mine.say(topic, 'room.enter')).toEqual(refused('invalid', 'not_an_option', 'event'));
  });

  test('of a signal needs its sender in the room', async () => {
    const topic = `realtime:room:${appointmentId}`;
    const [mine, theirs] = [await listen(client), await listen(provider)];
    for (const line of [mine, theirs]) expect(await line.say(topic, 'phx_join')).toEqual(ok);
    const enter = { type: 'presence', event: 'track', payload: {} };
    expect(await theirs.say(topic, 'presence', enter)).toEqual(ok);
    const here = () => news(theirs).find(([, , , , said]) => (said as { event: string }).event === 'here');
    await expect.poll(here).toBeDefined();
    const { peerId } = (here()![4] as { payload: { peerId: string } }).payload;
    const signal = (from: string) => ({
      type: 'broadcast',
      event: 'signal',
      payload: { to: peerId, from, signal: { sdp: 'forged' } },
    });
    expect(await mine.say(topic, 'broadcast', signal(peerId))).toEqual(refused('conflict', 'not_in_room'));
    expect(await mine.say(topic, 'presence', enter)).toEqual(ok);
    expect(await mine.say(topic, 'broadcast', signal(peerId)), 'waiting').toEqual(
      refused('not_found', 'peer'),
    );
    const path = `/realtime/v1/api/broadcast/room:${appointmentId}/events/signal`;
    const sent = await send('POST', path, { token: client.token, body: signal(peerId).payload });
    expect(sent).toMatchObject({ status: 409, json: { reason: 'not_in_room' } });
    for (const [payload, reason, field] of [
      [{ ...enter, payload: { person: provider.id } }, 'unknown_field', 'payload'],
      [{ ...enter, key: provider.id }, 'unknown_field', ''],
      [{ ...enter, event: 'leave' }, 'not_an_option', 'event'],
    ] as const)
      expect(await mine.say(topic, 'presence', payload)).toEqual(refused('invalid', reason, field));
    expect(JSON.stringify(news(theirs))).not.toContain('forged');
    expect(JSON.stringify(news(mine))).not.toContain(provider.id);
    expect(server.log.join('\n')).not.toContain('forged');
  });

  test('by request sends exactly one message, limited like any other change', async () => {
    const topic = `conversation:${conversationId}`;
    const message = { topic, event: 'typing', payload: {} };
    const path = '/realtime/v1/api/broadcast';
    const { token } = client;
    for (const [body, status] of [
      [{ messages: [message] }, 202],
      [{ messages: [] }, 400],
      [{ messages: [message, message] }, 400],
      [{ messages: [{ ...message, from: provider.id }] }, 400],
      [{ messages: [{ ...message, topic: 'me' }] }, 400],
      ['{"messages":', 400],
      ['[]', 400],
    ] as const)
      expect((await send('POST', path, { token, body })).status, JSON.stringify(body)).toBe(status);
    expect((await send('POST', path, { body: { messages: [message] } })).status).toBe(401);
    for (const [rest, status] of [
      ['%zz/events/typing', 400],
      ['..%2F..%2Fauth/events/typing', 404],
      [`${topic}/events/__proto__`, 400],
      [`${topic}/events/typing/x`, 404],
      [`${topic}/events`, 404],
    ] as const)
      expect((await send('POST', `${path}/${rest}`, { token, body: {} })).status, rest).toBe(status);
    const { cookie } = await strict.signIn({
      kind: 'person',
      id: (await starter(programsOf(strict))).id,
      role: 'client',
      sessionId: '',
    });
    const byCookie = { headers: { cookie }, body: { messages: [message] } };
    expect((await programsOf(strict).send('POST', path, byCookie)).status).toBe(401);
  });

  test('in a binary frame is JSON without options', async () => {
    const topic = `realtime:conversation:${conversationId}`;
    const line = await listen(client);
    expect(await line.say(topic, 'phx_join')).toEqual(ok);
    const answerTo = async (frame: Buffer) => {
      const before = line.received.length;
      line.socket.send(frame);
      await expect.poll(() => line.received.length).toBe(before + 1);
      return line.received[before];
    };
    const wrong = refused('invalid', 'wrong_type', 'payload');
    for (const [frame, answer] of [
      [typing(topic), ok],
      [typing(topic, '{}', { metadata: '{"type":"x","event":"y"}' }), ok],
      [typing(topic, '{}', { metadata: '{"persist":true}' }), refused('invalid', 'unknown_field', '')],
      [typing(topic, Buffer.from([1, 2]), { encoding: 0 }), wrong],
      [typing(topic, '{"a":'), wrong],
    ] as const)
      expect(await answerTo(frame)).toEqual(['1', 'typed', topic, 'phx_reply', answer]);
  });
});

describe('a socket ends', () => {
  /** Returns the close codes after `act`. */
  async function endedBy(act: () => Promise<unknown>, lines: readonly Raw[]): Promise<number[]> {
    await act();
    const since = performance.now();
    const codes = await Promise.all(lines.map(({ closed }) => closed));
    // Sooner than the hub's next look at every socket.
    expect(performance.now() - since).toBeLessThan(10_000);
    return codes;
  }

  test('at once after its session, suspension, another role or a new password', async () => {
    const [admin, other] = [await server.signIn(await addAdministrator(db)), await listen(client)];
    const [out, device, suspended, demoted, renewed] = [
      await starter(),
      await starter(),
      await starter(),
      await starter(programs, await addProvider(db)),
      await starter(),
    ];
    const act = (id: string, what: string, body: object) =>
      admin.send('POST', `/api/admin/users/${id}/${what}`, { body });
    for (const [who, end] of [
      [out, () => send('POST', '/logout', { token: out.token })],
      [device, () => send('POST', '/logout?scope=global', { token: device.token })],
      [suspended, () => act(suspended.id, 'suspend', { reason: 'other' })],
      [demoted, () => act(demoted.id, 'role', { from: 'doctor', to: 'client' })],
      [renewed, () => server.signIn({ kind: 'person', id: renewed.id, role: 'client', sessionId: '' })],
    ] as const) {
      const lines = [await listen(who), await listen(who)];
      expect(await endedBy(end, lines)).toEqual([1008, 1008]);
      const line = await open();
      expect(await line.say('realtime:me', 'phx_join', { access_token: who.token })).toEqual(
        refused('unauthenticated', 'sign_in_required'),
      );
    }
    await works(other, client);
  });

  test('at once after Mobile App Access is off, for everyone or its person', async () => {
    const lines = [await listen(client), await listen(provider)];
    await db
      .updateTable('feature_flags')
      .set({ scope: 'role_based', roles: ['doctor'], modified_at: new Date() })
      .where('id', '=', 'mobile_app_access')
      .execute();
    const told = () =>
      transact(system, (tx) => publish(tx, ['role:client', 'role:doctor'], { type: 'site.changed', id: '' }));
    expect(await endedBy(told, lines.slice(0, 1))).toEqual([1008]);
    await works(lines[1]!, provider);
    expect(await endedBy(() => turnPrograms(false), lines.slice(1))).toEqual([1008]);
    await db
      .updateTable('feature_flags')
      .set({ scope: 'global', roles: [] })
      .where('id', '=', 'mobile_app_access')
      .execute();
    await turnPrograms(true);
  });

  test('when its token expires, unless the program sends the next one', { tags: ['long'] }, async () => {
    const of = programsOf(timed);
    const at = { port: timed.port };
    timed.database.setNow('2026-03-02T12:00:00Z');
    const [lapsing, refreshing] = [await starter(of), await starter(of)];
    timed.database.setNow('2026-03-02T12:04:59Z');
    const lines = [await listen(lapsing, at), await listen(refreshing, at)] as const;
    const next = (await of.refresh(refreshing.tokens.refresh_token)).json as Tokens;
    const renewed = { access_token: next.access_token };
    expect(await lines[1].say('realtime:me', 'access_token', renewed)).toEqual(ok);
    expect(await lines[0].closed).toBe(1008);
    await works(lines[1], refreshing, timed.database);
    timed.database.setNow('2026-03-02T12:05:00Z');
    const line = await open(at);
    expect(await line.say('realtime:me', 'phx_join', { access_token: lapsing.token })).toEqual(
      refused('unauthenticated', 'bad_token'),
    );
    expect(await lines[1].say('realtime:me', 'access_token', { access_token: refreshing.token })).toEqual(
      refused('unauthenticated', 'bad_token'),
    );
    expect(await lines[1].say('realtime:me', 'access_token', { access_token: null })).toEqual(
      refused('invalid', 'wrong_type', 'access_token'),
    );
    await works(lines[1], refreshing, timed.database);
  });

  test('when a token of another session is sent, even the same person’s', async () => {
    for (const { token } of [await signInAgain(client.email), stranger]) {
      for (const event of ['access_token', 'phx_join']) {
        const line = await listen(client);
        line.socket.send(JSON.stringify(['1', '9', 'realtime:me', event, { access_token: token }]));
        expect(await line.closed).toBe(1008);
      }
    }
  });
});

describe('a misbehaving socket', () => {
  test('gets errors for malformed input, then is closed, without affecting others', async () => {
    const other = await listen(client);
    const topic = `realtime:conversation:${conversationId}`;
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const malformed = [
      '',
      '{',
      'null',
      '[]',
      '7',
      '[1,2,3,4,5]',
      '{"topic":"phoenix"}',
      '\u0000',
      deep,
      '[null,null,"realtime:me",{},{}]',
      `[null,"${'x'.repeat(41)}","phoenix","heartbeat",{}]`,
      `[null,null,"${'x'.repeat(101)}","phx_join",{}]`,
      '[null,null,"phoenix","heartbeat",{},1]',
      ...[[], [3], [0, 1, 1, 1, 1], [0xff, 0xfe, 0, 0]].map((bytes) => Buffer.from(bytes)),
    ];
    const cut = [Buffer.from([3, 255, 255, 255, 255, 255, 1]), typing(topic).subarray(0, 20)];
    const line = await open();
    for (const frame of [...malformed, ...cut]) line.socket.send(frame);
    await expect.poll(() => line.received.length).toBe(malformed.length + cut.length);
    const bad = [null, null, 'phoenix', 'phx_reply', refused('invalid', 'bad_frame')];
    expect(line.received.slice(0, malformed.length)).toEqual(malformed.map(() => bad));
    for (const [, , , , answer] of line.received.slice(malformed.length))
      expect(answer).toEqual(refused('not_found', 'topic'));
    for (let n = 0; n < 20; n++) line.socket.send('{');
    expect(await line.closed).toBe(4008);
    await works(other, client);
    expect(server.log.join('\n')).not.toContain('a frame failed');
  });

  test('is closed for a giant frame', async () => {
    const line = await listen(client);
    line.socket.send(`["1","2","realtime:me","broadcast",{"x":"${'x'.repeat(1024 * 1024)}"}]`);
    expect([1009, 1006]).toContain(await line.closed);
    const waiting = await open();
    waiting.socket.send(Buffer.alloc(70_000, 3));
    expect([1009, 1006]).toContain(await waiting.closed);
  });

  test('is closed for a flood, with its person’s other sockets, before and after identifying its person', async () => {
    const of = programsOf(strict);
    const at = { port: strict.port };
    const [flooding, other] = [await starter(of), await starter(of)];
    const calm = await listen(other, at);
    const [mine, too, waiting] = [await listen(flooding, at), await listen(flooding, at), await open(at)];
    const beat = '[null,"1","phoenix","heartbeat",{}]';
    for (let n = 0; n < 500; n++) for (const { socket } of [mine, too]) socket.send(beat);
    expect([await mine.closed, await too.closed]).toEqual([4008, 4008]);
    for (let n = 0; n < 1_500; n++) waiting.socket.send(beat);
    expect(await waiting.closed).toBe(4008);
    await works(calm, other, strict.database);
  });

  test('counts toward its person’s maximum', async () => {
    const who = await starter();
    for (let n = 0; n < 20; n++) await listen(who);
    const line = await open();
    expect(await line.say('realtime:me', 'phx_join', { access_token: who.token })).toEqual(
      refused('rate_limited', 'too_many_sockets'),
    );
    sockets[0]!.terminate();
    await expect.poll(() => line.say('realtime:me', 'phx_join', { access_token: who.token })).toEqual(ok);
  });

  test('counts toward its network’s maximum until it identifies its person', async () => {
    const at = { port: timed.port };
    const statuses = await Promise.all(Array.from({ length: 101 }, () => attempt(at)));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(statuses.filter((status) => status === 101)).toHaveLength(100);
  });

  test('disconnects a client that never reads', { tags: ['long'] }, async () => {
    const who = await starter();
    const reader = await listen(who);
    const silent = await openSilent(who.token);
    await expect.poll(() => reader.received.length).toBe(1);
    const many = (count: number) =>
      transact(system, async (tx) => {
        for (let n = 0; n < count; n++)
          await publish(tx, [`person:${who.id}`], {
            type: 'booking.changed',
            id: `${n}`,
            data: { x: 'x'.repeat(7_000) },
          });
      });
    for (let n = 1; n <= 25; n++) {
      await many(100);
      await expect.poll(() => news(reader).length).toBe(n * 100);
    }
    let read = 0;
    silent.on('data', (chunk: Buffer) => (read += chunk.length));
    if (!silent.destroyed) await once(silent.resume(), 'close');
    expect(read).toBeLessThan(25 * 100 * 7_000);
    await works(reader, who);
  });

  /** Joins on a raw connection that then stops reading. */
  async function openSilent(token: string): Promise<Socket> {
    const silent = connect(port, '127.0.0.1');
    silent.on('error', () => undefined);
    silent.write(
      'GET /realtime/v1/websocket?vsn=2.0.0 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n' +
        'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await once(silent, 'data');
    const text = Buffer.from(JSON.stringify(['1', '1', 'realtime:me', 'phx_join', { access_token: token }]));
    // RFC 6455: text, masked with zeros, its length in two bytes.
    const header = Buffer.from([0x81, 0xfe, text.length >> 8, text.length & 0xff, 0, 0, 0, 0]);
    silent.write(Buffer.concat([header, text]));
    const [answer] = (await once(silent, 'data')) as [Buffer];
    expect(answer.toString()).toContain('"status":"ok"');
    return silent.pause();
  }
});

test('logs no token, address or payload', async () => {
  const line = await listen(client);
  await line.say('realtime:me', 'broadcast', {
    type: 'broadcast',
    event: 'secret event',
    payload: { x: 'secret' },
  });
  const logged = server.log.join('\n');
  for (const secret of [client.token, client.email, 'secret event', 'apikey'])
    expect(logged).not.toContain(secret);
});
