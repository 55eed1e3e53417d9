import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AppError } from '#/kernel/errors.ts';
import { newId } from '#/platform/clock.ts';
import { openLog } from '#/platform/log.ts';
import type { Presence } from '#/platform/realtime/channels.ts';
import { frame, type ProgramConnection } from '#/platform/realtime/frames.ts';
import { testDatabase } from '../../tests/support/database.ts';
import { programSocket } from './program-sockets.ts';

const { as } = await testDatabase();

const anna = { kind: 'person', id: newId(), role: 'client', sessionId: newId() } as const;

/** Whose the token is, as tests set it; counts how often it's asked. */
let verify: () => Promise<void>;
let noted: boolean[];
let present: () => Promise<Presence[]>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  verify = () => Promise.resolve();
  noted = [];
  present = () => Promise.resolve([{ key: anna.id, ref: 'a', shown: { name: 'Anna' } }]);
});
afterEach(() => {
  vi.useRealTimers();
});

type Message = [unknown, unknown, string, string, { status?: string; response?: unknown }];

function open() {
  const said: Message[] = [];
  const end = vi.fn<() => void>();
  const topics: string[] = [];
  const connection = {
    grant: (topic: string) => void topics.push(topic),
    moveTo: () => true,
    write: (text: string) => void said.push(JSON.parse(text) as Message),
    onClose: () => undefined,
    end,
  } as unknown as ProgramConnection;
  const frames = ['enter', 'leave', 'wave'].map((type) =>
    frame({ type, schema: z.object({ id: z.uuid() }), handle: () => Promise.resolve() }),
  );
  const socket = programSocket({
    version: '2.0.0',
    log: openLog('silent'),
    frames,
    channels: [
      {
        name: 'room',
        idField: 'id',
        events: { wave: 'wave', changed: 'changed' },
        authorize: () => Promise.resolve(),
        presence: { enter: 'enter', leave: 'leave', changed: 'changed', read: () => present() },
      },
    ],
    contextOf: (actor) => ({ ...as(actor), now: () => Temporal.Instant.fromEpochMilliseconds(0) }),
    async verify(_, use) {
      noted.push(use.noted);
      await verify();
      return { actor: anna, expires: 300_000 };
    },
  });
  socket.opened(connection);
  return {
    said,
    end,
    topics,
    take: (type: string, id: string) => socket.take({ type, id }),
    /** Returns the answer, and what the socket does next. */
    async say(topic: string, event: string, payload: object = {}) {
      const next = await socket.onFrame(JSON.stringify(['1', '2', topic, event, payload]), connection);
      const answer = said.findLast(([, , , kind]) => kind === 'phx_reply')?.[4];
      return { next, answer: answer?.response };
    },
  };
}

const me = { access_token: 'anna' };
const ended = new AppError('unauthenticated', 'sign_in_required');

