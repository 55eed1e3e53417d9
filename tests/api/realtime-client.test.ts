import type { RealtimeChannel, RealtimeClientOptions, RealtimeChannelOptions } from '@supabase/realtime-js';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { newId, systemNow } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { linkTo } from '../support/link.ts';
import { addProvider } from '../support/people.ts';
import { programsOf, type Tokens } from '../support/programs.ts';
import { testServer } from '../support/server.ts';
import { addSession } from '../support/sessions.ts';

const server = await testServer({ config: { mode: 'production' } });
const { database, port } = server;
const { db } = database;
const { somebody, realtime, send, signIn, refresh } = programsOf(server);

type Who = Awaited<ReturnType<typeof somebody>> & { tokens: Tokens };
type Client = ReturnType<typeof realtime>;

/** An event as the client hands it over. */
interface Received {
  event: string;
  payload: { id?: string; from?: string; peerId?: string; signal?: unknown };
}

const starter = async (person?: Awaited<ReturnType<typeof addProvider>>): Promise<Who> => {
  const { id, email } = await somebody(person);
  return { id, email, tokens: await signIn(email) };
};

let [client, provider] = [] as unknown as [Who, Who];
let conversationId: string;
beforeAll(async () => {
  client = await starter();
  provider = await starter(await addProvider(db));
  conversationId = await converse();
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
  const opened = await send('POST', '/api/conversations', { token: client.tokens.access_token, body });
  expect(opened.status, opened.text).toBe(201);
  return id;
}

const clients: Client[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const one of clients.splice(0)) await one.disconnect();
});

function connect(who: Who, options: Partial<RealtimeClientOptions> = {}): Client {
  const one = realtime({ accessToken: () => Promise.resolve(who.tokens.access_token), ...options });
  clients.push(one);
  return one;
}

/** Joins, and collects each status and broadcast. */
async function join(one: Client, topic: string, config: RealtimeChannelOptions['config'] = {}) {
  // The client joins without its token until it has asked for it.
  await one.setAuth();
  const received: Received[] = [];
  const statuses: string[] = [];
  const channel = one.channel(topic, { config });
  channel.on('broadcast', { event: '*' }, ({ event, payload }: Received) =>
    received.push({ event, payload }),
  );
  if (config.presence?.enabled) channel.on('presence', { event: 'sync' }, () => received.push(sync));
  channel.subscribe((status, error) => statuses.push(error ? `${status} ${error.message}` : status));
  await expect.poll(() => statuses.length).toBeGreaterThan(0);
  return { channel, received, statuses };
}
const sync: Received = { event: 'sync', payload: {} };

const tell = (id: string, type: string) =>
  transact(database.as({ kind: 'system' }), (tx) => publish(tx, [`person:${id}`], { type, id: 'x' }));

const peopleIn = (channel: RealtimeChannel) =>
  Object.entries(channel.presenceState<{ part: string; waiting: boolean }>()).map(([key, [first]]) => [
    key,
    first!.part,
    first!.waiting,
  ]);

test.each(['1.0.0', '2.0.0'])('receives its person’s notices as ids, with version %s', async (vsn) => {
  const me = await join(connect(client, { vsn }), 'me');
  expect(me.statuses).toEqual(['SUBSCRIBED']);
  await tell(provider.id, 'booking.changed');
  await tell(client.id, 'booking.changed');
  const token = provider.tokens.access_token;
  const body = { messageId: newId(), text: 'Good morning', attachments: [] };
  const sent = await send('POST', `/api/conversations/${conversationId}/messages`, { token, body });
  expect(sent.status, sent.text).toBe(201);
  // Notices from before may still arrive first.
  await expect
    .poll(() => me.received.slice(me.received.findIndex(({ event }) => event === 'booking.changed')))
    .toEqual([
      { event: 'booking.changed', payload: { id: 'x' } },
      { event: 'messages.changed', payload: { id: conversationId } },
    ]);
});

