import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import type { Ground } from '#/platform/context.ts';
import { openLog } from '#/platform/log.ts';
import { createDemoAccount, demoPassword } from '../demo.ts';
import { makeLinkToken } from '../commands.ts';
import { createIdentity, type Identity } from './commands.ts';

const appUrl = 'https://italk.test';
const password = 'a-quiet-room-42';
const database = await testDatabase({ poolSize: 4 });
const guest = database.as({ kind: 'guest' });
const events: { event: string; payload: unknown }[] = [];
const ground: Ground = {
  ...guest,
  emit: async (tx, event, payload, options) => {
    events.push({ event, payload });
    await guest.emit(tx, event, payload, options);
  },
};

function identityIn(mode: 'demo' | 'production', url = appUrl): Identity {
  const config = {
    mode,
    appUrl: url,
    authSecret: 'x'.repeat(40),
    adminEmails: ['chief@italk.test'],
    rateLimitFactor: 1,
  };
  return createIdentity({ ground, config, log: openLog('silent') });
}
const production = identityIn('production');
const demo = identityIn('demo', 'http://localhost:3000');

interface Sent {
  address?: string;
  cookie?: string;
  headers?: Record<string, string>;
  method?: string;
}

let addresses = 0;
/** An address of its own per call, so that limits of addresses stay out of what they aren't about. */
const freshAddress = () => `10.0.${Math.floor(++addresses / 250)}.${addresses % 250}`;

