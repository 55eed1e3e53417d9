import { beforeAll, describe, expect, test } from 'vitest';
import { createIdentity } from '../endpoints/commands.ts';
import { openLog } from '#/platform/log.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { appUrl, identitiesOf, password } from '../../../../tests/support/identity.ts';
import { hashOf } from '../../../../tests/support/passwords.ts';
import { createAccount, deleteExpired, makeLinkToken, setPassword } from '../commands.ts';
import { personOf } from '../queries.ts';

const database = await testDatabase({ poolSize: 4 });
const { guest, base, events, production, send, signUp, signIn, actorOf, userOf, linkOf, entries } =
  identitiesOf(database);
const { db } = database;
const system = database.as({ kind: 'system' });

beforeAll(() => database.setNow('2026-03-02T12:00:00Z'));

const theirs = 'the-stranger-knows-it-1';
const own = 'my-own-choice-7';
const follow = (token: string, cookie?: string) =>
  send(production, '/verify-email', { token }, cookie === undefined ? {} : { cookie });
const choose = (token: unknown, more: object = {}) =>
  send(production, '/reset-password', { token, newPassword: own, ...more });

describe('an address a stranger signed up with first', () => {
  test('belongs to its owner, with the password of the owner’s sign-up', async () => {
    const email = 'victim@italk.test';
    const stranger = await signUp(production, email, { name: 'A Stranger', password: theirs });
    const strangersLink = await linkOf(email);
    const owner = await signUp(production, email);
    const followed = await follow(await linkOf(email), owner.cookie);
    expect(followed.body).toEqual({ signedIn: true });
    expect((await userOf(email))!.name).toBe('Ruth Amsel');
    expect((await signIn(production, email)).body).toEqual({ signedIn: true });
    expect((await signIn(production, email, theirs)).status).toBe(401);
    // The stranger's password and link no longer work in any browser.
    expect((await follow(strangersLink, stranger.cookie)).status).toBe(412);
    const before = events.length;
    await send(production, '/send-verification-email', { email }, { cookie: stranger.cookie });
    expect(events).toHaveLength(before);
  });

  test('is confirmed for the owner’s sign-up by either link', async () => {
    const email = 'either@italk.test';
    await signUp(production, email, { password: theirs });
    const strangersLink = await linkOf(email);
    const owner = await signUp(production, email);
    expect((await follow(strangersLink, owner.cookie)).body).toEqual({ signedIn: true });
    expect((await signIn(production, email, theirs)).status).toBe(401);
    expect((await signIn(production, email)).status).toBe(200);
  });

  test('still belongs to its owner after many strangers’ sign-ups, by a link one of them caused', async () => {
    const email = 'crowded@italk.test';
    const before = events.length;
    for (let i = 0; i < 5; i++)
      expect((await signUp(production, email, { password: theirs })).status).toBe(200);
    const requested = events.slice(before);
    expect(requested.map(({ event }) => event)).toEqual(Array(3).fill('accounts.sign_up_requested'));
    const { signUpId } = requested.at(-1)!.payload as { signUpId: string };
    const mailed = await makeLinkToken(guest, 'verify', signUpId);
    const owner = await signUp(production, email);
    expect(owner.status).toBe(200);
    expect(events.slice(before)).toHaveLength(3);
    expect((await follow(mailed, owner.cookie)).body).toEqual({ signedIn: true });
    expect((await signIn(production, email)).status).toBe(200);
    expect((await signIn(production, email, theirs)).status).toBe(401);
  });

  test('stays unconfirmed when its owner follows an unrequested link', async () => {
    const email = 'surprised@italk.test';
    const stranger = await signUp(production, email, { name: 'A Stranger', password: theirs });
    const { cookie: proofOfAnother } = await signUp(production, 'mine@italk.test');
    const followed = await follow(await linkOf(email), proofOfAnother);
    expect(followed).toMatchObject({
      status: 200,
      body: { signedIn: false, asksName: true, resetToken: expect.stringMatching(/^[\w-]{32}$/) as string },
      cookies: [],
    });
    expect(await userOf(email)).toBeUndefined();
    expect((await signIn(production, email, theirs, { cookie: stranger.cookie })).body).toMatchObject({
      reason: 'email_unverified',
    });

    const chosen = await choose(followed.body.resetToken, { name: 'Naomi Weiss' });
    expect(chosen.body).toEqual({ signedIn: true });
    expect(await userOf(email)).toMatchObject({ name: 'Naomi Weiss', email_verified: true });
    expect((await signIn(production, email, theirs)).status).toBe(401);
    expect((await signIn(production, email, own)).status).toBe(200);
    expect((await choose(followed.body.resetToken)).status).toBe(412);
  });

  test('can’t become an administrator with a stranger’s password', async () => {
    const email = 'chief@italk.test';
    await signUp(production, email, { password: theirs });
    const owner = await signUp(production, email);
    const { cookie } = await follow(await linkOf(email), owner.cookie);
    expect(await actorOf(production, cookie)).toMatchObject({ role: 'super_admin' });
    expect((await signIn(production, email, theirs)).status).toBe(401);
  });
});

