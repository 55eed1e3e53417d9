import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { digest, digestHex } from '#/platform/tokens.ts';
import { openTestProvider } from '../support/openid.ts';
import { appCode, programPassword, programsOf, type Tokens } from '../support/programs.ts';
import { testServer, type Answer } from '../support/server.ts';

const church = await openTestProvider({ programClientIds: ['app'] });
const school = await openTestProvider({ id: 'school', domains: ['school.test'] });
afterAll(() => Promise.all([church.close(), school.close()]));

const redirect = 'com.example.app://signed-in';
const other = 'https://app.example/signed-in';
const server = await testServer({
  config: {
    mode: 'production',
    openIdProviders: [church.config, school.config],
    programRedirects: [redirect, other],
  },
});
const { db } = server.database;
const { somebody, client, send, signIn, refresh, goThrough } = programsOf(server);
await db
  .updateTable('feature_flags')
  .set({ enabled: true, scope: 'global' })
  .where('id', '=', 'two_factor_authentication')
  .execute();

let made = 0;
const newSubject = () => `subject-${(made += 1)}`;
const newVerifier = () => `verifier-${(made += 1)}-${'x'.repeat(43)}`;
const codeIn = ({ json }: Answer) => (json as { code: string }).code;
const identitiesOf = (userId: string) =>
  db.selectFrom('linked_identities').selectAll().where('user_id', '=', userId).execute();
const linked = async (subject: string) =>
  db.selectFrom('linked_identities').select('user_id').where('subject', '=', subject).executeTakeFirst();

type Auth = ReturnType<typeof client>;

/** The published client of someone who just confirmed who they are. */
async function confirmedClient(email: string): Promise<Auth> {
  const auth = client({ flowType: 'pkce' });
  await auth.signInWithPassword({ email, password: programPassword });
  expect((await auth.updateUser({ current_password: programPassword })).error).toBeNull();
  expect((await auth.refreshSession()).error).toBeNull();
  return auth;
}

async function confirmedToken(email: string): Promise<string> {
  const first = await signIn(email);
  const body = { current_password: programPassword };
  expect((await send('PUT', '/user', { token: first.access_token, body })).status).toBe(200);
  return ((await refresh(first.refresh_token)).json as Tokens).access_token;
}

const link = (auth: Auth, redirectTo = redirect, provider = 'church') =>
  auth.linkIdentity({ provider: provider as never, options: { redirectTo, skipBrowserRedirect: true } });

/** Asks like a program, with its own verifier. */
function ask(token: string | undefined, more: Record<string, string> = {}, verifier = newVerifier()) {
  const query = new URLSearchParams({
    provider: 'church',
    redirect_to: redirect,
    code_challenge: digest(verifier),
    code_challenge_method: 's256',
    skip_http_redirect: 'true',
    ...more,
  });
  return send('GET', `/user/identities/authorize?${query.toString()}`, token ? { token } : {});
}
const urlIn = ({ json }: Answer) => (json as { url: string }).url;
const exchange = (code: string, verifier: string) =>
  send('POST', '/token?grant_type=pkce', { body: { auth_code: code, code_verifier: verifier } });

/** A link that a browser came back from, with an identity of this subject. */
async function returned(token: string, subject = newSubject()) {
  const verifier = newVerifier();
  const { code } = await goThrough(church, urlIn(await ask(token, {}, verifier)), { subject, email: null });
  return { verifier, code, subject };
}

