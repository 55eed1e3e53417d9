import { beforeAll, describe, expect, test } from 'vitest';
import { openLog } from '#/platform/log.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { appUrl, identitiesOf, password } from '../../../../tests/support/identity.ts';
import { makeLinkToken } from '../commands.ts';
import { createDemoAccount, demoPassword } from '../demo.ts';
import { createIdentity } from './commands.ts';

const database = await testDatabase({ poolSize: 4 });
const {
  guest,
  base,
  events,
  production,
  demo,
  send,
  signUp,
  signIn,
  actorOf,
  userOf,
  linkOf,
  verified,
  entries,
} = identitiesOf(database);

beforeAll(() => database.setNow('2026-03-02T12:00:00Z'));

async function allAtOnce(attempt: () => Promise<{ status: number }>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: 50 }, attempt));
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}

const sessionsOf = (id: string) =>
  database.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute();

test('emails links with 192 random bits, never the same twice', async () => {
  const { id } = await verified('many.links@italk.test');
  const tokens = await Promise.all(
    Array.from({ length: 50 }, () => makeLinkToken(guest, 'reset-password', id)),
  );
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(24);
  expect(new Set(tokens).size).toBe(50);
});

describe('a link that fifty parallel tries follow', () => {
  test('sets one new password', async () => {
    const { id } = await verified('reset.at.once@italk.test');
    const token = await makeLinkToken(guest, 'reset-password', id);
    let tries = 0;
    const newPassword = () => `a-new-quiet-room-${(tries += 1)}`;
    const answers = await allAtOnce(() =>
      send(production, '/reset-password', { token, newPassword: newPassword() }),
    );
    expect(answers).toEqual([200, ...Array<number>(49).fill(412)]);
    expect(await entries('password_set', id)).toHaveLength(2);
    expect(await sessionsOf(id)).toHaveLength(1);
  });

  test('signs in once', async () => {
    const { id } = await verified('entered.at.once@italk.test');
    await database.db.deleteFrom('credentials').where('user_id', '=', id).execute();
    const before = (await sessionsOf(id)).length;
    const token = await makeLinkToken(guest, 'sign-in', id);
    const answers = await allAtOnce(() => send(production, '/sign-in/link', { token }));
    expect(answers).toEqual([200, ...Array<number>(49).fill(412)]);
    expect(await sessionsOf(id)).toHaveLength(before + 1);
  });
});

