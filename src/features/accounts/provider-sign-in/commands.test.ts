import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { identitiesOf, password } from '../../../../tests/support/identity.ts';
import { openTestProvider, type Answered } from '../../../../tests/support/openid.ts';
import { freshSession, type Person } from '../../../../tests/support/people.ts';
import { changeAddress } from '../address-change/commands.ts';
import { createAccount, makeLinkToken, requireFresh } from '../commands.ts';
import { accountsPersonal } from '../personal.ts';
import { beginSecondFactor, confirmSecondFactor } from '../second-factor/commands.ts';

const church = await openTestProvider();
const staff = await openTestProvider({ id: 'staff', label: 'Staff', domains: ['grace.test'] });
afterAll(() => Promise.all([church.close(), staff.close()]));

const database = await testDatabase({ poolSize: 8 });
const { db, as, runJobs, readMails, setNow } = database;
const { guest, production, send, signIn, signUp, linkOf, actorOf, verified, userOf, entries, freshAddress } =
  identitiesOf(database, { openIdProviders: [church.config, staff.config] });
const system = as({ kind: 'system' });

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  church.fails.token = undefined;
  await db.updateTable('site_settings').set({ require_two_factor: false }).execute();
  await db
    .updateTable('feature_flags')
    .set({ enabled: true, scope: 'global' })
    .where('id', '=', 'two_factor_authentication')
    .execute();
});

let people = 0;
const newAddress = () => `by.provider.${(people += 1)}@grace.test`;
const newPerson = () => ({ email: newAddress(), subject: `subject-${people}` });

async function asked({ provider = 'church', cookie = '', next = '/about' } = {}) {
  const answer = await send(production, '/request-provider', { provider, next }, { cookie });
  return { ...answer, continueAt: answer.body.continueAt as string };
}

const come = (answer: string, cookie: string, more: object = {}) =>
  send(production, '/sign-in/provider', { provider: 'church', answer, ...more }, { cookie });

/** The whole way: asks, visits the provider, and comes back. */
async function through(answered: Answered, { provider = 'church' } = {}) {
  const { continueAt, cookie } = await asked({ provider });
  const visited = (provider === 'church' ? church : staff).visit(continueAt, answered);
  return come(visited, cookie, { provider });
}

const expired = { status: 412, body: { reason: 'provider_expired' }, cookies: [] };
const refused = { status: 401, body: { reason: 'provider_refused' }, cookies: [] };
const exists = { status: 409, body: { reason: 'provider_account_exists' }, cookies: [] };

