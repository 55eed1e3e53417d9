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

/** Sets the session's sign-in and last-used times, in minutes ago. */
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

test('ignores checks of the session’s end and automatic page requests', async () => {
  await sessionIs(60, 20);
  for (const seconds of [600, 599])
    expect((await session(idle))?.secondsLeft).toBeGreaterThanOrEqual(seconds - 10);
  await visitor.send('GET', '/api/me', { headers: idle });
  const before = (await session(idle))!;
  expect(before.secondsLeft).toBeLessThanOrEqual(600);
  expect(before).toMatchObject({ warningSeconds: 120, extendable: true });
  expect((await session())!.secondsLeft).toBeGreaterThan(1_790);
});

test('follows the current setting, even for existing sessions', async () => {
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

test('doesn’t extend a session near its maximum lifetime', async () => {
  await sessionIs(11 * 60 + 59, 1);
  expect(await session()).toMatchObject({ extendable: false });
  expect((await session())!.secondsLeft).toBeLessThanOrEqual(60);
});

test('has no limit for guests', async () => {
  expect((await server.guest.send('GET', '/api/me/session')).json).toBeNull();
});