describe('signing up', () => {
  test('creates user, profile, credential, audit entry and event, and signs in via the link', async () => {
    const answer = await signUp(production, '  Anna@Italk.Test ', { next: '/therapists?book=7' });
    expect(answer).toMatchObject({ status: 200, body: { signedIn: false } });
    expect(await actorOf(production, answer.cookie)).toEqual({ kind: 'guest' });
    expect(await userOf('anna@italk.test')).toBeUndefined();
    const signUpId = (events.at(-1)!.payload as { signUpId: string }).signUpId;
    expect(events.at(-1)).toEqual({
      event: 'accounts.sign_up_requested',
      payload: { signUpId, next: '/therapists?book=7' },
    });
    expect(await entries('signed_up', signUpId)).toHaveLength(1);
    expect(await signIn(production, 'anna@italk.test', password, { cookie: answer.cookie })).toMatchObject({
      status: 403,
      body: { code: 'forbidden', reason: 'email_unverified' },
    });
    // Other browsers get the same response as for unknown addresses.
    expect(await signIn(production, 'anna@italk.test')).toMatchObject({
      status: 401,
      body: { reason: 'wrong_credentials' },
    });

    const token = await linkOf('anna@italk.test');
    const followed = await send(production, '/verify-email', { token }, { cookie: answer.cookie });
    expect(followed).toMatchObject({ status: 200, body: { signedIn: true } });
    const user = (await userOf('anna@italk.test'))!;
    expect(user).toMatchObject({ name: 'Ruth Amsel', email_verified: true });
    expect(user.id[14]).toBe('7');
    const profile = await database.db.selectFrom('profiles').selectAll().where('id', '=', user.id).execute();
    expect(profile).toMatchObject([{ role: 'client', full_name: 'Ruth Amsel' }]);
    expect(await entries('account_created', user.id)).toHaveLength(1);
    expect(events).toContainEqual({ event: 'accounts.created', payload: { userId: user.id } });
    expect(await actorOf(production, followed.cookie)).toMatchObject({
      kind: 'person',
      id: user.id,
      role: 'client',
    });
    expect(await entries('address_verified', user.id)).toHaveLength(1);
    expect(await entries('signed_in', user.id)).toMatchObject([
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

  test('answers alike for a taken address, and notifies its owner', async () => {
    const { id } = await verified('taken@italk.test');
    const before = events.length;
    const again = await signUp(production, 'taken@italk.test', { password: 'another-password' });
    const fresh = await signUp(production, 'free@italk.test');
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
    const cookies = [again.cookie, fresh.cookie];
    expect(await signIn(production, 'taken@italk.test', 'another-password', { cookie: cookies[0]! })).toEqual(
      await signIn(production, 'free@italk.test', password, { cookie: cookies[1]! }),
    );
  });

  test('answers alike for two at once, and two followed links make one account', async () => {
    const email = 'twins@italk.test';
    const answers = await Promise.all([signUp(production, email), signUp(production, email)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const tokens = [await linkOf(email), await linkOf(email)];
    const followed = await Promise.all(
      answers.map(({ cookie }, index) =>
        send(production, '/verify-email', { token: tokens[index] }, { cookie }),
      ),
    );
    expect(followed.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    const users = await database.db.selectFrom('users').select('id').where('email', '=', email).execute();
    expect(users).toHaveLength(1);
  });

  test('is confirmed once by fifty parallel tries of its link', async () => {
    const email = 'followed@italk.test';
    const { cookie } = await signUp(production, email);
    const token = await linkOf(email);
    const answers = await allAtOnce(() => send(production, '/verify-email', { token }, { cookie }));
    expect(answers).toEqual([200, ...Array<number>(49).fill(412)]);
    const { id } = (await userOf(email))!;
    expect(await sessionsOf(id)).toHaveLength(1);
  });

  test('ignores a submitted role', async () => {
    const { cookie } = await signUp(production, 'climber@italk.test', {
      role: 'super_admin',
      emailVerified: true,
      id: 'x',
    });
    expect(await userOf('climber@italk.test')).toBeUndefined();
    const { cookie: session } = await send(
      production,
      '/verify-email',
      { token: await linkOf('climber@italk.test') },
      { cookie },
    );
    expect(await actorOf(production, session)).toMatchObject({ role: 'client' });
  });

  test('stores nothing when the audit entry or the event fails', async () => {
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
    const answer = await signUp(broken, 'half@italk.test');
    expect(answer).toMatchObject({ status: 500, body: { code: 'unexpected', data: {} } });
    const kept = database.db.selectFrom('sign_ups').select('id').where('email', '=', 'half@italk.test');
    expect(await kept.execute()).toEqual([]);
  });

  test('makes a configured address administrator only once verified', async () => {
    const { id } = await verified('chief@italk.test');
    const role = async () =>
      (await database.db.selectFrom('profiles').select('role').where('id', '=', id).executeTakeFirstOrThrow())
        .role;
    expect(await role()).toBe('super_admin');
    await database.db.updateTable('profiles').set({ role: 'client' }).where('id', '=', id).execute();
    await signIn(production, 'chief@italk.test');
    const token = await makeLinkToken(guest, 'reset-password', id);
    await send(production, '/reset-password', { token, newPassword: password });
    expect(await role()).toBe('client');
  });

  test('gives the role at next sign-in to an address configured later, and drops it afterwards', async () => {
    const email = 'later@italk.test';
    const { id } = await verified(email);
    const configured = createIdentity({
      base,
      config: {
        mode: 'production',
        appUrl,
        authSecret: 'x'.repeat(40),
        adminEmails: [email],
        openIdProviders: [],
        samlProviders: [],
        sms: null,
        programRedirects: [],
        walletSignIn: false,
        rateLimitFactor: 1,
      },
      log: openLog('silent'),
    });
    const signedIn = await signIn(configured, email);
    expect(await actorOf(configured, signedIn.cookie)).toMatchObject({ id, role: 'super_admin' });
    expect(await actorOf(production, signedIn.cookie)).toMatchObject({ id, role: 'client' });
    expect(await entries('role_changed', id)).toMatchObject([
      { details: { role: 'client → super_admin', reason: 'admin_address' } },
    ]);
  });

  test('names the field of invalid input', async () => {
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

describe('the session', () => {
  test('has a signed HttpOnly cookie, and no clear token in the database', async () => {
    const { cookie } = await verified('cookie@italk.test');
    const signed = await signIn(production, 'cookie@italk.test');
    expect(signed.cookies).toHaveLength(2);
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

  test('ends when idle for the configured time, or after twelve hours', async () => {
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

  test.each(['doctor', 'super_admin'] as const)('of a %s ends after twelve hours of use', async (role) => {
    const email = `${role}.all.day@italk.test`;
    const { id } = await verified(email);
    await database.db.updateTable('profiles').set({ role }).where('id', '=', id).execute();
    const { cookie } = await signIn(production, email);
    const start = Temporal.Instant.from('2026-03-02T12:00:00Z');
    const kinds: string[] = [];
    for (let minutes = 0; minutes <= 12 * 60; minutes += 20) {
      database.setNow(start.add({ minutes }).toString());
      kinds.push((await actorOf(production, cookie)).kind);
    }
    expect(kinds).toEqual([...Array<string>(36).fill('person'), 'guest']);
    database.setNow(start.toString());
  });

  test('resists fixation: a cookie planted before ends, and signing in sets its own', async () => {
    const { id } = await verified('fixed@italk.test');
    const attacker = await verified('fixing@italk.test');
    const [name] = attacker.cookie.split('=');
    for (const planted of [attacker.cookie, `${name}=${'x'.repeat(32)}`, `${name}=`]) {
      const entered = await signIn(production, 'fixed@italk.test', password, { cookie: planted });
      expect(entered.cookie).not.toBe(planted);
      expect(await actorOf(production, entered.cookie)).toMatchObject({ kind: 'person', id });
      expect(await actorOf(production, planted)).toEqual({ kind: 'guest' });
    }
  });

  test('ends when its browser signs in again, audited', async () => {
    const { id, cookie } = await verified('again@italk.test');
    const again = await signIn(production, 'again@italk.test', password, { cookie });
    expect(again.status).toBe(200);
    expect(again.cookie).not.toBe(cookie);
    expect(await actorOf(production, again.cookie)).toMatchObject({ kind: 'person', id });
    expect(await actorOf(production, cookie)).toEqual({ kind: 'guest' });
    expect(await entries('signed_out', id)).toMatchObject([{ actor_id: id, success: true }]);
  });

  test('clears cached files at sign-out', async () => {
    const { cookie } = await verified('cached@italk.test');
    const left = await send(production, '/sign-out', {}, { cookie });
    expect(left.clears).toBe('"cache"');
  });

  test('ends at sign-out, audited as that person', async () => {
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

test(
  'resends the link to the browser that signed up, and answers alike to others',
  { tags: ['long'] },
  async () => {
    await verified('done@italk.test');
    const { cookie } = await signUp(production, 'waiting@italk.test');
    const { payload } = events.at(-1)!;
    const before = events.length;
    const answers = [];
    for (const email of ['done@italk.test', 'waiting@italk.test', 'nobody@italk.test']) {
      answers.push(await send(production, '/send-verification-email', { email }));
    }
    answers.push(
      await send(production, '/send-verification-email', { email: 'waiting@italk.test' }, { cookie }),
      await send(production, '/send-verification-email', { email: 'done@italk.test' }, { cookie }),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(events.slice(before)).toEqual([
      { event: 'accounts.sign_up_requested', payload: { ...(payload as object), next: '/home' } },
    ]);
  },
);

describe('in the demo', () => {
  test('signing up verifies and signs in immediately', async () => {
    const answer = await signUp(demo, 'visitor@italk.test');
    expect(answer).toMatchObject({ status: 200, body: { signedIn: true } });
    expect(answer.cookies[0]).toMatch(/^italk\.session_token=(?!.*Secure)/);
    expect(await actorOf(demo, answer.cookie)).toMatchObject({ kind: 'person', role: 'client' });
    const visitor = (await userOf('visitor@italk.test'))!;
    expect(visitor.email_verified).toBe(true);
    // The page says to check email, so the demo sends one too.
    expect(events.at(-1)).toEqual({ event: 'accounts.welcomed', payload: { userId: visitor.id } });
  });

  test('signing in with an unknown address creates that client, who then needs the right password', async () => {
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

  test('gives the administrator address its role, and signs in demo accounts', async () => {
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

test('exposes no other routes of the library', async () => {
  const { cookie } = await verified('curious@italk.test');
  const paths = ['/get-session', '/list-sessions', '/revoke-sessions', '/update-user', '/change-email'];
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