async function send(identity: Identity, path: string, body: unknown, sent: Sent = {}) {
  const method = sent.method ?? 'POST';
  const request = new Request(`${appUrl}/api/auth${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(sent.cookie ? { cookie: sent.cookie } : {}),
      ...sent.headers,
    },
    body: method === 'GET' ? null : JSON.stringify(body),
  });
  const response = await identity.handler(request, {
    address: sent.address ?? freshAddress(),
    requestId: 'test',
  });
  const cookies = response.headers.getSetCookie();
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    cookies,
    cookie: cookies[0]?.split(';')[0] ?? '',
  };
}

const signUp = (identity: Identity, email: string, more: object = {}, sent?: Sent) =>
  send(identity, '/sign-up/email', { name: 'Ruth Amsel', email, password, ...more }, sent);
const signIn = (identity: Identity, email: string, given = password, sent?: Sent) =>
  send(identity, '/sign-in/email', { email, password: given }, sent);
const actorOf = (identity: Identity, cookie: string) => identity.actorOf(new Headers({ cookie }));
const userOf = (email: string) =>
  database.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

/** Makes an account whose address is verified, as the mailed link does it. */
async function verified(email: string): Promise<{ id: string; cookie: string }> {
  const { cookie: proof } = await signUp(production, email);
  const { id } = (await userOf(email))!;
  const token = await makeLinkToken(guest, 'verify', id);
  const { cookie } = await send(production, '/verify-email', { token }, { cookie: proof });
  return { id, cookie };
}

const entries = (action: string, subject: string) =>
  database.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('action', '=', action)
    .where('subject_id', '=', subject)
    .orderBy('id')
    .execute();

beforeAll(() => database.setNow('2026-03-02T12:00:00Z'));

describe('signing up', () => {
  test('makes user, profile, credential, audit entry and event, and signs in once the link is followed', async () => {
    const answer = await signUp(production, '  Anna@Italk.Test ', { next: '/therapists?book=7' });
    expect(answer).toMatchObject({ status: 200, body: { signedIn: false } });
    expect(await actorOf(production, answer.cookie)).toEqual({ kind: 'guest' });
    const user = (await userOf('anna@italk.test'))!;
    expect(user).toMatchObject({ name: 'Ruth Amsel', email_verified: false });
    expect(user.id[14]).toBe('7');
    const profile = await database.db.selectFrom('profiles').selectAll().where('id', '=', user.id).execute();
    expect(profile).toMatchObject([{ role: 'client', full_name: 'Ruth Amsel', spiritual_tradition: 'SDA' }]);
    expect(await entries('account_created', user.id)).toHaveLength(1);
    expect(events.slice(-2)).toEqual([
      { event: 'accounts.created', payload: { userId: user.id } },
      { event: 'accounts.verification_requested', payload: { userId: user.id, next: '/therapists?book=7' } },
    ]);
    expect(await signIn(production, 'anna@italk.test')).toMatchObject({
      status: 403,
      body: { code: 'forbidden', reason: 'email_unverified' },
    });

    const token = await makeLinkToken(guest, 'verify', user.id);
    const followed = await send(production, '/verify-email', { token }, { cookie: answer.cookie });
    expect(followed).toMatchObject({ status: 200, body: { signedIn: true } });
    expect(await actorOf(production, followed.cookie)).toMatchObject({
      kind: 'person',
      id: user.id,
      role: 'client',
    });
    expect(await entries('address_verified', user.id)).toHaveLength(1);
    expect(await entries('signed_in', user.id)).toMatchObject([
      { actor_kind: 'guest', category: 'security', success: false },
      { actor_kind: 'person', actor_id: user.id, category: 'security', success: true },
    ]);
    expect(await send(production, '/verify-email', { token })).toMatchObject({
      status: 412,
      body: { reason: 'link_expired' },
    });
    expect(await signIn(production, 'anna@italk.test')).toMatchObject({
      status: 200,
      body: { signedIn: true },
    });
  });

  test('an address that is taken gets the same answer; its owner is told', async () => {
    const { id } = await verified('taken@italk.test');
    const before = events.length;
    const again = await signUp(production, 'taken@italk.test', { password: 'another-password' });
    const fresh = await signUp(production, 'free@italk.test');
    // The cookie is made of the address alone, whether or not there is an account.
    const withoutProof = ({ status, body, cookies }: typeof again) => ({
      status,
      body,
      cookies: cookies.map((cookie) => cookie.replace(/=[^;]*/, '')),
    });
    expect(withoutProof(again)).toEqual(withoutProof(fresh));
    expect(events[before]).toEqual({
      event: 'accounts.exists_notice',
      payload: { userId: id, next: '/home' },
    });
    expect((await signIn(production, 'taken@italk.test', 'another-password')).status).toBe(401);
  });

  test('two at once for one address answer alike and make one account', async () => {
    const answers = await Promise.all([
      signUp(production, 'twins@italk.test'),
      signUp(production, 'twins@italk.test'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const users = await database.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'twins@italk.test')
      .execute();
    expect(users).toHaveLength(1);
  });

  test('a role that is sent along is not taken', async () => {
    await signUp(production, 'climber@italk.test', { role: 'super_admin', emailVerified: true, id: 'x' });
    const user = (await userOf('climber@italk.test'))!;
    const profile = await database.db
      .selectFrom('profiles')
      .select('role')
      .where('id', '=', user.id)
      .execute();
    expect(profile).toEqual([{ role: 'client' }]);
    expect(user.email_verified).toBe(false);
  });

  test('nothing is stored when the audit entry or the event cannot be', async () => {
    const broken = createIdentity({
      ground: { ...ground, emit: () => Promise.reject(new Error('no queue')) },
      config: { mode: 'production', appUrl, authSecret: 'x'.repeat(40), adminEmails: [], rateLimitFactor: 1 },
      log: openLog('silent'),
    });
    const answer = await signUp(broken, 'half@italk.test');
    expect(answer).toMatchObject({ status: 500, body: { code: 'unexpected', data: {} } });
    expect(await userOf('half@italk.test')).toBeUndefined();
    const profiles = await database.db
      .selectFrom('profiles')
      .leftJoin('credentials', 'credentials.user_id', 'profiles.id')
      .where('credentials.id', 'is', null)
      .selectAll('profiles')
      .execute();
    expect(profiles).toEqual([]);
  });

  test('a link that another browser follows lets whoever has the mail choose the password, not whoever signed up', async () => {
    const email = 'somebody.else@italk.test';
    await signUp(production, email);
    const { id } = (await userOf(email))!;
    const token = await makeLinkToken(guest, 'verify', id);
    const { cookie: proofOfAnother } = await signUp(production, 'mine@italk.test');
    const followed = await send(production, '/verify-email', { token }, { cookie: proofOfAnother });
    expect(followed).toMatchObject({
      status: 200,
      body: { signedIn: false, resetToken: expect.stringMatching(/^[\w-]{32}$/) as string },
      cookies: [],
    });
    expect((await userOf(email))!.email_verified).toBe(false);
    const reset = { token: followed.body.resetToken, newPassword: 'my-own-choice-7' };
    expect(await send(production, '/reset-password', reset)).toMatchObject({ body: { signedIn: true } });
    expect((await userOf(email))!.email_verified).toBe(true);
    expect(await signIn(production, email)).toMatchObject({ status: 401 });
    expect(await signIn(production, email, 'my-own-choice-7')).toMatchObject({ body: { signedIn: true } });
  });

  test('a configured address becomes administrator when it is verified, and only then', async () => {
    const { cookie } = await signUp(production, 'chief@italk.test');
    const { id } = (await userOf('chief@italk.test'))!;
    const role = async () =>
      (await database.db.selectFrom('profiles').select('role').where('id', '=', id).executeTakeFirstOrThrow())
        .role;
    expect(await role()).toBe('client');
    await send(production, '/verify-email', { token: await makeLinkToken(guest, 'verify', id) }, { cookie });
    expect(await role()).toBe('super_admin');
    await database.db.updateTable('profiles').set({ role: 'client' }).where('id', '=', id).execute();
    await signIn(production, 'chief@italk.test');
    const token = await makeLinkToken(guest, 'reset-password', id);
    await send(production, '/reset-password', { token, newPassword: password });
    expect(await role()).toBe('client');
  });

  test('bad input names its field', async () => {
    const reasons = async (body: object) => {
      const answer = await send(production, '/sign-up/email', body);
      expect(answer.status).toBe(400);
      return answer.body.fields;
    };
    expect(await reasons({})).toEqual(
      ['name', 'email', 'password'].map((field) => ({ field, reason: 'required' })),
    );
    expect(await reasons({ name: ' ', email: 'x', password: 'longenough' })).toEqual([
      { field: 'name', reason: 'too_small' },
      { field: 'email', reason: 'bad_format' },
    ]);
    expect(await reasons({ name: 'a\r\nBcc: x', email: 'a@b.test', password: 'longenough' })).toEqual([
      { field: 'name', reason: 'bad_format' },
    ]);
    expect(
      (await send(production, '/sign-in/email', null, { headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(400);
  });
});

describe('the password', () => {
  test('is as long as the site setting says, at once after a change', async () => {
    const setting = (least: number) =>
      database.db.updateTable('site_settings').set({ password_min_length: least }).execute();
    expect(await signUp(production, 'short@italk.test', { password: 'seven77' })).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'password', reason: 'too_small' }], data: { least: 8 } },
    });
    await setting(6);
    expect((await signUp(production, 'short@italk.test', { password: 'seven77' })).status).toBe(200);
    await setting(8);
    const { id } = (await userOf('short@italk.test'))!;
    const token = await makeLinkToken(guest, 'reset-password', id);
    expect(await send(production, '/reset-password', { token, newPassword: 'seven77' })).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'newPassword', reason: 'too_small' }] },
    });
  });

  test('is stored as an Argon2id hash', async () => {
    const { id } = await verified('hash@italk.test');
    const stored = await database.db
      .selectFrom('credentials')
      .select('password')
      .where('user_id', '=', id)
      .execute();
    expect(stored[0]!.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  test('sixty wrong ones from as many addresses keep the right one out until the window ends', async () => {
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
      body: { code: 'rate_limited', reason: 'too_many_tries' },
    });
    const failures = await entries('signed_in', id);
    expect(failures.filter(({ success }) => !success).length).toBeGreaterThanOrEqual(60);
    database.setNow('2026-03-02T12:15:01Z');
    expect((await signIn(production, 'target@italk.test')).status).toBe(200);
    database.setNow('2026-03-02T12:00:00Z');
  });

  test('parallel guesses are counted too', async () => {
    await verified('parallel@italk.test');
    const guesses = Array.from({ length: 30 }, () =>
      signIn(production, 'parallel@italk.test', 'wrong-password'),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  });

  test('an address that guesses over many accounts is stopped, whatever it says it was forwarded for', async () => {
    const statuses = [];
    for (let i = 0; i < 52; i++) {
      const headers = { 'x-forwarded-for': `203.0.113.${i}`, 'x-real-ip': `203.0.113.${i}` };
      const sent = { address: '198.51.100.7', headers };
      statuses.push((await signIn(production, `nobody${i}@italk.test`, 'wrong-password', sent)).status);
    }
    expect(statuses.slice(0, 50).every((status) => status === 401)).toBe(true);
    expect(statuses.slice(50)).toEqual([429, 429]);
  });

  test('right ones are not counted', async () => {
    await verified('often@italk.test');
    const statuses = [];
    for (let i = 0; i < 12; i++) {
      statuses.push(
        (await signIn(production, 'often@italk.test', password, { address: '198.51.100.8' })).status,
      );
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('an unknown address answers like a wrong password, and stands in no audit entry and no limit in clear', async () => {
    await verified('known@italk.test');
    const unknown = await signIn(production, 'stranger@italk.test', 'wrong-password');
    const wrong = await signIn(production, 'known@italk.test', 'wrong-password');
    expect(unknown).toEqual(wrong);
    expect(unknown).toMatchObject({ status: 401, body: { reason: 'wrong_credentials' } });
    const all = await database.db.selectFrom('audit_entries').selectAll().execute();
    const limits = await database.db.selectFrom('rate_limits').selectAll().execute();
    expect(JSON.stringify([all, limits])).not.toMatch(/stranger|known@/);
  });
});

describe('the session', () => {
  test('has a signed cookie that scripts cannot read, and no token in clear in the database', async () => {
    const { cookie } = await verified('cookie@italk.test');
    const signed = await signIn(production, 'cookie@italk.test');
    expect(signed.cookies).toHaveLength(1);
    expect(signed.cookies[0]).toMatch(/^__Secure-italk\.session_token=/);
    expect(signed.cookies[0]).toMatch(/; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax/);
    const [name, value] = cookie.split('=') as [string, string];
    const token = decodeURIComponent(value).split('.')[0]!;
    const sessions = await database.db.selectFrom('sessions').selectAll().execute();
    expect(JSON.stringify(sessions)).not.toContain(token);
    expect(await actorOf(production, cookie)).toMatchObject({ kind: 'person' });
    for (const { token: stored } of sessions) {
      expect(await actorOf(production, `${name}=${stored}`)).toEqual({ kind: 'guest' });
      expect(await production.actorOf(new Headers({ authorization: `Bearer ${stored}` }))).toEqual({
        kind: 'guest',
      });
    }
    for (const forged of [token, `${token}.`, `${token}.${'A'.repeat(43)}=`, `${value}x%`, '%E0%A4%A']) {
      expect(await actorOf(production, `${name}=${forged}`)).toEqual({ kind: 'guest' });
    }
  });

  test('ends when it is idle for as long as the setting says, and after twelve hours of use', async () => {
    const { id } = await verified('idle@italk.test');
    const { cookie } = await signIn(production, 'idle@italk.test');
    const kindAt = async (time: string) => {
      database.setNow(time);
      return (await actorOf(production, cookie)).kind;
    };
    expect(await kindAt('2026-03-02T12:29:00Z')).toBe('person');
    expect(await kindAt('2026-03-02T12:58:00Z')).toBe('person');
    await database.db.updateTable('site_settings').set({ session_timeout: 5 }).execute();
    expect(await kindAt('2026-03-02T13:04:00Z')).toBe('guest');
    await database.db.updateTable('site_settings').set({ session_timeout: 1440 }).execute();
    expect(await kindAt('2026-03-02T23:59:00Z')).toBe('person');
    expect(await kindAt('2026-03-03T00:00:00Z')).toBe('guest');
    await database.db.updateTable('site_settings').set({ session_timeout: 30 }).execute();
    database.setNow('2026-03-03T00:01:00Z');
    await signIn(production, 'idle@italk.test');
    const left = await database.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute();
    expect(left).toHaveLength(1);
    database.setNow('2026-03-02T12:00:00Z');
  });

  test('ends at signing out, audited as that person', async () => {
    const { id, cookie } = await verified('leaver@italk.test');
    const left = await send(production, '/sign-out', {}, { cookie });
    expect(left).toMatchObject({ status: 200, body: { signedIn: false } });
    expect(left.cookies.every((one) => /Max-Age=0/.test(one))).toBe(true);
    expect(await actorOf(production, cookie)).toEqual({ kind: 'guest' });
    const [entry] = await entries('signed_out', id);
    expect(entry).toMatchObject({ actor_kind: 'person', actor_id: id, category: 'security', success: true });
    expect((await send(production, '/sign-out', {}, { cookie })).status).toBe(200);
  });
});

describe('the reset', () => {
  test('answers alike for an address that nobody has, and asks for a mail only where somebody has it', async () => {
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
    for (const expected of [200, 200, 429]) {
      const { status } = await send(production, '/request-password-reset', { email: 'forgetful@italk.test' });
      expect(status).toBe(expected);
    }
  });

  test('sets the password once, ends every other session, signs in, and makes other links void', async () => {
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

    const done = await send(production, '/reset-password', { token, newPassword: 'a-new-quiet-room' });
    expect(done).toMatchObject({ status: 200, body: { signedIn: true } });
    expect(await actorOf(production, done.cookie)).toMatchObject({ kind: 'person', id });
    expect(await actorOf(production, old)).toEqual({ kind: 'guest' });
    expect(await entries('password_set', id)).toMatchObject([{ category: 'security', success: true }]);
    for (const spent of [token, other]) {
      const again = await send(production, '/reset-password', { token: spent, newPassword: password });
      expect(again).toMatchObject({ status: 412, body: { reason: 'link_expired' } });
    }
    expect((await signIn(production, 'reset@italk.test')).status).toBe(401);
    expect((await signIn(production, 'reset@italk.test', 'a-new-quiet-room')).status).toBe(200);
  });

  test('is refused an hour later', async () => {
    const { id } = await verified('late@italk.test');
    const token = await makeLinkToken(guest, 'reset-password', id);
    database.setNow('2026-03-02T13:00:00Z');
    const late = await send(production, '/reset-password', { token, newPassword: 'a-new-quiet-room' });
    database.setNow('2026-03-02T12:00:00Z');
    expect(late).toMatchObject({ status: 412, body: { reason: 'link_expired' } });
    expect((await signIn(production, 'late@italk.test')).status).toBe(200);
  });

  test('verifies the address too, since who has the mail has the address', async () => {
    await signUp(production, 'unproven@italk.test');
    const { id } = (await userOf('unproven@italk.test'))!;
    const token = await makeLinkToken(guest, 'reset-password', id);
    const done = await send(production, '/reset-password', { token, newPassword: 'a-new-quiet-room' });
    expect(done.body).toEqual({ signedIn: true });
    expect((await userOf('unproven@italk.test'))!.email_verified).toBe(true);
  });
});

test('a new verification mail is asked for only where one is due, and answers alike', async () => {
  await verified('done@italk.test');
  await signUp(production, 'waiting@italk.test');
  const before = events.length;
  const answers = [];
  for (const email of ['done@italk.test', 'waiting@italk.test', 'nobody@italk.test']) {
    answers.push(await send(production, '/send-verification-email', { email }));
  }
  expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  expect(events.slice(before).map(({ event }) => event)).toEqual(['accounts.verification_requested']);
});

describe('in the demo', () => {
  test('signing up is verified and signed in at once', async () => {
    const answer = await signUp(demo, 'visitor@italk.test');
    expect(answer).toMatchObject({ status: 200, body: { signedIn: true } });
    expect(answer.cookies[0]).toMatch(/^italk\.session_token=(?!.*Secure)/);
    expect(await actorOf(demo, answer.cookie)).toMatchObject({ kind: 'person', role: 'client' });
    expect((await userOf('visitor@italk.test'))!.email_verified).toBe(true);
  });

  test('signing in with an unknown address creates that client, and the wrong password for it then fails', async () => {
    const answer = await signIn(demo, 'new.person@italk.test');
    expect(answer).toMatchObject({ status: 200, body: { signedIn: true } });
    expect((await userOf('new.person@italk.test'))!.name).toBe('New Person');
    expect((await signIn(demo, 'new.person@italk.test')).status).toBe(200);
    expect((await signIn(demo, 'new.person@italk.test', 'wrong-password')).status).toBe(401);
    expect(await signUp(demo, 'new.person@italk.test')).toMatchObject({
      status: 409,
      body: { reason: 'account_exists' },
    });
  });

  test('the administrator address has its role at once, and demo accounts sign in', async () => {
    const { cookie } = await signIn(demo, 'chief2@italk.test');
    expect(await actorOf(demo, cookie)).toMatchObject({ role: 'client' });
    const account = {
      email: 'pastor@italk.example',
      name: 'Pastor',
      role: 'pastor',
      timeZone: 'America/Denver',
    } as const;
    const id = await createDemoAccount(database.as({ kind: 'system' }), account);
    expect(await createDemoAccount(database.as({ kind: 'system' }), account)).toBe(id);
    const pastor = await signIn(demo, 'pastor@italk.example', demoPassword);
    expect(await actorOf(demo, pastor.cookie)).toMatchObject({ kind: 'person', id, role: 'pastor' });
  });
});

test('nothing else of the library is served', async () => {
  const { cookie } = await verified('curious@italk.test');
  const paths = [
    '/get-session',
    '/list-sessions',
    '/revoke-sessions',
    '/update-user',
    '/change-email',
    '/change-password',
  ];
  paths.push(
    '/delete-user',
    '/sign-in/social',
    '/list-accounts',
    '/ok',
    '/error',
    '/reset-password/abc',
    '/update-session',
  );
  paths.push('', '/', '/toString', '/../me');
  const served = [];
  for (const path of paths) {
    for (const method of ['GET', 'POST']) {
      const { status, cookies } = await send(production, path, {}, { cookie, method });
      if (status !== 404 || cookies.length > 0) served.push(`${method} ${path}`);
    }
  }
  expect(served).toEqual([]);
  expect((await send(production, '/sign-out', {}, { cookie, method: 'GET' })).status).toBe(404);
  expect(await actorOf(production, cookie)).toMatchObject({ kind: 'person' });
});
