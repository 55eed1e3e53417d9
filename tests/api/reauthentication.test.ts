import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { systemNow } from '#/platform/clock.ts';
import { demoPassword } from '#/features/accounts/demo.ts';
import { guarded } from '../support/guarded.ts';
import { blockedConnections } from '../support/locks.ts';
import { acceptedInputs, procedures, requestOf } from '../support/procedures.ts';
import { castOf, problemIn, storedIn, testServer, type Cast, type Visitor } from '../support/server.ts';

const server = await testServer({ rateLimitFactor: 1, config: { walletSignIn: true } });
const { db } = server.database;
let cast: Cast;
let accepted: ReturnType<typeof acceptedInputs>;

beforeAll(async () => {
  cast = await castOf(server);
  accepted = acceptedInputs(cast);
});

// Without an archive there is nothing to open.
const unconfirmed = [...guarded.filter((one) => one !== 'exports.open'), 'providers.applications.add'];
const calendars = 'appointments.feed.make';
const ask = (name: string, by: Visitor = name === calendars ? cast.client : cast.admin) => {
  const input = { ...accepted[name], ...(name === 'providers.applications.add' && { existing: true }) };
  return by.send(
    ...requestOf(
      procedures.find((one) => one.name === name)!,
      input,
    ),
  );
};
const confirm = (body: object, by = cast.admin) => by.send('POST', '/api/me/reauthentication', { body });
const stale = () => db.updateTable('sessions').set({ reauthenticated_at: null }).execute();
const earlier = (seconds: number) =>
  db
    .updateTable('sessions')
    .set({ reauthenticated_at: sql`reauthenticated_at - make_interval(secs => ${seconds})` })
    .execute();
const expectAsked = async (name: string) => {
  const before = await storedIn(server.database);
  const problem = problemIn(await ask(name));
  expect(problem, name).toMatchObject({ code: 'precondition', reason: 'reauthentication_required' });
  expect(await storedIn(server.database), name).toEqual(before);
};

test('blocks account changes and exports by an open administrator session alone', async () => {
  await stale();
  for (const name of unconfirmed) await expectAsked(name);
});

test.each([
  [
    'settings.save',
    { version: 1, change: { requireTwoFactor: false } },
    { version: 1, change: { siteName: 'Cedar' } },
  ],
  [
    'settings.save',
    { version: 1, change: { sessionTimeout: 600 } },
    { version: 1, change: { reminderTime: 45 } },
  ],
  [
    'flags.turn',
    { flagId: 'two_factor_authentication', version: 1, enabled: false },
    { flagId: 'video_sessions', version: 1, enabled: true },
  ],
  [
    'flags.setScope',
    { flagId: 'mobile_app_access', version: 1, scope: 'global', roles: [], personIds: [] },
    { flagId: 'video_sessions', version: 1, scope: 'global', roles: [], personIds: [] },
  ],
])('asks by %s only before how people sign in changes: %j', async (name, ofSignIn, other) => {
  await stale();
  const procedure = procedures.find((one) => one.name === name)!;
  const asked = await cast.admin.send(...requestOf(procedure, ofSignIn));
  expect(problemIn(asked).reason).toBe('reauthentication_required');
  const unasked = await cast.admin.send(...requestOf(procedure, other));
  expect(unasked.text).not.toContain('reauthentication_required');
});

test('unlocks only this session for five minutes with the password', { tags: ['long'] }, async () => {
  await stale();
  expect(problemIn(await confirm({ password: 'wrong' })).fields).toEqual([
    { field: 'password', reason: 'wrong_password' },
  ]);
  expect(problemIn(await confirm({})).fields).toEqual([{ field: 'password', reason: 'required' }]);
  expect(problemIn(await confirm({ code: '123456' })).reason).toBe('second_factor_not_begun');
  await expectAsked('directory.export');

  expect((await confirm({ password: demoPassword }, cast.client)).status).toBe(200);
  await expectAsked('directory.export');
  expect((await confirm({ password: demoPassword })).status).toBe(200);
  for (const name of unconfirmed)
    expect((await ask(name)).text, name).not.toContain('reauthentication_required');
  await earlier(290);
  expect((await ask('directory.export')).status).toBe(200);
  await earlier(10);
  await expectAsked('directory.export');
});

