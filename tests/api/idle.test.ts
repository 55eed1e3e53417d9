import { beforeAll, expect, test } from 'vitest';
import type { OwnSession } from '#/features/accounts/contract.ts';
import { changeSettings } from '#/features/settings/commands.ts';
import { systemNow } from '#/platform/clock.ts';
import { addClient } from '../support/people.ts';
import { testServer, type Visitor } from '../support/server.ts';

const server = await testServer();
const { db } = server.database;
let visitor: Visitor;
beforeAll(async () => {
  visitor = await server.signIn(await addClient(db));
});

/** When the session was signed in to and used last, in minutes ago. */
async function sessionIs(startedAgo: number, usedAgo: number): Promise<void> {
  const ago = (minutes: number) => new Date(systemNow().subtract({ minutes }).epochMilliseconds);
  await db
    .updateTable('sessions')
    .set({ created_at: ago(startedAgo), updated_at: ago(usedAgo) })
    .execute();
}

async function session(headers: Record<string, string> = {}): Promise<OwnSession | null> {
  const answer = await visitor.send('GET', '/api/me/session', { headers });
  expect(answer.status).toBe(200);
  return answer.json as OwnSession | null;
}
const idle = { 'x-idle': '1' };

test('asking when the session ends is no use of it, nor is what a page asks by itself', async () => {
  await sessionIs(60, 20);
  for (const seconds of [600, 599])
    expect((await session(idle))?.secondsLeft).toBeGreaterThanOrEqual(seconds - 10);
  await visitor.send('GET', '/api/me', { headers: idle });
  const before = (await session(idle))!;
  expect(before.secondsLeft).toBeLessThanOrEqual(600);
  expect(before).toMatchObject({ warningSeconds: 120, extendable: true });
  expect((await session())!.secondsLeft).toBeGreaterThan(1_790);
});

test('it ends by the setting of this moment, also for whoever is signed in already', async () => {
  await sessionIs(60, 6);
  const system = server.database.as({ kind: 'system' });
  await changeSettings(system, { sessionTimeout: 9 });
  expect(await session(idle)).toMatchObject({ warningSeconds: 60 });
  expect((await session(idle))!.secondsLeft).toBeLessThanOrEqual(180);
  await changeSettings(system, { sessionTimeout: 5 });
  expect(await session()).toBeNull();
  expect((await visitor.send('GET', '/api/me')).json).toBeNull();
  await changeSettings(system, { sessionTimeout: 30 });
});

test('near its longest life using it doesn’t move its end', async () => {
  await sessionIs(11 * 60 + 59, 1);
  expect(await session()).toMatchObject({ extendable: false });
  expect((await session())!.secondsLeft).toBeLessThanOrEqual(60);
});

test('guests have none', async () => {
  expect((await server.guest.send('GET', '/api/me/session')).json).toBeNull();
});