test.each(['1.0.0', '2.0.0'])('leaves and joins again, with version %s', async (vsn) => {
  const one = connect(client, { vsn });
  const { channel, statuses, received } = await join(one, 'me');
  expect(await channel.unsubscribe()).toBe('ok');
  const before = [...received];
  expect(statuses).toEqual(['SUBSCRIBED', 'CLOSED']);
  await tell(client.id, 'booking.changed');
  const again = await join(one, 'me');
  expect(again.statuses).toEqual(['SUBSCRIBED']);
  await tell(client.id, 'growth.changed');
  await expect.poll(() => again.received.at(-1)).toMatchObject({ event: 'growth.changed' });
  expect(received).toEqual(before);
});

test.each(['1.0.0', '2.0.0'])('shows typing to the other person alone, with version %s', async (vsn) => {
  const topic = `conversation:${conversationId}`;
  const [mine, theirs] = [
    await join(connect(client, { vsn }), topic, { broadcast: { ack: true } }),
    await join(connect(provider, { vsn }), topic, { private: true }),
  ];
  const typing = { event: 'typing', payload: { id: conversationId } };
  expect(await mine.channel.send({ type: 'broadcast', event: 'typing', payload: {} })).toBe('ok');
  await expect.poll(() => theirs.received).toEqual([typing]);
  const echoed = await join(connect(client, { vsn }), topic, { broadcast: { ack: true, self: true } });
  expect(await echoed.channel.send({ type: 'broadcast', event: 'typing' })).toBe('ok');
  expect(echoed.received).toEqual([typing]);
  await expect.poll(() => theirs.received).toEqual([typing, typing]);
  expect(mine.received).toEqual([]);
  for (const event of ['shout', 'constructor', 'messages.typing'])
    expect(await mine.channel.send({ type: 'broadcast', event, payload: {} }), event).toBe('error');
});

test('enters and leaves a room, and shows who is there', async () => {
  const appointmentId = await addSession(db, {
    client,
    provider,
    start: systemNow().subtract({ minutes: 5 }).toString(),
    status: 'confirmed',
  });
  const presence = { presence: { enabled: true }, broadcast: { ack: true } };
  const topic = `room:${appointmentId}`;
  const [mine, theirs] = [
    await join(connect(client), topic, { ...presence, presence: { enabled: true, key: client.id } }),
    await join(connect(provider), topic, presence),
  ];
  await expect.poll(() => mine.received).toEqual([sync]);
  expect(await mine.channel.track({})).toBe('ok');
  expect(peopleIn(theirs.channel), 'nobody knows before entering').toEqual([]);
  expect(await theirs.channel.track({})).toBe('ok');
  await expect
    .poll(() => peopleIn(theirs.channel))
    .toEqual([
      [client.id, 'client', true],
      [provider.id, 'provider', false],
    ]);
  expect(peopleIn(mine.channel), 'nobody knows while waiting').toEqual([]);
  const token = provider.tokens.access_token;
  const body = { personId: client.id };
  await send('POST', `/api/sessions/${appointmentId}/admit`, { token, body });
  const both = [
    [client.id, 'client', false],
    [provider.id, 'provider', false],
  ];
  await expect.poll(() => peopleIn(theirs.channel)).toEqual(expect.arrayContaining(both));
  await expect.poll(() => peopleIn(mine.channel)).toEqual(expect.arrayContaining(both));
  expect(peopleIn(theirs.channel)).toHaveLength(2);

  const peerOf = ({ received }: typeof mine) =>
    received.find(({ event }) => event === 'here')!.payload.peerId!;
  const signal = { to: peerOf(theirs), signal: { candidate: 1 }, from: peerOf(theirs) };
  expect(await mine.channel.send({ type: 'broadcast', event: 'signal', payload: signal })).toBe('ok');
  await expect
    .poll(() => theirs.received)
    .toContainEqual({
      event: 'signal',
      payload: { id: appointmentId, from: peerOf(mine), signal: { candidate: 1 } },
    });

  expect(await mine.channel.untrack()).toBe('ok');
  await expect.poll(() => peopleIn(theirs.channel)).toEqual([[provider.id, 'provider', false]]);
  expect(peopleIn(mine.channel)).toEqual([]);
  expect(await mine.channel.track({})).toBe('ok');
  await expect.poll(() => peopleIn(theirs.channel)).toHaveLength(2);
  await mine.channel.unsubscribe();
  await expect.poll(() => peopleIn(theirs.channel)).toHaveLength(1);
  const again = await join(clients[0]!, topic, presence);
  expect(await again.channel.track({})).toBe('ok');
  await expect.poll(() => peopleIn(theirs.channel)).toHaveLength(2);
  await clients[0]!.disconnect();
  await expect.poll(() => peopleIn(theirs.channel)).toHaveLength(1);
  expect(await db.selectFrom('room_peers').select('person_id').execute()).toEqual([
    { person_id: provider.id },
  ]);
});