describe('with a second step required for everyone', () => {
  const demand = async (required: boolean) => {
    await db.updateTable('site_settings').set({ require_two_factor: required }).execute();
    await db
      .updateTable('feature_flags')
      .set({ enabled: required, scope: 'global' })
      .where('id', '=', 'two_factor_authentication')
      .execute();
  };

  test('confirms nothing on an unrequested link, and lets no stranger set up a factor', async () => {
    await demand(true);
    try {
      const email = 'one.click@italk.test';
      const stranger = await signUp(production, email, { password: theirs });
      const followed = await follow(await linkOf(email));
      expect(followed.body).toMatchObject({ signedIn: false, asksName: true });
      expect(await userOf(email)).toBeUndefined();
      const tried = await signIn(production, email, theirs, { cookie: stranger.cookie });
      expect(tried.body).toMatchObject({ reason: 'email_unverified' });
      expect(tried.body).not.toHaveProperty('secondStep');

      expect((await choose(followed.body.resetToken)).body).toEqual({ signedIn: false });
      expect((await signIn(production, email, theirs)).status).toBe(401);
      expect((await signIn(production, email, own)).body).toMatchObject({
        secondStep: { setUp: { secret: expect.any(String) as string } },
      });
    } finally {
      await demand(false);
    }
  });

  test('confirms the address and signs in with two steps in the browser that signed up', async () => {
    await demand(true);
    try {
      const email = 'two.steps@italk.test';
      const { cookie } = await signUp(production, email);
      expect(await follow(await linkOf(email), cookie)).toMatchObject({
        body: { signedIn: false },
        cookies: [],
      });
      expect((await userOf(email))!.email_verified).toBe(true);
      expect((await signIn(production, email)).body).toHaveProperty('secondStep');
    } finally {
      await demand(false);
    }
  });

  test('restarts a factor begun with another password', async () => {
    await demand(true);
    try {
      const email = 'begun@italk.test';
      const { cookie } = await signUp(production, email);
      await follow(await linkOf(email), cookie);
      const secretOf = async (given: string) =>
        (await signIn(production, email, given)).body.secondStep as { setUp: { secret: string } };
      const begun = await secretOf(password);
      const { id } = (await userOf(email))!;
      await choose(await makeLinkToken(guest, 'reset-password', id));
      expect((await secretOf(own)).setUp.secret).not.toBe(begun.setUp.secret);
    } finally {
      await demand(false);
    }
  });
});