describe('the published client', () => {
  test('connects an identity, lists it, signs in with it, and disconnects it', async () => {
    const { id, email } = await somebody();
    const auth = await confirmedClient(email);
    const subject = newSubject();
    const { data, error } = await link(auth, other);
    expect(error).toBeNull();
    const before = (await auth.getSession()).data.session!;
    const answered = { subject, email: 'ruth@elsewhere.test', emailVerified: false };
    const { address, code } = await goThrough(church, data.url!, answered);
    expect(address).toBe(`${other}?code=${code}`);
    expect(await identitiesOf(id), 'not before the program has the code').toEqual([]);
    const exchanged = await auth.exchangeCodeForSession(code);
    expect(exchanged.error).toBeNull();
    expect(exchanged.data.user).toMatchObject({ id, email });
    const identities = (await auth.getUserIdentities()).data!.identities;
    expect(identities).toMatchObject([
      { provider: 'church', id: subject, identity_data: { email: 'ruth@elsewhere.test' } },
    ]);
    const sessions = await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute();
    expect(sessions, 'the same session goes on').toHaveLength(1);
    expect(await refresh(before.refresh_token)).toMatchObject({ status: 400 });
    expect((await auth.refreshSession()).error).toBeNull();

    const again = client({ flowType: 'pkce' });
    const asked = await again.signInWithOAuth({
      provider: 'church' as never,
      options: { redirectTo: redirect, skipBrowserRedirect: true },
    });
    const back = await goThrough(church, asked.data.url!, { subject, email: null });
    expect((await again.exchangeCodeForSession(back.code)).data.user).toMatchObject({ id });

    expect((await auth.unlinkIdentity(identities[0]!)).error).toBeNull();
    expect((await auth.getUserIdentities()).data!.identities).toEqual([]);
    expect((await again.getUser()).error, 'it ended what it opened').not.toBeNull();
    const entries = await db
      .selectFrom('audit_entries')
      .select(['action', 'actor_id'])
      .where('subject_id', '=', id)
      .where('action', 'like', 'identity_%')
      .orderBy('id')
      .execute();
    expect(entries).toEqual([
      { action: 'identity_connected', actor_id: id },
      { action: 'identity_disconnected', actor_id: id },
    ]);
    await server.database.runJobs();
    const mails = await server.database.readMails((rows) => rows.where('recipient', '=', email));
    expect(mails.map(({ text_body: text }) => text).join()).toMatch(/connected/);
  });

  test('connects the identity of an ID token that it got, once', async () => {
    const { id, email } = await somebody();
    const auth = await confirmedClient(email);
    const subject = newSubject();
    const nonce = 'nonce-of-a-program';
    const token = church.idToken({ subject, email: null, claims: { aud: 'app' } }, digestHex(nonce));
    const credentials = { provider: 'church' as never, token, nonce };
    const { data, error } = await auth.linkIdentity(credentials);
    expect(error).toBeNull();
    expect(data).toMatchObject({ user: { id }, session: {} });
    expect(await linked(subject)).toEqual({ user_id: id });
    const second = await somebody();
    const theirs = await confirmedClient(second.email);
    expect((await theirs.linkIdentity(credentials)).error).toMatchObject({ code: 'validation_failed' });
    const stale = client();
    await stale.signInWithPassword({ email: second.email, password: programPassword });
    expect((await stale.linkIdentity(credentials)).error).toMatchObject({ code: 'reauthentication_needed' });
    const own = 'another-nonce-of-a-program';
    const taken = church.idToken({ subject, email: null, claims: { aud: 'app' } }, digestHex(own));
    const refused = await theirs.linkIdentity({ provider: 'church', token: taken, nonce: own });
    expect(refused.error).toMatchObject({ code: 'identity_already_exists' });
    expect(await identitiesOf(second.id)).toEqual([]);
  });
});

