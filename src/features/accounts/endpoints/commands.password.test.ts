import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { transact } from '#/platform/db/transact.ts';
import { hashPassword } from '#/platform/password-hash.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { identitiesOf, password } from '../../../../tests/support/identity.ts';
import { createAccount, makeLinkToken, setPassword } from '../commands.ts';
import { blockedConnections } from '../../../../tests/support/locks.ts';

const database = await testDatabase({ poolSize: 4 });
const {
  guest,
  events,
  production,
  demo,
  freshAddress,
  send,
  signUp,
  signIn,
  actorOf,
  userOf,
  verified,
  entries,
} = identitiesOf(database);

beforeAll(() => database.setNow('2026-03-02T12:00:00Z'));

describe('the password', () => {
  test('follows the site’s minimum length as soon as it changes', async () => {
    const setting = (least: number) =>
      database.db.updateTable('site_settings').set({ password_min_length: least }).execute();
    expect(await signUp(production, 'short@italk.test', { password: 'seven77' })).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'password', reason: 'too_small' }], data: { least: 8 } },
    });
    await setting(9);
    const nine = await signUp(production, 'short@italk.test', { password: 'eight-88' });
    expect(nine.body).toMatchObject({ data: { least: 9 } });
    await setting(6);
    expect((await signUp(demo, 'short@italk.test', { password: 'seven77' })).status).toBe(200);
    const shorter = await signUp(production, 'shorter@italk.test', { password: 'seven77' });
    expect(shorter.body).toMatchObject({ data: { least: 8 } });
    await setting(8);
    const { id } = await verified('long@italk.test');
    const token = await makeLinkToken(guest, 'reset-password', id);
    expect(await send(production, '/reset-password', { token, newPassword: 'seven77' })).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'newPassword', reason: 'too_small' }] },
    });
  });

  test('never expires', async () => {
    await verified('for.years@italk.test');
    database.setNow('2031-03-02T12:00:00Z');
    expect(await signIn(production, 'for.years@italk.test')).toMatchObject({
      status: 200,
      body: { signedIn: true },
    });
    database.setNow('2026-03-02T12:00:00Z');
  });

  test('may have 128 characters, and no more', async () => {
    const longest = 'a-quiet-room-42 '.repeat(8);
    expect((await signUp(production, 'longest@italk.test', { password: longest })).status).toBe(200);
    expect(await signUp(production, 'longer@italk.test', { password: `${longest}x` })).toMatchObject({
      body: { fields: [{ field: 'password', reason: 'too_large' }] },
    });
  });

  test.each([
    ['password1', 'too_common'],
    ['12345678', 'too_common'],
    ['ruth.amsel', 'is_yours'],
    ['guessed@italk.test', 'is_yours'],
  ])('rejects %s when signing up, resetting and changing it', async (weak, reason) => {
    // Earlier sign-ups used up the rate limit of this network address.
    await database.db.deleteFrom('rate_limits').execute();
    const refused = (field: string) => ({ status: 400, body: { fields: [{ field, reason }] } });
    expect(await signUp(production, 'guessed@italk.test', { password: weak })).toMatchObject(
      refused('password'),
    );
    const { id, cookie } = await verified('guessed@italk.test');
    const token = await makeLinkToken(guest, 'reset-password', id);
    expect(await send(production, '/reset-password', { token, newPassword: weak })).toMatchObject(
      refused('newPassword'),
    );
    const change = { password, newPassword: weak };
    expect(await send(production, '/change-password', change, { cookie })).toMatchObject(
      refused('newPassword'),
    );
    expect((await send(production, '/reset-password', { token, newPassword: password })).status).toBe(200);
    await database.db.deleteFrom('users').where('id', '=', id).execute();
  });

  test('may be anything in the demo', async () => {
    expect((await signIn(demo, 'demo.guest@italk.test', 'password')).status).toBe(200);
    expect((await signUp(demo, 'demo.other@italk.test', { password: '12345678' })).status).toBe(200);
  });

  test('can be changed with the old one, ends other sessions and devices, and sends an email', async () => {
    const { id } = await verified('changes@italk.test');
    const signed = async () => {
      const { cookie, cookies } = await signIn(production, 'changes@italk.test');
      return { session: cookie, jar: cookies.map((one) => one.split(';')[0]).join('; ') };
    };
    const [here, elsewhere] = [await signed(), await signed()];
    const change = (body: object, cookie = here.session) =>
      send(
        production,
        '/change-password',
        { password, newPassword: 'another-quiet-room', ...body },
        { cookie },
      );
    expect((await change({}, '')).status).toBe(401);
    expect(await change({ password: 'wrong' })).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'password', reason: 'wrong_password' }] },
    });
    expect(await change({ newPassword: 'short' })).toMatchObject({
      body: { fields: [{ field: 'newPassword', reason: 'too_small' }] },
    });
    const before = events.length;
    expect(await change({})).toMatchObject({ status: 200, body: { signedIn: true }, cookies: [] });
    expect(events.slice(before)).toMatchObject([
      { event: 'accounts.password_set', payload: { userId: id } },
      { event: 'accounts.secured', payload: { userId: id, change: 'password_set' } },
    ]);
    expect((await entries('password_set', id)).at(-1)).toMatchObject({ actor_kind: 'person', actor_id: id });
    expect(await actorOf(production, here.session)).toMatchObject({ kind: 'person', id });
    expect(await actorOf(production, elsewhere.session)).toEqual({ kind: 'guest' });
    const devices = await database.db
      .selectFrom('known_devices')
      .where('user_id', '=', id)
      .select('id')
      .execute();
    expect(devices).toHaveLength(1);
    expect((await signIn(production, 'changes@italk.test')).status).toBe(401);
    const known = { cookie: here.jar };
    expect((await signIn(production, 'changes@italk.test', 'another-quiet-room', known)).status).toBe(200);
  });

  test('is stored as an Argon2id hash', async () => {
    const argon2id = /^\$argon2id\$v=19\$m=16,t=1,p=1,l=64\$[\w+/]{22}\$[\w+/]{43}$/;
    const hashOf = async (table: 'credentials' | 'sign_ups', of: 'user_id' | 'email', value: string) =>
      (
        await sql<{ password: string }>`
        select password from ${sql.table(table)} where ${sql.ref(of)} = ${value}`.execute(database.db)
      ).rows[0]!.password;
    await signUp(production, 'hash@italk.test');
    expect(await hashOf('sign_ups', 'email', 'hash@italk.test')).toMatch(argon2id);
    const { id, cookie } = await verified('hash-of-a-member@italk.test');
    await send(production, '/change-password', { password, newPassword: 'another-quiet-room' }, { cookie });
    expect(await hashOf('credentials', 'user_id', id)).toMatch(argon2id);
    const token = await makeLinkToken(guest, 'reset-password', id);
    await send(production, '/reset-password', { token, newPassword: 'the-last-quiet-room' });
    expect(await hashOf('credentials', 'user_id', id)).toMatch(argon2id);
  });

  test('locks until the window ends after sixty wrong attempts from different addresses', async () => {
    const { id } = await verified('target@italk.test');
    const answers = [];
    for (let i = 0; i < 60; i++) {
      const headers = { 'x-forwarded-for': freshAddress() };
      answers.push(await signIn(production, 'target@italk.test', 'wrong-password', { headers }));
    }
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50);
    expect(await signIn(production, 'target@italk.test')).toMatchObject({
      status: 429,
      body: { code: 'rate_limited', reason: 'sign_in_locked' },
    });
    const failures = await entries('signed_in', id);
    expect(failures.filter(({ success }) => !success).length).toBeGreaterThanOrEqual(60);
    database.setNow('2026-03-02T12:15:01Z');
    expect((await signIn(production, 'target@italk.test')).status).toBe(200);
    database.setNow('2026-03-02T12:00:00Z');
  });

  test('counts parallel guesses', async () => {
    await verified('parallel@italk.test');
    const guesses = Array.from({ length: 30 }, () =>
      signIn(production, 'parallel@italk.test', 'wrong-password'),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  });

  test('blocks an IP address that guesses across accounts, despite forwarded headers', async () => {
    const statuses = [];
    for (let i = 0; i < 52; i++) {
      const headers = { 'x-forwarded-for': `203.0.113.${i}`, 'x-real-ip': `203.0.113.${i}` };
      const sent = { address: '198.51.100.7', headers };
      statuses.push((await signIn(production, `nobody${i}@italk.test`, 'wrong-password', sent)).status);
    }
    expect(statuses.slice(0, 50).every((status) => status === 401)).toBe(true);
    expect(statuses.slice(50)).toEqual([429, 429]);
  });

  test('doesn’t count correct attempts', async () => {
    await verified('often@italk.test');
    const statuses = [];
    for (let i = 0; i < 12; i++) {
      statuses.push(
        (await signIn(production, 'often@italk.test', password, { address: '198.51.100.8' })).status,
      );
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('answers alike for an unknown address, which no audit entry or limit stores in clear', async () => {
    await verified('known@italk.test');
    const unknown = await signIn(production, 'stranger@italk.test', 'wrong-password');
    const wrong = await signIn(production, 'known@italk.test', 'wrong-password');
    expect(unknown).toEqual(wrong);
    expect(unknown).toMatchObject({ status: 401, body: { reason: 'wrong_credentials' } });
    const all = await database.db.selectFrom('audit_entries').selectAll().orderBy('id').execute();
    const limits = await database.db.selectFrom('rate_limits').selectAll().execute();
    expect(JSON.stringify([all, limits])).not.toMatch(/stranger|known@/);
  });
});

describe('a password reset', () => {
  test('answers alike for unknown addresses, and emails only known ones', { tags: ['long'] }, async () => {
    const { id } = await verified('forgetful@italk.test');
    const before = events.length;
    const nobody = await send(production, '/request-password-reset', { email: 'nobody@italk.test' });
    expect(events).toHaveLength(before);
    const somebody = await send(production, '/request-password-reset', {
      email: 'forgetful@italk.test',
      next: '//evil.test/x',
    });
    expect(somebody).toEqual(nobody);
    expect(events.slice(before)).toEqual([
      { event: 'accounts.password_reset_requested', payload: { userId: id, next: '/home' } },
    ]);
    expect(await entries('password_reset_requested', id)).toHaveLength(1);
    for (const mails of [2, 3, 3]) {
      const { status } = await send(production, '/request-password-reset', { email: 'forgetful@italk.test' });
      expect([status, events.length - before]).toEqual([200, mails]);
    }
  });

  test('sets the password once, ends other sessions, signs in, and voids other links', async () => {
    const { id, cookie: old } = await verified('reset@italk.test');
    const token = await makeLinkToken(guest, 'reset-password', id);
    const other = await makeLinkToken(guest, 'reset-password', id);
    const stored = await database.db
      .selectFrom('verifications')
      .selectAll()
      .where('value', '=', id)
      .execute();
    expect(stored).toHaveLength(2);
    expect(JSON.stringify(stored)).not.toContain(token);
    for (const { identifier } of stored) {
      const used = await send(production, '/reset-password', { token: identifier, newPassword: password });
      expect(used.status).toBe(412);
    }

    expect(await send(production, '/check-reset-link', { token })).toMatchObject({
      status: 200,
      body: { signedIn: false, email: 'reset@italk.test' },
    });
    const done = await send(production, '/reset-password', { token, newPassword: 'a-new-quiet-room' });
    expect(done).toMatchObject({ status: 200, body: { signedIn: true } });
    expect(await actorOf(production, done.cookie)).toMatchObject({ kind: 'person', id });
    expect(await actorOf(production, old)).toEqual({ kind: 'guest' });
    // The first entry is from signing up.
    expect(await entries('password_set', id)).toMatchObject([{}, { category: 'security', success: true }]);
    for (const spent of [token, other]) {
      const checked = await send(production, '/check-reset-link', { token: spent });
      expect(checked).toMatchObject({ status: 412, body: { reason: 'link_expired' } });
      const again = await send(production, '/reset-password', { token: spent, newPassword: password });
      expect(again).toMatchObject({ status: 412, body: { reason: 'link_expired' } });
    }
    expect((await signIn(production, 'reset@italk.test')).status).toBe(401);
    expect((await signIn(production, 'reset@italk.test', 'a-new-quiet-room')).status).toBe(200);
  });

  test('leaves no session for a simultaneous sign-in with the old password', async () => {
    const { id } = await verified('racing@italk.test');
    const { hash } = await hashPassword('a-new-quiet-room');
    const [tried] = await transact(database.as({ kind: 'system' }), async (tx) => {
      await setPassword(tx, id, hash);
      const trying = signIn(production, 'racing@italk.test');
      // The password check passed; sign-in now waits for the account's lock.
      await expect.poll(() => blockedConnections(database.db)).toBe(1);
      return [trying] as const;
    });
    expect(await tried).toMatchObject({ status: 401, body: { reason: 'wrong_credentials' } });
    expect(await database.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual(
      [],
    );
  });

  test('expires after an hour', async () => {
    const { id } = await verified('late@italk.test');
    const token = await makeLinkToken(guest, 'reset-password', id);
    database.setNow('2026-03-02T13:00:00Z');
    const late = await send(production, '/reset-password', { token, newPassword: 'a-new-quiet-room' });
    database.setNow('2026-03-02T12:00:00Z');
    expect(late).toMatchObject({ status: 412, body: { reason: 'link_expired' } });
    expect((await signIn(production, 'late@italk.test')).status).toBe(200);
  });

  test('confirms the address too, since the link came by email', async () => {
    const id = await createAccount(database.as({ kind: 'system' }), {
      email: 'invited@italk.test',
      name: 'Ruth Amsel',
      role: 'client',
      emailVerified: false,
    });
    const token = await makeLinkToken(guest, 'reset-password', id);
    const done = await send(production, '/reset-password', { token, newPassword: 'a-new-quiet-room' });
    expect(done.body).toEqual({ signedIn: true });
    expect((await userOf('invited@italk.test'))!.email_verified).toBe(true);
  });
});