test('stays joined while the app refreshes its token', async () => {
  const who = await starter();
  const refreshed = (await refresh(who.tokens.refresh_token)).json as Tokens;
  const logged: string[] = [];
  const one = connect(who, { logger: (kind, message) => logged.push(`${kind} ${message}`) });
  const me = await join(one, 'me');
  logged.length = 0;
  who.tokens = refreshed;
  await one.setAuth();
  await expect
    .poll(() => logged)
    .toEqual([
      expect.stringMatching(/^push realtime:me access_token /),
      expect.stringMatching(/^receive ok realtime:me phx_reply /),
    ]);
  await tell(who.id, 'booking.changed');
  await expect.poll(() => me.received).toHaveLength(1);
  expect(me.statuses).toEqual(['SUBSCRIBED']);
});

test(
  'joins at its second try if it hadn’t asked for its token before the first',
  { tags: ['long'] },
  async () => {
    const statuses: string[] = [];
    const one = connect(client);
    one
      .channel('me')
      .subscribe((status, error) => statuses.push(error ? `${status} ${error.message}` : status));
    await expect.poll(() => statuses).toEqual(['CHANNEL_ERROR unauthenticated, no_token', 'SUBSCRIBED']);
  },
);

test('answers heartbeats, which aren’t use of the session', { tags: ['long'] }, async () => {
  const who = await starter();
  const statuses: string[] = [];
  const usedAt = () => db.selectFrom('sessions').select('updated_at').where('user_id', '=', who.id).execute();
  const longAgo = new Date(Date.now() - 5 * 60_000);
  await db.updateTable('sessions').set({ updated_at: longAgo }).where('user_id', '=', who.id).execute();
  const one = connect(who, {
    heartbeatIntervalMs: 200,
    heartbeatCallback: (status) => statuses.push(status),
  });
  const { channel } = await join(one, 'me');
  await expect.poll(() => statuses.filter((status) => status === 'ok').length).toBeGreaterThan(2);
  expect(statuses).not.toContain('timeout');
  expect(channel.state).toBe('joined');
  expect(await usedAt()).toEqual([{ updated_at: longAgo }]);
});

test('by default beats every 25 seconds, and connects again after 1, 2, 5, then every 10 seconds', async () => {
  const link = await linkTo(`http://127.0.0.1:${port}`);
  const lines: WebSocket[] = [];
  const closed = () => lines.filter(({ readyState }) => readyState === WebSocket.CLOSED).length;
  class Line extends WebSocket {
    constructor(...line: ConstructorParameters<typeof WebSocket>) {
      super(...line);
      lines.push(this);
    }
  }
  // Polling by Vitest would advance them.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const until = async (holds: () => boolean) => {
    const end = performance.now() + 10_000;
    while (!holds() && performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
  };
  const beats: string[] = [];
  const one = realtime(
    {
      accessToken: () => Promise.resolve(client.tokens.access_token),
      transport: Line as unknown as NonNullable<RealtimeClientOptions['transport']>,
      heartbeatCallback: (status) => beats.push(status),
    },
    Number(new URL(link.url).port),
  );
  clients.push(one);
  await one.setAuth();
  const channel = one.channel('me').subscribe();
  await until(() => channel.state === 'joined');
  for (const count of [1, 2]) {
    await vi.advanceTimersByTimeAsync(24_999);
    expect(beats).toHaveLength(2 * count - 2);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => beats.length === 2 * count);
  }
  expect(beats).toEqual(['sent', 'ok', 'sent', 'ok']);
  link.cut();
  for (const [tries, seconds] of [1, 2, 5, 10, 10].entries()) {
    await until(() => closed() === tries + 1);
    await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
    expect(lines).toHaveLength(tries + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(lines).toHaveLength(tries + 2);
  }
  link.close();
});