describe('connecting', () => {
  test('needs a fresh confirmation, to begin and when the program comes back', async () => {
    const { id, email } = await somebody();
    const stale = client({ flowType: 'pkce' });
    await stale.signInWithPassword({ email, password: programPassword });
    expect((await link(stale)).error).toMatchObject({ status: 403, code: 'reauthentication_needed' });
    const { verifier, code } = await returned(await confirmedToken(email));
    await db
      .updateTable('sessions')
      .set({ reauthenticated_at: sql`reauthenticated_at - interval '6 minutes'` })
      .where('user_id', '=', id)
      .execute();
    expect(await exchange(code, verifier)).toMatchObject({
      status: 403,
      json: { code: 'reauthentication_needed' },
    });
    expect(await identitiesOf(id)).toEqual([]);
  });

  test('needs both factors where two are set up', async () => {
    const { id, email } = await somebody();
    const auth = await confirmedClient(email);
    const { data } = await auth.mfa.enroll({ factorType: 'totp' });
    const { id: factorId, totp } = data!;
    const verify = (steps: number) =>
      auth.mfa.challengeAndVerify({ factorId, code: appCode(totp.secret, steps) });
    expect((await verify(0)).error).toBeNull();
    const confirm = async () => {
      expect((await auth.updateUser({ current_password: programPassword })).error).toBeNull();
      expect((await auth.refreshSession()).error).toBeNull();
    };
    const forget = () =>
      db
        .updateTable('program_sessions')
        .from('sessions')
        .whereRef('sessions.id', '=', 'session_id')
        .where('user_id', '=', id)
        .set({ factor_at: new Date(0) })
        .execute();
    await forget();
    await confirm();
    expect((await link(auth)).error, 'the password alone').toMatchObject({ code: 'reauthentication_needed' });
    const nonce = 'nonce-of-two-factors';
    const token = church.idToken(
      { subject: newSubject(), email: null, claims: { aud: 'app' } },
      digestHex(nonce),
    );
    const byToken = await auth.linkIdentity({ provider: 'church', token, nonce });
    expect(byToken.error).toMatchObject({ code: 'reauthentication_needed' });
    expect((await verify(1)).error).toBeNull();
    await confirm();
    const { code } = await goThrough(church, (await link(auth)).data.url!, {
      subject: newSubject(),
      email: null,
    });
    expect((await auth.exchangeCodeForSession(code)).error).toBeNull();
    expect((await auth.getClaims()).data!.claims.aal).toBe('aal2');
    expect(await identitiesOf(id)).toHaveLength(1);
  });

  test('is for a signed-in person’s program with a challenge and a registered address', async () => {
    const { email } = await somebody();
    const token = await confirmedToken(email);
    const body = { name: 'Desk', scopes: ['appointments:read'], days: 30 };
    const { token: key } = (await send('POST', '/api/me/api-tokens', { token, body })).json as {
      token: string;
    };
    const rows = () => db.selectFrom('program_sign_ins').select('id').execute();
    const before = await rows();
    for (const [how, by, more, code] of [
      ['no token', undefined, {}, 'no_authorization'],
      ['a forged token', 'x', {}, 'bad_jwt'],
      ['an API token', key, {}, 'bad_jwt'],
      ['no challenge', token, { code_challenge: '' }, 'validation_failed'],
      ['a plain challenge', token, { code_challenge_method: 'plain' }, 'validation_failed'],
      ['another address', token, { redirect_to: 'https://evil.example' }, 'validation_failed'],
      ['a longer address', token, { redirect_to: `${other}/x` }, 'validation_failed'],
      ['an unknown provider', token, { provider: 'google' }, 'provider_disabled'],
      ['a long provider', token, { provider: 'x'.repeat(99) }, 'validation_failed'],
    ] as const)
      expect([how, codeIn(await ask(by, more))]).toEqual([how, code]);
    const implicit = await send('GET', '/user/identities/authorize?provider=church', { token });
    expect(codeIn(implicit)).toBe('provider_disabled');
    expect(await rows()).toEqual(before);
  });

  test('someone else can’t finish, with or without the code', async () => {
    const [one, two] = [await somebody(), await somebody()];
    const [first, second] = [await confirmedToken(one.email), await confirmedToken(two.email)];
    const theirs = newVerifier();
    await ask(second, {}, theirs);
    // The second went through the first’s link: their identity, the first’s verifier.
    const { code, verifier, subject } = await returned(first);
    expect(codeIn(await exchange(code, theirs))).toBe('bad_code_verifier');
    expect(codeIn(await exchange(code, verifier)), 'it is used up').toBe('flow_state_not_found');
    expect(await linked(subject)).toBeUndefined();
    const refused = await db
      .selectFrom('audit_entries')
      .select(['action', 'details'])
      .where('subject_id', '=', one.id)
      .where('success', '=', false)
      .orderBy('id')
      .execute();
    expect(refused).toEqual([{ action: 'identity_connected', details: { reason: 'wrong_verifier' } }]);
  });

  test('works only in the browser that went there, once', async () => {
    const { id, email } = await somebody();
    const token = await confirmedToken(email);
    const url = urlIn(await ask(token));
    expect(new URL(url).pathname).toBe('/auth/v1/authorize');
    const foreign = await goThrough(church, url, { subject: newSubject() }, { cookies: false });
    expect(foreign.json).toMatchObject({ reason: 'provider_expired' });
    const { pathname, search } = new URL(url);
    const path = pathname.slice('/auth/v1'.length);
    expect(codeIn(await send('GET', `${path}${search}`)), 'a second browser').toBe('flow_state_not_found');
    for (const wrong of [newId(), 'x', "'"]) {
      const there = await send('GET', `${path}?provider=church&link=${encodeURIComponent(wrong)}`);
      expect([400, there.headers.location], wrong).toEqual([there.status, undefined]);
    }
    expect(await identitiesOf(id)).toEqual([]);
  });

  test('takes each answer, state and code once, even fifty times at once', async () => {
    const { id, email } = await somebody();
    const token = await confirmedToken(email);
    const verifier = newVerifier();
    const { pathname, search } = new URL(urlIn(await ask(token, {}, verifier)));
    const asked = await server.guest.send('GET', `${pathname}${search}`, { origin: null });
    const answer = church.visit(asked.headers.location as string, { subject: newSubject(), email: null });
    const cookie = (asked.headers['set-cookie'] as string[])[0]!.split(';')[0]!;
    const post = (body: object) =>
      server.guest.send('POST', '/api/auth/sign-in/provider', { body, headers: { cookie } });
    const prefixed = answer.replace('link.', 'sign_in.');
    expect(prefixed).not.toBe(answer);
    expect((await post({ provider: 'church', answer: prefixed })).status, 'as a sign-in').toBe(412);
    expect((await post({ provider: 'school', answer })).status, 'as another provider’s').toBe(412);
    expect((await post({ provider: '\u0000', answer })).status, 'as no provider’s').toBe(404);
    const answers = await Promise.all(Array.from({ length: 50 }, () => post({ provider: 'church', answer })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { continueAt } = answers.find(({ status }) => status === 200)!.json as { continueAt: string };
    const code = new URL(continueAt).searchParams.get('code')!;
    const tries = await Promise.all(Array.from({ length: 50 }, () => exchange(code, verifier)));
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await identitiesOf(id)).toHaveLength(1);
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toHaveLength(1);
  });

  test.each([
    ['the session', (id: string) => db.deleteFrom('sessions').where('user_id', '=', id).execute()],
    [
      'the account, by suspension',
      (id: string) =>
        db.updateTable('profiles').set({ suspended_at: new Date() }).where('id', '=', id).execute(),
    ],
    [
      'five minutes',
      (id: string) =>
        db
          .updateTable('program_sign_ins')
          .set({ expires_at: new Date(0) })
          .where('user_id', '=', id)
          .execute(),
    ],
  ])('ends with %s', async (_, end) => {
    const { id, email } = await somebody();
    const { verifier, code, subject } = await returned(await confirmedToken(email));
    await end(id);
    expect(codeIn(await exchange(code, verifier))).toBe('flow_state_not_found');
    expect(await linked(subject)).toBeUndefined();
  });

  test('never takes an identity of another account, or a second of the same provider', async () => {
    const [one, two] = [await somebody(), await somebody()];
    const first = await returned(await confirmedToken(one.email));
    const second = await returned(await confirmedToken(two.email), first.subject);
    const answers = await Promise.all([
      exchange(first.code, first.verifier),
      exchange(second.code, second.verifier),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.map(codeIn)).toContain('identity_already_exists');
    const owner = (await linked(first.subject))!.user_id === one.id ? one : two;
    const more = await ask(await confirmedToken(owner.email));
    expect(codeIn(more)).toBe('identity_already_exists');
  });

  test('requires a verified address in one of the provider’s domains', async () => {
    const { id, email } = await somebody();
    const token = await confirmedToken(email);
    for (const answered of [
      { email: 'ruth@school.test', emailVerified: false },
      { email: 'ruth@elsewhere.test', emailVerified: true },
    ]) {
      const verifier = newVerifier();
      const url = urlIn(await ask(token, { provider: 'school' }, verifier));
      const { code } = await goThrough(school, url, { subject: newSubject(), ...answered });
      expect(codeIn(await exchange(code, verifier)), answered.email).toBe('forbidden');
    }
    expect(await identitiesOf(id)).toEqual([]);
  });
});
