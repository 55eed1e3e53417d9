import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import type { Ctx } from '#/platform/context.ts';
import { createAccount } from '../commands.ts';
import { ownDevices, signOutDevice, signOutOtherDevices } from './commands.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const browsers = {
  firefox: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0',
  safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
};

async function person(email: string): Promise<string> {
  return createAccount(database.as({ kind: 'system' }), {
    email,
    name: 'Ruth Amsel',
    role: 'client',
    emailVerified: true,
  });
}

async function signIn(userId: string, at: string, userAgent: string | null): Promise<Ctx> {
  const system = database.as({ kind: 'system' });
  const id = system.newId();
  await database.db
    .insertInto('sessions')
    .values({
      id,
      user_id: userId,
      token: id,
      expires_at: new Date('2026-03-03T00:00:00Z'),
      ip_address: '203.0.113.9',
      user_agent: userAgent,
      created_at: new Date(at),
      updated_at: new Date(at),
      reauthenticated_at: new Date('2026-03-02T11:59:00Z'),
    })
    .execute();
  return database.as({ kind: 'person', id: userId, role: 'client', sessionId: id });
}

const sessionOf = (ctx: Ctx) => (ctx.actor.kind === 'person' ? ctx.actor.sessionId : '');
const closed: string[] = [];

const listener = new pg.Client({ connectionString: database.url });
beforeAll(async () => {
  await listener.connect();
  listener.on('notification', ({ payload }) => closed.push(payload ?? ''));
  await listener.query('listen realtime');
});
afterAll(() => listener.end());

test('lists signed-in devices by name, last used first', async () => {
  const ruth = await person('ruth@italk.test');
  await signIn(ruth, '2026-03-02T11:45:00Z', browsers.firefox);
  await signIn(ruth, '2026-03-02T11:40:00Z', null);
  await signIn(ruth, '2026-03-02T08:00:00Z', browsers.firefox);
  const here = await signIn(ruth, '2026-03-02T11:50:00Z', browsers.safari);
  expect(await ownDevices(here)).toMatchObject([
    { browser: 'Safari', system: 'iOS', kind: 'phone', current: true, address: '203.0.113.9' },
    {
      browser: 'Firefox',
      system: 'Windows',
      kind: 'computer',
      current: false,
      lastUsedAt: '2026-03-02T11:45:00.000Z',
    },
    { browser: null, system: null, kind: 'computer', current: false },
  ]);
});

test('keeps any number of sessions, and lists each', async () => {
  const naomi = await person('naomi@italk.test');
  const sessions = [];
  for (let hour = 0; hour < 30; hour++) sessions.push(await signIn(naomi, '2026-03-02T11:50:00Z', null));
  for (const ctx of [sessions[0]!, sessions.at(-1)!]) expect(await ownDevices(ctx)).toHaveLength(30);
});

test('signs out one device and its sockets immediately; other people’s aren’t found', async () => {
  const ruth = await person('ruth2@italk.test');
  const there = await signIn(ruth, '2026-03-02T11:45:00Z', browsers.firefox);
  const here = await signIn(ruth, '2026-03-02T11:50:00Z', browsers.safari);
  const stranger = await signIn(await person('other@italk.test'), '2026-03-02T11:50:00Z', null);

  await expect(signOutDevice(stranger, { id: sessionOf(there) })).rejects.toMatchObject({
    code: 'not_found',
    reason: 'device',
  });
  expect(await ownDevices(here)).toHaveLength(2);

  expect(await signOutDevice(here, { id: sessionOf(there) })).toMatchObject([{ current: true }]);
  await expect.poll(() => closed.join()).toContain(`session:${sessionOf(there)}`);
  await expect(signOutDevice(here, { id: sessionOf(there) })).rejects.toMatchObject({ code: 'not_found' });
  expect(closed.join()).not.toContain(sessionOf(here));
});

test('signs nobody out before the person confirms who they are', async () => {
  const ruth = await person('ruth4@italk.test');
  const there = await signIn(ruth, '2026-03-02T11:45:00Z', browsers.firefox);
  const here = await signIn(ruth, '2026-03-02T11:50:00Z', browsers.safari);
  const long = new Date('2026-03-02T11:54:59Z');
  await database.db
    .updateTable('sessions')
    .set({ reauthenticated_at: long })
    .where('user_id', '=', ruth)
    .execute();
  const refused = { code: 'precondition', reason: 'reauthentication_required' };
  await expect(signOutDevice(here, { id: sessionOf(there) })).rejects.toMatchObject(refused);
  await expect(signOutOtherDevices(here)).rejects.toMatchObject(refused);
  expect(await ownDevices(here)).toHaveLength(2);
});

test('signs out all other devices, and keeps this one and other people’s', async () => {
  const ruth = await person('ruth3@italk.test');
  const others = [
    await signIn(ruth, '2026-03-02T11:45:00Z', browsers.firefox),
    await signIn(ruth, '2026-03-02T11:46:00Z', null),
  ];
  const here = await signIn(ruth, '2026-03-02T11:50:00Z', browsers.safari);
  const stranger = await signIn(await person('other3@italk.test'), '2026-03-02T11:50:00Z', null);
  expect(await signOutOtherDevices(here)).toMatchObject([{ id: sessionOf(here), current: true }]);
  for (const other of others) await expect.poll(() => closed.join()).toContain(sessionOf(other));
  expect(await ownDevices(stranger)).toHaveLength(1);
  const noted = await database.db
    .selectFrom('audit_entries')
    .select('details')
    .where('action', '=', 'other_devices_signed_out')
    .orderBy('id')
    .execute();
  expect(noted).toEqual([{ details: { sessions: 2 } }]);
  await signOutOtherDevices(here);
  await expect(signOutOtherDevices(database.as({ kind: 'guest' }))).rejects.toMatchObject({
    code: 'unauthenticated',
  });
});