test('connects and joins again after a cut line', async () => {
  const link = await linkTo(`http://127.0.0.1:${port}`);
  const one = realtime(
    {
      accessToken: () => Promise.resolve(client.tokens.access_token),
      reconnectAfterMs: (tries) => [10, 20, 50][tries - 1] ?? 100,
    },
    Number(new URL(link.url).port),
  );
  clients.push(one);
  const { received, statuses } = await join(one, 'me');
  link.cut();
  await expect.poll(() => statuses.length).toBeGreaterThan(1);
  expect(statuses[1]).toMatch(/^CHANNEL_ERROR/);
  await expect.poll(() => one.isConnected()).toBe(false);
  link.mend();
  await expect.poll(() => statuses.at(-1)).toBe('SUBSCRIBED');
  await tell(client.id, 'booking.changed');
  await expect.poll(() => received).toEqual([{ event: 'booking.changed', payload: { id: 'x' } }]);
  link.close();
});

test('broadcasts without a socket', async () => {
  const topic = `conversation:${conversationId}`;
  const theirs = await join(connect(provider), topic);
  const typing = { event: 'typing', payload: { id: conversationId } };
  const one = connect(client);
  await one.setAuth();
  const channel = one.channel(topic);
  expect(await channel.httpSend('typing', {})).toEqual({ success: true });
  await expect.poll(() => theirs.received).toEqual([typing]);
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  expect(await channel.send({ type: 'broadcast', event: 'typing', payload: {} })).toBe('ok');
  expect(warned).toHaveBeenCalledOnce();
  warned.mockRestore();
  await expect.poll(() => theirs.received).toEqual([typing, typing]);

  await expect(channel.httpSend('shout', {})).rejects.toThrow('not_an_option');
  await expect(channel.httpSend('typing', new ArrayBuffer(8))).rejects.toThrow('malformed');
  await expect(one.channel(`conversation:${newId()}`).httpSend('typing', {})).rejects.toThrow('404');
  await expect(realtime().channel(topic).httpSend('typing', {})).rejects.toThrow('no_token');
  const kept = one.channel(topic.toUpperCase(), { config: { private: true } });
  await expect(kept.httpSend('typing', {}, { persist: true })).rejects.toThrow('unknown_field');
});

test('gets a closed code for what it can’t join', async () => {
  const one = connect(client);
  const refusedBy = async (topic: string, config: RealtimeChannelOptions['config'] = {}) => {
    const { channel, statuses } = await join(one, topic, config);
    await one.removeChannel(channel);
    return statuses[0];
  };
  for (const topic of ['room1', '', 'me:', `me:${client.id}`, `person:${client.id}`, `session:${newId()}`])
    expect(await refusedBy(topic), topic).toBe('CHANNEL_ERROR not_found, topic');
  const presence = { key: provider.id };
  expect(await refusedBy('me', { presence })).toBe(
    'CHANNEL_ERROR invalid, not_an_option, config.presence.key',
  );
  const replay = { broadcast: { replay: { since: 0 } }, private: true };
  expect(await refusedBy('me', replay)).toBe('CHANNEL_ERROR invalid, unknown_field, config.broadcast');
  const statuses: string[] = [];
  one
    .channel('me')
    .on('postgres_changes', { event: '*', schema: 'public', table: 'users' }, () => undefined)
    .subscribe((status, error) => statuses.push(`${status} ${error?.message}`));
  await expect.poll(() => statuses).toEqual(['CHANNEL_ERROR invalid, too_large, config.postgres_changes']);
  const { channel } = await join(connect(client), 'me');
  expect(await channel.track({}), 'nobody is present in one’s own notices').toBe('error');
});