test('counts wrong passwords, then refuses even the right one', async () => {
  await db.deleteFrom('rate_limits').execute();
  for (let tries = 0; tries < 10; tries++)
    expect(problemIn(await confirm({ password: 'wrong' }, cast.client)).reason).toBe('wrong_password');
  expect(problemIn(await confirm({ password: demoPassword }, cast.client)).code).toBe('rate_limited');
});

test('requires reauthentication to download an archive', async () => {
  await db.deleteFrom('rate_limits').execute();
  await confirm({ password: demoPassword }, cast.provider);
  const { json } = await ask('exports.request', cast.provider);
  // Uses the real clock: archives expire after some hours.
  server.database.setNow(systemNow().toString());
  await server.database.runJobs();
  const { id } = json as { id: string };
  const download = () => cast.provider.send('GET', `/api/me/export.zip?id=${id}`);
  const open = () => cast.provider.send('POST', `/api/me/exports/${id}/open`, { body: {} });
  expect((await open()).status).toBe(200);
  expect(await download()).toMatchObject({ status: 200, headers: { 'content-type': 'application/zip' } });
  await stale();
  for (const answer of [await open(), await download()])
    expect(problemIn(answer)).toMatchObject({ code: 'precondition', reason: 'reauthentication_required' });
});

test.each(['csv', 'json'])('requires reauthentication to download the audit log as %s', async (format) => {
  await db.deleteFrom('rate_limits').execute();
  await confirm({ password: demoPassword });
  const download = () => cast.admin.send('GET', `/api/admin/audit-log.${format}`);
  expect((await download()).status).toBe(200);
  await stale();
  expect(problemIn(await download())).toMatchObject({
    code: 'precondition',
    reason: 'reauthentication_required',
  });
});

test('replaces the session’s token, and ends the former one', async () => {
  await db.deleteFrom('rate_limits').execute();
  const former = cast.client.cookie;
  const before = await cast.client.send('GET', '/api/me/devices');
  const { headers, status } = await confirm({ password: demoPassword }, cast.client);
  expect(status).toBe(200);
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^italk\.session_token=\S+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  expect(cast.client.cookie).not.toBe(former);
  expect((await cast.client.send('GET', '/api/me/devices')).json).toEqual(before.json);
  const { json } = await server.guest.send('GET', '/api/me', { headers: { cookie: former } });
  expect(json).toBeNull();
});

test('replaces it once for confirmations at once, and leaves the words open', async () => {
  await db.deleteFrom('rate_limits').execute();
  const { client } = cast;
  await client.send('POST', '/api/me/words/unlock', { body: { password: demoPassword } });
  const former = client.cookie;
  const confirmations = 3;
  // All are signed in before the first one replaces the token.
  const asked = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('sessions').select('id').where('user_id', '=', cast.clientId).forUpdate().execute();
    const requests = Array.from({ length: confirmations }, () =>
      server.guest.send('POST', '/api/me/reauthentication', {
        body: { password: demoPassword },
        headers: { cookie: former },
      }),
    );
    await expect.poll(() => blockedConnections(db)).toBe(confirmations);
    return { requests };
  });
  const answers = await Promise.all(asked.requests);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const cookies = answers.flatMap(({ headers }) => headers['set-cookie'] ?? []);
  expect(cookies).toHaveLength(1);
  const headers = { cookie: cookies[0]!.split(';')[0]! };
  const { json } = await server.guest.send('GET', '/api/me/words', { headers });
  expect(json).toMatchObject({ state: 'open' });
});
