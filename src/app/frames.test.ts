import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '#/kernel/errors.ts';
import { openLog } from '#/platform/log.ts';
import type { Ctx } from '#/platform/context.ts';
import { DatabaseDown } from '#/platform/db/outage.ts';
import { frame, type Connection } from '#/platform/realtime/frames.ts';
import { speakerOf, handleFrame } from './frames.ts';

const id = '0199c0de-0000-7000-8000-000000000001';
const anna = { kind: 'person', id, role: 'client', sessionId: 'one' } as const;

describe('a browser frame', () => {
  const taken: unknown[] = [];
  const frames = [
    frame({
      type: 'room.signal',
      schema: z.object({ to: z.uuid() }),
      handle: (_ctx, input) => Promise.resolve(void taken.push(input)),
    }),
    frame({
      type: 'room.enter',
      schema: z.object({}),
      handle: () => Promise.reject(new AppError('not_found', 'appointment')),
    }),
    frame({ type: 'room.break', schema: z.object({}), handle: () => Promise.reject(new Error('secret')) }),
  ];
  async function say(
    text: string,
    speaker: Parameters<typeof handleFrame>[2]['speaker'] = () => Promise.resolve('same'),
  ) {
    const sent: unknown[] = [];
    const connection = { send: (message: unknown) => void sent.push(message) } as unknown as Connection;
    const context = () => ({ requestId: 'r', actor: anna }) as unknown as Ctx;
    const how = await handleFrame(frames, text, { connection, context, log: openLog('silent'), speaker });
    return { how, sent };
  }
  const refused = (type: string | null, code: string, reason: string) => [
    { type: 'refused', id: 'r', data: { type, code, reason } },
  ];

  it('reaches its handler without fields outside its schema', async () => {
    const said = JSON.stringify({ type: 'room.signal', to: id, topics: ['person:ben'] });
    expect(await say(said)).toEqual({ how: 'handled', sent: [] });
    expect(taken).toEqual([{ to: id }]);
  });

  it.each([
    ['', null],
    ['{', null],
    ['null', null],
    ['[]', null],
    ['"room.enter"', null],
    ['{"type":{"a":1}}', null],
    [`{"type":"${'x'.repeat(101)}"}`, null],
    ['{"type":"toString"}', 'toString'],
    ['{"type":"room.signal","to":"anna"}', 'room.signal'],
  ])('is refused as garbage when it is %s', async (text, type) => {
    expect(await say(text)).toEqual({ how: 'garbage', sent: refused(type, 'invalid', 'bad_frame') });
  });

  it('gets an error’s own code when refused, and only “internal” for a defect', async () => {
    const enter = refused('room.enter', 'not_found', 'appointment');
    expect(await say('{"type":"room.enter"}')).toEqual({ how: 'handled', sent: enter });
    const broken = refused('room.break', 'internal', 'internal');
    expect(await say('{"type":"room.break"}')).toEqual({ how: 'handled', sent: broken });
  });

  it('has no effect once its person has signed out, and is refused while that can’t be checked', async () => {
    const signal = JSON.stringify({ type: 'room.signal', to: id });
    taken.length = 0;
    expect(await say(signal, () => Promise.resolve('ended'))).toEqual({ how: 'ended', sent: [] });
    expect(await say(signal, () => Promise.reject(new DatabaseDown(new Error('secret'))))).toEqual({
      how: 'handled',
      sent: refused('room.signal', 'unavailable', 'database'),
    });
    expect(taken).toEqual([]);
  });
});

it('rechecks the person at most once a minute, and detects an ended session or changed role', async () => {
  let now = 0;
  let asked = 0;
  let answer: Awaited<ReturnType<Parameters<typeof speakerOf>[1]>> = anna;
  const speaker = speakerOf(
    anna,
    () => {
      asked++;
      return Promise.resolve(answer);
    },
    () => now,
  );
  expect([await speaker(), asked]).toEqual(['same', 0]);
  now = 60_000;
  expect([await speaker(), await speaker(), asked]).toEqual(['same', 'same', 1]);
  now = 120_000;
  answer = { ...anna, role: 'super_admin' };
  expect(await speaker()).toBe('changed');
  now = 180_000;
  answer = { kind: 'guest' };
  expect(await speaker()).toBe('ended');
});