test('ends unless it identifies its person within ten seconds, and when its token expires', async () => {
  const [silent, lively] = [open(), open()];
  await silent.say('phoenix', 'heartbeat');
  await lively.say('realtime:me', 'phx_join', me);
  vi.advanceTimersByTime(9_999);
  expect([silent, lively].map(({ end }) => end.mock.calls.length)).toEqual([0, 0]);
  vi.advanceTimersByTime(1);
  expect([silent, lively].map(({ end }) => end.mock.calls.length)).toEqual([1, 0]);
  vi.advanceTimersByTime(289_999);
  expect(lively.end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(lively.end).toHaveBeenCalledOnce();
});

test('ends if the session ended while it joined', async () => {
  const socket = open();
  verify = () => (socket.topics.length > 0 ? Promise.reject(ended) : Promise.resolve());
  const { answer } = await socket.say('realtime:me', 'phx_join', me);
  expect(answer).toEqual({ code: 'unauthenticated', reason: 'sign_in_required' });
  expect(socket.topics).toContain(`session:${anna.sessionId}`);
  expect(socket.end).toHaveBeenCalledOnce();
  socket.take('booking.changed', 'x');
  expect(socket.said).toHaveLength(1);
});

test('joins at most a hundred topics', async () => {
  const socket = open();
  for (let n = 0; n < 100; n++)
    expect((await socket.say(`realtime:room:${newId()}`, 'phx_join', me)).answer).toEqual({});
  const { answer } = await socket.say('realtime:me', 'phx_join', me);
  expect(answer).toEqual({ code: 'rate_limited', reason: 'too_many_channels' });
});

test('checks its person at most once a minute when they say something, which is use of the session', async () => {
  const socket = open();
  const topic = `realtime:room:${newId()}`;
  await socket.say(topic, 'phx_join', me);
  noted = [];
  const wave = { type: 'broadcast', event: 'wave' };
  const said = async () => (await socket.say(topic, 'broadcast', wave)).next;
  expect(await said()).toBe('handled');
  vi.advanceTimersByTime(60_000);
  for (const event of ['heartbeat', 'phx_join', 'access_token', 'phx_leave'])
    await socket.say(event === 'heartbeat' ? 'phoenix' : topic, event, me);
  expect(noted).not.toContain(true);
  await socket.say(topic, 'phx_join', me);
  vi.advanceTimersByTime(60_000);
  expect([await said(), await said()]).toEqual(['handled', 'handled']);
  expect(noted.filter(Boolean)).toEqual([true]);
  vi.advanceTimersByTime(60_000);
  verify = () => Promise.reject(ended);
  expect(await said()).toBe('ended');
});

test('ends after a change of the site if its person can’t be checked', async () => {
  for (const [error, calls] of [
    [null, 0],
    [ended, 1],
    [new Error('down'), 1],
  ] as const) {
    const socket = open();
    await socket.say('realtime:me', 'phx_join', me);
    verify = () => (error ? Promise.reject(error) : Promise.resolve());
    socket.take('site.changed', '');
    await vi.waitFor(() => expect(noted).toHaveLength(3));
    await Promise.resolve();
    await vi.waitFor(() => expect(socket.end).toHaveBeenCalledTimes(calls));
    verify = () => Promise.resolve();
    noted = [];
  }
});

test('shows who is there only while its person is, and closes what they may no longer see', async () => {
  const socket = open();
  const id = newId();
  const topic = `realtime:room:${id}`;
  const config = { presence: { enabled: true } };
  await socket.say(topic, 'phx_join', { ...me, config });
  const states = () => socket.said.filter(([, , , event]) => event.startsWith('presence'));
  const diff = (joins: object, leaves: object) => ['1', null, topic, 'presence_diff', { joins, leaves }];
  const state = { [anna.id]: { metas: [{ phx_ref: 'a', name: 'Anna' }] } };
  socket.take('changed', id);
  await socket.say(topic, 'presence', { type: 'presence', event: 'track' });
  expect(states()).toEqual([['1', null, topic, 'presence_state', {}]]);
  socket.take('changed', id);
  socket.take('changed', id);
  await vi.waitFor(() => expect(states().at(-1)).toEqual(diff(state, {})));
  await socket.say(topic, 'presence', { type: 'presence', event: 'untrack' });
  expect(states().slice(2)).toEqual([diff({}, state)]);
  await socket.say(topic, 'presence', { type: 'presence', event: 'track' });
  const other = `realtime:room:${newId()}`;
  await socket.say(other, 'phx_join');
  const { answer } = await socket.say(other, 'presence', { type: 'presence', event: 'track' });
  expect(answer).toEqual({ code: 'conflict', reason: 'present_elsewhere' });
  present = () => Promise.reject(new AppError('not_found', 'room'));
  socket.take('changed', id);
  await vi.waitFor(() => expect(socket.said.at(-1)).toEqual(['1', null, topic, 'phx_close', {}]));
  expect((await socket.say(topic, 'presence')).answer).toEqual({ code: 'not_found', reason: 'topic' });
});