describe('an existing account', () => {
  const account = (email: string, emailVerified: boolean) =>
    createAccount(system, { email, name: 'Miriam Stone', role: 'client', emailVerified });

  test('goes to its owner’s sign-up if it has no password: after a guest booking or invitation', async () => {
    for (const [email, emailVerified, name] of [
      ['booked@italk.test', true, 'Miriam Stone'],
      ['invited@italk.test', false, 'Ruth Amsel'],
    ] as const) {
      const id = await account(email, emailVerified);
      await signUp(production, email, { password: theirs });
      const owner = await signUp(production, email);
      const { cookie } = await follow(await linkOf(email), owner.cookie);
      expect(await actorOf(production, cookie)).toMatchObject({ id });
      expect(await personOf(guest, id)).toMatchObject({ fullName: name, emailVerified: true });
      expect((await signIn(production, email)).status).toBe(200);
      expect((await signIn(production, email, theirs)).status).toBe(401);
    }
  });

  test('gets no password while its account is suspended', async () => {
    const email = 'suspended@italk.test';
    const id = await createAccount(system, { email, name: 'Ruth', role: 'client', emailVerified: true });
    await db.updateTable('profiles').set({ suspended_at: new Date() }).where('id', '=', id).execute();
    const { cookie } = await signUp(production, email);
    const link = await linkOf(email);
    const refused = { status: 403, body: { reason: 'account_suspended' } };
    expect(await follow(link, cookie)).toMatchObject(refused);
    const { resetToken } = (await follow(link)).body;
    expect(await choose(resetToken)).toMatchObject(refused);
    expect(await entries('password_set', id)).toEqual([]);
  });

  test('keeps its password, and rejects links from before it was set', async () => {
    const email = 'meanwhile@italk.test';
    const { cookie } = await signUp(production, email);
    const link = await linkOf(email);
    const id = await account(email, true);
    await transact(system, async (tx) => setPassword(tx, id, await hashOf(own)));
    expect((await follow(link, cookie)).status).toBe(412);
    expect((await signIn(production, email, own)).status).toBe(200);
    expect((await signIn(production, email)).status).toBe(401);
  });

  test('with an administrator-changed address is confirmed only by choosing a password', async () => {
    const email = 'changed@italk.test';
    const id = await account(email, false);
    await transact(system, async (tx) => setPassword(tx, id, await hashOf(theirs)));
    const followed = await follow(await makeLinkToken(guest, 'verify', id));
    expect(followed.body).toEqual({ signedIn: false, resetToken: expect.any(String) as string });
    expect((await userOf(email))!.email_verified).toBe(false);
    await choose(followed.body.resetToken);
    expect((await signIn(production, email, theirs)).status).toBe(401);
    expect((await signIn(production, email, own)).status).toBe(200);
  });
});

describe('a sign-up', () => {
  test('is stored hashed for eight days, with a link valid for one', async () => {
    const email = 'slow@italk.test';
    const { cookie, cookies } = await signUp(production, email);
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Secure-italk\.sign_up=[\w-]{32}; Max-Age=604800; Path=\/api\/auth; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    const stored = await db.selectFrom('sign_ups').selectAll().where('email', '=', email).execute();
    expect(JSON.stringify(stored)).not.toContain(cookie.split('=')[1]);
    expect(JSON.stringify(stored)).not.toContain(password);
    const link = await linkOf(email);
    database.setNow('2026-03-03T12:00:00Z');
    expect((await follow(link, cookie)).status).toBe(412);
    const late = await linkOf(email);
    database.setNow('2026-03-10T12:00:00Z');
    expect((await follow(late, cookie)).status).toBe(412);
    await deleteExpired(database.as({ kind: 'job', name: 'tidy' }));
    const left = await db.selectFrom('sign_ups').select('id').where('email', '=', email).execute();
    expect(left).toEqual([]);
    database.setNow('2026-03-02T12:00:00Z');
  });

  test('creates neither account nor password when the audit entry or the event fails', async () => {
    const email = 'broken@italk.test';
    const { cookie } = await signUp(production, email);
    const token = await linkOf(email);
    const broken = createIdentity({
      base: { ...base, emit: () => Promise.reject(new Error('no queue')) },
      config: {
        mode: 'production',
        appUrl,
        authSecret: 'x'.repeat(40),
        adminEmails: [],
        openIdProviders: [],
        samlProviders: [],
        sms: null,
        programRedirects: [],
        walletSignIn: false,
        rateLimitFactor: 1,
      },
      log: openLog('silent'),
    });
    expect((await send(broken, '/verify-email', { token }, { cookie })).status).toBe(500);
    expect(await userOf(email)).toBeUndefined();
    expect((await follow(token, cookie)).body).toEqual({ signedIn: true });
    expect(await entries('password_set', (await userOf(email))!.id)).toHaveLength(1);
  });
});