describe('a provider', () => {
  test('is asked with PKCE, state and nonce, bound to the browser by a cookie', async () => {
    const answer = await asked();
    const { origin, searchParams } = new URL(answer.continueAt);
    expect(origin).toBe(church.config.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'italk',
      redirect_uri: 'https://italk.test/continue/church',
      response_type: 'code',
      scope: 'openid email profile',
      state: expect.stringMatching(/^sign_in\.[\w-]{32}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    });
    expect(answer.cookies).toEqual([
      expect.stringMatching(
        /^__Secure-italk\.provider\.[\w-]{12}=[\w-]{32}; Max-Age=600; Path=\/api\/auth; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    const stored = JSON.stringify(await db.selectFrom('openid_requests').selectAll().execute());
    for (const name of ['state', 'nonce']) expect(stored).not.toContain(searchParams.get(name));
    expect(stored).not.toContain(answer.cookie.split('=')[1]);
  });

  test('creates an account for a verified address, with its name, as a client', async () => {
    const { email, subject } = newPerson();
    const claims = { role: 'super_admin', roles: ['admin'] };
    const entered = await through({ email: email.toUpperCase(), subject, name: 'Naomi Weiss', claims });
    expect(entered).toMatchObject({ status: 200, body: { signedIn: true, next: '/about', isNew: true } });
    const user = (await userOf(email))!;
    expect(user).toMatchObject({ name: 'Naomi Weiss', email_verified: true });
    expect(await actorOf(production, entered.cookie)).toMatchObject({ id: user.id, role: 'client' });
    for (const action of ['account_created', 'identity_connected', 'signed_in'])
      expect(await entries(action, user.id), action).toHaveLength(1);
    expect(entered.cookies.at(-1)).toMatch(/^__Secure-italk\.provider\.[\w-]{12}=; Max-Age=0;/);
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', email));
    expect(mails.map(({ kind }) => kind)).toEqual(['welcome']);
  });

  test('signs in to the same account again, even with another address, and emails about the new device', async () => {
    const { email, subject } = newPerson();
    await through({ email, subject });
    const moved = newAddress();
    const entered = await through({ email: moved, subject, emailVerified: false });
    expect(entered.body).toEqual({ signedIn: true, next: '/about' });
    const { id } = (await userOf(email))!;
    expect(await actorOf(production, entered.cookie)).toMatchObject({ id });
    expect(await userOf(moved)).toBeUndefined();
    const [linked] = await db.selectFrom('linked_identities').selectAll().where('user_id', '=', id).execute();
    expect(linked).toMatchObject({ email: moved, used_at: new Date('2026-03-02T12:00:00Z') });
    const session = await db.selectFrom('sessions').select('identity_id').where('user_id', '=', id).execute();
    expect(session.map(({ identity_id }) => identity_id)).toEqual([linked!.id, linked!.id]);
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', email));
    expect(mails.map(({ text_body }) => text_body).join()).toContain('signed in to from a new device');
  });

  test('may leave the address to its userinfo endpoint, and names to the address', async () => {
    const { email, subject } = newPerson();
    const entered = await through({ email, subject, byUserInfo: true, name: '\u0000' });
    expect(entered.body).toMatchObject({ signedIn: true });
    expect((await userOf(email))!.name).toMatch(/^By Provider \d+$/);
  });

  test('doesn’t count as confirming identity', async () => {
    const entered = await through(newPerson());
    await expect(requireFresh(as(await actorOf(production, entered.cookie)))).rejects.toMatchObject({
      reason: 'reauthentication_required',
    });
  });

  test('is asked for its metadata and keys once', async () => {
    await through(newPerson());
    const before = { ...church.asked };
    await through(newPerson());
    expect(church.asked).toEqual({ ...before, token: before.token + 1 });
  });

  test('works in tabs side by side', async () => {
    const first = await asked();
    const second = await asked({ cookie: first.cookie });
    const both = `${first.cookie}; ${second.cookie}`;
    const [one, other] = [first, second].map(({ continueAt }) => church.visit(continueAt, newPerson()));
    expect((await come(one!, both)).status).toBe(200);
    expect((await come(other!, both)).status).toBe(200);
  });

  test('never binds a request to a cookie that the browser had before', async () => {
    const [name, planted] = (await asked()).cookie.split('=') as [string, string];
    const begun = await asked({ cookie: `__Secure-italk.provider=${planted}; ${name}=${planted}` });
    const theirs = begun.cookie.split('=')[0]!;
    const answer = church.visit(begun.continueAt, newPerson());
    expect(begun.cookie).not.toContain(planted);
    expect(await come(answer, `__Secure-italk.provider=${planted}; ${theirs}=${planted}`)).toMatchObject(
      expired,
    );
    expect((await come(answer, begun.cookie)).status).toBe(200);
  });

  test.each([
    ['//evil.test', '/home'],
    ['https://evil.test/', '/home'],
    ['/\\evil.test', '/home'],
    ['/\t/evil.test', '/home'],
    ['/growth?tab=goals', '/growth?tab=goals'],
  ])('returns to %s as %s', async (next, to) => {
    const { continueAt, cookie } = await asked({ next });
    const entered = await come(church.visit(continueAt, newPerson()), cookie);
    expect(entered.body).toMatchObject({ signedIn: true, next: to });
  });

  test('returns not_found for a provider that isn’t configured', async () => {
    for (const provider of ['unknown', '__proto__', ''])
      expect((await asked({ provider })).status).not.toBe(200);
    const { continueAt, cookie } = await asked();
    expect(await come(church.visit(continueAt), cookie, { provider: 'unknown' })).toMatchObject({
      status: 404,
      body: { reason: 'provider' },
    });
  });

  test('names the provider when it refuses or the person cancels', async () => {
    const told = { label: 'Grace Church', next: '/about' };
    for (const [error, status, reason, data] of [
      ['access_denied', 412, 'provider_canceled', told],
      ['invalid_scope', 401, 'provider_refused', told],
      ['temporarily_unavailable', 503, 'provider_down', {}],
    ] as const) {
      const { continueAt, cookie } = await asked();
      const answer = church.visit(continueAt, { query: { code: null, error } });
      expect(await come(answer, cookie), error).toMatchObject({ status, body: { reason, data } });
    }
  });

  test.each<[string, () => { status: number; body: string; location?: string }]>([
    ['fails', () => ({ status: 502, body: 'no' })],
    ['refuses our secret', () => ({ status: 401, body: '{"error":"invalid_client"}' })],
    ['answers with too much', () => ({ status: 200, body: `"${'x'.repeat(300_000)}"` })],
  ])('that %s is unavailable', async (_, answer) => {
    church.fails.token = answer;
    const { continueAt, cookie } = await asked();
    expect(await come(church.visit(continueAt), cookie)).toMatchObject({
      status: 503,
      body: { reason: 'provider_down' },
      cookies: [],
    });
  });

  test('can’t redirect our request elsewhere', async () => {
    const elsewhere = await openTestProvider();
    church.fails.token = () => ({ status: 307, body: '', location: `${elsewhere.config.issuer}/token` });
    const { continueAt, cookie } = await asked();
    expect(await come(church.visit(continueAt), cookie)).toMatchObject(refused);
    expect(elsewhere.asked.token).toBe(0);
    await elsewhere.close();
  });

  test('reports an unreachable provider as unavailable, and asks it again later', async () => {
    const away = await openTestProvider();
    await away.close();
    const { production: identity } = identitiesOf(database, { openIdProviders: [away.config] });
    const answer = await send(identity, '/request-provider', { provider: 'church' });
    expect(answer).toMatchObject({ status: 503, body: { reason: 'provider_down' } });
  });

  test('sends nobody to a provider whose metadata name another issuer', async () => {
    const lying = await openTestProvider();
    lying.fails.metadata = { issuer: church.config.issuer };
    const { production: identity } = identitiesOf(database, { openIdProviders: [lying.config] });
    const answer = await send(identity, '/request-provider', { provider: 'church' });
    expect(answer).toMatchObject({ status: 503, body: { reason: 'provider_down' } });
    await lying.close();
  });

  test('without TLS on another machine, or with endpoints without it, gets no request', async () => {
    const lying = await openTestProvider();
    lying.fails.metadata = { token_endpoint: 'http://192.0.2.1/token' };
    const { production: identity } = identitiesOf(database, { openIdProviders: [lying.config] });
    const begun = await send(identity, '/request-provider', { provider: 'church' });
    const answer = lying.visit(begun.body.continueAt as string);
    const came = await send(
      identity,
      '/sign-in/provider',
      { provider: 'church', answer },
      { cookie: begun.cookie },
    );
    expect(came).toMatchObject({ status: 503, body: { reason: 'provider_down' } });
    await lying.close();
  });
});

describe('a stranger', () => {
  test('can’t use an answer twice, in another browser, late, or for another provider', async () => {
    const { continueAt, cookie } = await asked();
    const other = await asked();
    const answer = church.visit(continueAt, newPerson());
    const [name] = cookie.split('=');
    const [, secret] = other.cookie.split('=');
    for (const jar of ['', other.cookie, `${cookie}x`, `${name}=`, `${name}=${secret}`])
      expect(await come(answer, jar), jar).toMatchObject(expired);
    expect(await come(answer, cookie, { provider: 'staff' })).toMatchObject(expired);
    expect((await come(answer, cookie)).status).toBe(200);
    expect(await come(answer, cookie)).toMatchObject(expired);
    const late = await asked();
    const visited = church.visit(late.continueAt, newPerson());
    setNow('2026-03-02T12:10:00Z');
    expect(await come(visited, late.cookie)).toMatchObject(expired);
  });

  test('wins one session with fifty parallel tries', async () => {
    const { email, subject } = newPerson();
    await through({ email, subject });
    const { continueAt, cookie } = await asked();
    const answer = church.visit(continueAt, { email, subject });
    const answers = await Promise.all(Array.from({ length: 50 }, () => come(answer, cookie)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const one of answers.filter(({ status }) => status !== 200)) expect(one).toMatchObject(expired);
    const { id } = (await userOf(email))!;
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toHaveLength(2);
  });

  test('creates one account with parallel answers for one person', async () => {
    const { email, subject } = newPerson();
    const tries = await Promise.all(Array.from({ length: 10 }, () => through({ email, subject })));
    expect(tries.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(tries.filter(({ body }) => body.isNew)).toHaveLength(1);
  });

  test('can’t put their own code into another’s browser', async () => {
    const victim = await asked();
    const stranger = await asked();
    const theirs = new URLSearchParams(church.visit(stranger.continueAt, newPerson()));
    expect(await come(`?${theirs.toString()}`, victim.cookie)).toMatchObject(expired);
    theirs.set('state', new URL(victim.continueAt).searchParams.get('state')!);
    // The code was for another nonce and PKCE verifier.
    expect(await come(`?${theirs.toString()}`, victim.cookie)).toMatchObject(refused);
  });

  const now = () => Math.floor(Date.now() / 1000);
  test.each<[string, () => Answered]>([
    ['no signature', () => ({ signed: 'none' })],
    ['the public key as a shared secret', () => ({ signed: 'public' })],
    ['another key', () => ({ signed: 'other' })],
    ['another nonce', () => ({ claims: { nonce: 'another' } })],
    ['no nonce', () => ({ claims: { nonce: undefined } })],
    ['a foreign issuer', () => ({ claims: { iss: 'https://evil.test' } })],
    ['the other provider as issuer', () => ({ claims: { iss: staff.config.issuer } })],
    ['a foreign audience', () => ({ claims: { aud: 'another-site' } })],
    ['many audiences and no party', () => ({ claims: { aud: ['italk', 'another-site'] } })],
    ['an expired token', () => ({ claims: { exp: now() - 120 } })],
    ['no expiry', () => ({ claims: { exp: undefined } })],
    ['a token from the future', () => ({ claims: { nbf: now() + 3_600 } })],
    ['no subject', () => ({ claims: { sub: undefined } })],
    ['an empty subject', () => ({ claims: { sub: '' } })],
    ['a subject that the database can’t store', () => ({ claims: { sub: 'a\u0000b' } })],
    ['a subject that UTF-8 can’t tell from others', () => ({ claims: { sub: '\ud800' } })],
    ['a subject longer than the specification’s', () => ({ claims: { sub: 'x'.repeat(256) } })],
    ['no issuer in the query', () => ({ query: { iss: null } })],
    ['another issuer in the query', () => ({ query: { iss: staff.config.issuer } })],
    ['an invented code', () => ({ query: { code: 'invented' } })],
    ['no code', () => ({ query: { code: null } })],
  ])('is refused with %s, which uses the request up', async (_, answered) => {
    const { email, subject } = newPerson();
    const { continueAt, cookie } = await asked();
    expect(await come(church.visit(continueAt, { email, subject, ...answered() }), cookie)).toMatchObject(
      refused,
    );
    expect(await come(church.visit(continueAt, { email, subject }), cookie)).toMatchObject(expired);
    expect(await userOf(email)).toBeUndefined();
  });

  test('is refused with a state given twice', async () => {
    const { continueAt, cookie } = await asked();
    const answer = church.visit(continueAt, newPerson());
    expect(await come(`${answer}&state=another`, cookie)).toMatchObject(refused);
  });

  test('has fifty wrong tries per network', async () => {
    const address = freshAddress();
    const statuses: number[] = [];
    for (let time = 0; time < 52; time += 1) {
      const input = { provider: 'church', answer: '?state=invented' };
      statuses.push((await send(production, '/sign-in/provider', input, { address })).status);
    }
    expect(statuses.filter((status) => status !== 429)).toHaveLength(50);
  });
});

describe('an address', () => {
  test.each([false, undefined, 'true', 1])(
    'that is verified as %s makes no account',
    async (emailVerified) => {
      const { email, subject } = newPerson();
      const claims = emailVerified === undefined ? { email_verified: undefined } : {};
      expect(await through({ email, subject, emailVerified, claims })).toMatchObject({
        status: 403,
        body: { reason: 'provider_address_unverified', data: { label: 'Grace Church', next: '/about' } },
        cookies: [],
      });
      expect(await userOf(email)).toBeUndefined();
    },
  );

  test.each([null, 'not-an-address', 'a@b.test\r\nBcc: c@d.test', 'placeholder@unclaimed.invalid'])(
    '%j makes no account',
    async (email) => {
      expect((await through({ email })).body).toMatchObject({ reason: 'provider_address_unverified' });
    },
  );

  test('and providers’ answers are deleted with the person', async () => {
    const [linked, other] = [newPerson(), newPerson()];
    await through(linked);
    const { id } = (await userOf(linked.email))!;
    await db.deleteFrom('openid_requests').execute();
    await db.updateTable('site_settings').set({ require_two_factor: true }).execute();
    const { email, subject } = linked;
    for (const said of [linked, { subject, email: null }, { ...newPerson(), email }, other])
      await through(said);
    const waiting = () =>
      db.selectFrom('openid_requests').select('email').where('subject', 'is not', null).execute();
    expect(await waiting()).toHaveLength(4);
    await transact(system, (tx) => accountsPersonal.erase(tx, id));
    expect(await waiting()).toEqual([{ email: other.email }]);
  });

  test('of an account is never linked by the provider', async () => {
    const { id, email } = await withPassword();
    const before = await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute();
    expect(await through({ email })).toMatchObject(exists);
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual(before);
    expect(await db.selectFrom('linked_identities').selectAll().where('user_id', '=', id).execute()).toEqual(
      [],
    );
    const guestEmail = newAddress();
    await createAccount(system, { email: guestEmail, name: 'Ruth', role: 'client', emailVerified: true });
    const invited = newAddress();
    await createAccount(system, { email: invited, name: 'Ruth', role: 'doctor', emailVerified: false });
    for (const held of [guestEmail, invited]) expect(await through({ email: held })).toMatchObject(exists);
    expect((await userOf(invited))!.email_verified).toBe(false);
  });

  test('of an administrator makes no account and grants no role', async () => {
    expect(await through({ email: 'chief@italk.test' })).toMatchObject({
      status: 403,
      body: { reason: 'provider_password_first' },
    });
    expect(await userOf('chief@italk.test')).toBeUndefined();
  });

  test('creates no account for a former address while the change can be undone', async () => {
    const { id, email } = await withPassword();
    await transact(system, (tx) => changeAddress(tx, { userId: id, to: newAddress() }));
    expect((await through({ email })).body).toMatchObject({ reason: 'address_changed' });
  });

  test('is only accepted with its domain where the provider has some', async () => {
    const { email, subject } = newPerson();
    const domain = { status: 403, body: { reason: 'provider_domain' }, cookies: [] };
    for (const wrong of ['ruth@gmail.test', 'ruth@evil-grace.test', 'ruth@grace.test.evil.test'])
      expect(await through({ email: wrong, subject }, { provider: 'staff' })).toMatchObject(domain);
    expect(await through({ email, subject, emailVerified: false }, { provider: 'staff' })).toMatchObject(
      domain,
    );
    expect((await through({ email, subject }, { provider: 'staff' })).status).toBe(200);
    // Someone who left keeps no way in.
    expect(await through({ email: 'ruth@gmail.test', subject }, { provider: 'staff' })).toMatchObject(domain);
  });
});

async function withPassword() {
  const email = newAddress();
  const { id, cookie } = await verified(email);
  return { id, email, person: (await actorOf(production, cookie)) as Person };
}

/** An account that a provider made, and what it answers for it. */
async function withIdentity() {
  const answered = newPerson();
  const entered = await through(answered);
  const { id } = (await userOf(answered.email))!;
  return { id, answered, person: (await actorOf(production, entered.cookie)) as Person };
}

describe('a stranger’s earlier sign-up', () => {
  const theirs = 'the-stranger-knows-it-1';

  test('never gets its password onto the account that the provider makes', async () => {
    const { email, subject } = newPerson();
    const stranger = await signUp(production, email, { name: 'A Stranger', password: theirs });
    const entered = await through({ email, subject, name: 'Naomi Weiss' });
    expect(entered.body).toMatchObject({ signedIn: true, isNew: true });
    expect(await userOf(email)).toMatchObject({ name: 'Naomi Weiss' });
    const tried = await signIn(production, email, theirs, { cookie: stranger.cookie });
    expect(tried.body).not.toMatchObject({ signedIn: true });
    // The owner follows the stranger's link, elsewhere than the stranger: they choose a password themselves.
    const followed = await send(production, '/verify-email', { token: await linkOf(email) });
    expect(followed.body).toMatchObject({ signedIn: false, resetToken: expect.any(String) as string });
    expect((await signIn(production, email, theirs)).status).toBe(401);
  });

  test('can’t take over after the provider', async () => {
    const { answered, id } = await withIdentity();
    const stranger = await signUp(production, answered.email, { password: theirs });
    expect(
      (await signIn(production, answered.email, theirs, { cookie: stranger.cookie })).body,
    ).not.toMatchObject({ signedIn: true });
    const entered = await through(answered);
    expect(await actorOf(production, entered.cookie)).toMatchObject({ id });
  });

  test('ends with the owner’s reset between, which removes what was connected', async () => {
    const { answered, id } = await withIdentity();
    const token = await makeLinkToken(guest, 'reset-password', id);
    await send(production, '/reset-password', { token, newPassword: 'a-third-room-44' });
    expect(await through(answered)).toMatchObject(exists);
    expect(await entries('identity_disconnected', id)).toMatchObject([{ details: { identities: 1 } }]);
    expect((await signIn(production, answered.email, 'a-third-room-44')).status).toBe(200);
  });

  test('and a stranger’s provider account with an unverified address gain nothing together', async () => {
    const { email, subject } = newPerson();
    await through({ email, subject, emailVerified: false });
    await signUp(production, email, { password: theirs });
    const owner = await signUp(production, email);
    await send(production, '/verify-email', { token: await linkOf(email) }, { cookie: owner.cookie });
    expect((await signIn(production, email)).status).toBe(200);
    // Even once the provider calls it verified, the account is only connected by its owner.
    expect(await through({ email, subject })).toMatchObject(exists);
  });
});

describe('an account', () => {
  test('refuses suspended, held, unverified and deleted accounts', async () => {
    const suspended = await withIdentity();
    await db
      .updateTable('profiles')
      .set({ suspended_at: new Date() })
      .where('id', '=', suspended.id)
      .execute();
    expect(await through(suspended.answered)).toMatchObject({
      status: 403,
      body: { reason: 'account_suspended' },
      cookies: [],
    });
    expect((await entries('signed_in', suspended.id)).at(-1)).toMatchObject({
      success: false,
      details: { reason: 'account_suspended' },
    });

    const readdressed = await withIdentity();
    await transact(system, (tx) =>
      changeAddress(tx, { userId: readdressed.id, to: `${readdressed.id}@new.test` }),
    );
    expect((await through(readdressed.answered)).body).toMatchObject({ reason: 'address_held' });
    await db.updateTable('users').set({ email_verified: true }).where('id', '=', readdressed.id).execute();
    expect((await through(readdressed.answered)).body).toMatchObject({ reason: 'address_held' });

    const deleted = await withIdentity();
    const deletion = new Date('2026-03-02T12:00:01Z');
    await db.updateTable('profiles').set({ delete_after: deletion }).where('id', '=', deleted.id).execute();
    expect((await through(deleted.answered)).status).toBe(200);
    setNow('2026-03-02T12:00:02Z');
    expect(await through(deleted.answered)).toMatchObject(expired);
  });

  const shown = ({ secret }: { secret: string }) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: guest.now().epochMilliseconds });

  test('still asks for its second factor, in the same browser, once', async () => {
    const { id, email, person } = await withPassword();
    const own = as(await freshSession(db, person));
    const setUp = await beginSecondFactor(own, { password });
    await confirmSecondFactor(own, { code: shown(setUp) });
    const subject = `second-${id}`;
    await db
      .insertInto('linked_identities')
      .values({
        id: guest.newId(),
        user_id: id,
        provider: 'church',
        issuer: church.config.issuer,
        subject,
        email,
        created_at: new Date(),
        used_at: null,
      })
      .execute();
    setNow('2026-03-02T12:01:00Z');
    const { continueAt, cookie } = await asked();
    const answer = church.visit(continueAt, { email, subject });
    const first = await come(answer, cookie);
    expect(first).toMatchObject({ status: 200, body: { signedIn: false, secondStep: { setUp: null } } });
    expect(first.cookies.join()).not.toContain('session_token');
    expect((await come(answer, cookie, { code: '000000' })).status).toBe(400);
    expect(await come(answer, '', { code: shown(setUp) })).toMatchObject(expired);
    const entered = await come(answer, cookie, { code: shown(setUp) });
    expect(entered.body).toEqual({ signedIn: true, next: '/about' });
    expect(await come(answer, cookie, { code: shown(setUp) })).toMatchObject(expired);
  });

  test('sets up the second factor that the site requires of everyone', async () => {
    await db.updateTable('site_settings').set({ require_two_factor: true }).execute();
    const { email, subject } = newPerson();
    const { continueAt, cookie } = await asked();
    const answer = church.visit(continueAt, { email, subject });
    const first = await come(answer, cookie);
    expect(first.body).toMatchObject({
      signedIn: false,
      secondStep: { setUp: { secret: expect.any(String) as string } },
    });
    expect(first.cookies.join()).not.toContain('session_token');
    const { setUp } = first.body.secondStep as { setUp: { secret: string } };
    const entered = await come(answer, cookie, { code: shown(setUp) });
    expect(entered.body).toMatchObject({ signedIn: true, isNew: true });
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', email));
    expect(mails.map(({ kind }) => kind)).toEqual(['welcome', 'account_security']);
  });
});
