import { sql } from 'kysely';
import { decodeJwt } from 'jose';
import { afterAll, describe, expect, test, onTestFinished, vi } from 'vitest';
import { setPassword } from '#/features/accounts/commands.ts';
import { removeProven } from '#/features/accounts/second-factor/commands.ts';
import type { Claims } from '#/features/accounts/program-keys/commands.ts';
import { transact } from '#/platform/db/transact.ts';
import { digest, digestHex } from '#/platform/tokens.ts';
import { openTestProvider, type Answered } from '../support/openid.ts';
import { hashOf } from '../support/passwords.ts';
import { appCode, programPassword, programsOf, type Tokens } from '../support/programs.ts';
import { testServer, type Answer } from '../support/server.ts';

const church = await openTestProvider({ programClientIds: ['app'] });
const gone = await openTestProvider({ id: 'gone', programClientIds: ['app'] });
await gone.close();
afterAll(() => church.close());

const redirect = 'com.example.app://signed-in';
const other = 'https://app.example/signed-in?from=italk';
const server = await testServer({
  config: {
    mode: 'production',
    openIdProviders: [church.config, gone.config],
    programRedirects: [redirect, other],
    adminEmails: ['chief@italk.test'],
  },
});
const { db } = server.database;
const { somebody, client, send, signIn, linkFor, follow, goThrough } = programsOf(server);
const newPassword = 'a-calm-harbor-77';

const codeIn = ({ json }: Answer) => (json as { code: string }).code;
const sessionsOf = (userId: string) =>
  db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute();
const userOf = (email: string) =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

let made = 0;
const newVerifier = () => `verifier-${(made += 1)}-${'x'.repeat(43)}`;
const newAddress = () => `by.program.${(made += 1)}@grace.test`;

/** Asks for a link like a program. */
const ask = (
  path: '/otp' | '/recover',
  body: object,
  { verifier = newVerifier(), to = null as string | null } = {},
) =>
  send('POST', `${path}${to === null ? '' : `?redirect_to=${encodeURIComponent(to)}`}`, {
    body: { code_challenge: digest(verifier), code_challenge_method: 's256', ...body },
  });

const exchange = (code: string, verifier: string) =>
  send('POST', '/token?grant_type=pkce', { body: { auth_code: code, code_verifier: verifier } });

/** A code that a link led to. */
async function emailedCode(email: string, verifier: string, path: '/otp' | '/recover' = '/otp') {
  expect((await ask(path, { email }, { verifier })).status).toBe(200);
  return (await follow(await linkFor(email))).code;
}

const amrOf = (token: string) => decodeJwt<Claims>(token).amr.map(({ method }) => method);

async function withFactor() {
  await db
    .updateTable('feature_flags')
    .set({ enabled: true, scope: 'global' })
    .where('id', '=', 'two_factor_authentication')
    .execute();
  const person = await somebody();
  const first = await signIn(person.email);
  const confirm = { token: first.access_token, body: { current_password: programPassword } };
  await send('PUT', '/user', confirm);
  const renewed = await send('POST', '/token?grant_type=refresh_token', {
    body: { refresh_token: first.refresh_token },
  });
  const { access_token: token } = renewed.json as Tokens;
  const enrolled = await send('POST', '/factors', { token, body: { factor_type: 'totp' } });
  const { id: factorId, totp } = enrolled.json as { id: string; totp: { secret: string } };
  const body = { challenge_id: crypto.randomUUID(), code: appCode(totp.secret) };
  expect((await send('POST', `/factors/${factorId}/verify`, { token, body })).status).toBe(200);
  await db.updateTable('second_factors').set({ last_counter: 0 }).where('user_id', '=', person.id).execute();
  await db.deleteFrom('sessions').where('user_id', '=', person.id).execute();
  return { ...person, factorId, secret: totp.secret };
}

describe('the published client', () => {
  test('signs in by emailed link', async () => {
    const { id, email } = await somebody();
    const auth = client({ flowType: 'pkce' });
    const events: string[] = [];
    auth.onAuthStateChange((event) => void events.push(event));
    expect((await auth.signInWithOtp({ email, options: { emailRedirectTo: other } })).error).toBeNull();
    const { address, code } = await follow(await linkFor(email));
    expect(address).toBe(`${other}&code=${code}`);
    const { data, error } = await auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id });
    expect(amrOf(data.session!.access_token)).toEqual(['otp']);
    await expect.poll(() => events).toContain('SIGNED_IN');
    expect(events).not.toContain('PASSWORD_RECOVERY');
  });

  test('signs up, and is signed in where it did', async () => {
    const email = newAddress();
    const auth = client({ flowType: 'pkce' });
    const options = { emailRedirectTo: redirect, data: { full_name: 'Ruth Amsel' } };
    expect((await auth.signUp({ email, password: programPassword, options })).error).toBeNull();
    const { address, code } = await follow(await linkFor(email));
    expect(address).toBe(`${redirect}?code=${code}`);
    expect(await userOf(email), 'the link alone makes no account').toBeUndefined();
    const { data, error } = await auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'Ruth Amsel' }, role: 'client' });
    expect((await signIn(email)).user.id).toBe(data.user!.id);
  });

  test('recovers an account by emailed link, and sets its password once', async () => {
    const { id, email } = await somebody();
    await server.guest.send('POST', '/api/auth/sign-in/email', {
      body: { email, password: programPassword },
    });
    const elsewhere = await signIn(email);
    await db
      .insertInto('linked_identities')
      .values({
        id: crypto.randomUUID(),
        user_id: id,
        provider: 'church',
        issuer: 'x',
        subject: id,
        created_at: new Date(),
      })
      .execute();
    const auth = client({ flowType: 'pkce' });
    const events: string[] = [];
    auth.onAuthStateChange((event) => void events.push(event));
    expect((await auth.resetPasswordForEmail(email, { redirectTo: redirect })).error).toBeNull();
    const { code } = await follow(await linkFor(email));
    const { data, error } = await auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data).toMatchObject({ redirectType: 'recovery', user: { id } });
    expect(amrOf(data.session!.access_token)).toEqual(['recovery']);
    await expect.poll(() => events).toContain('PASSWORD_RECOVERY');
    expect((await auth.updateUser({ password: 'password1' })).error).toMatchObject({ code: 'weak_password' });
    expect((await auth.updateUser({ password: newPassword })).error).toBeNull();
    expect((await auth.getUser()).error).toBeNull();
    expect((await auth.updateUser({ password: programPassword })).error, 'only once').toMatchObject({
      code: 'reauthentication_needed',
    });
    expect((await send('GET', '/user', { token: elsewhere.access_token })).status).toBe(403);
    const words = await db
      .selectFrom('author_keys')
      .select('password_replaced')
      .where('person_id', '=', id)
      .execute();
    expect(words, 'the author’s words stay locked').toEqual([{ password_replaced: true }]);
    for (const table of ['linked_identities', 'known_devices', 'passkeys'] as const)
      expect(await db.selectFrom(table).select('id').where('user_id', '=', id).execute(), table).toEqual([]);
    expect((await client().signInWithPassword({ email, password: programPassword })).error).not.toBeNull();
    expect((await client().signInWithPassword({ email, password: newPassword })).error).toBeNull();
  });

  test('signs in through a provider', async () => {
    const email = newAddress();
    const auth = client({ flowType: 'pkce' });
    const { data } = await auth.signInWithOAuth({
      provider: 'church' as never,
      options: { redirectTo: redirect, skipBrowserRedirect: true },
    });
    const { address, code } = await throughProvider(data.url!, { email, name: 'Naomi Weiss' });
    expect(address).toBe(`${redirect}?code=${code}`);
    const exchanged = await auth.exchangeCodeForSession(code);
    expect(exchanged.error).toBeNull();
    expect(exchanged.data.user).toMatchObject({ email, user_metadata: { full_name: 'Naomi Weiss' } });
    expect(amrOf(exchanged.data.session!.access_token)).toEqual(['oauth']);
    const [session] = await db
      .selectFrom('sessions')
      .select('identity_id')
      .where('user_id', '=', exchanged.data.user!.id)
      .execute();
    expect(session!.identity_id).not.toBeNull();
  });
});

const throughProvider = (url: string, answered: Answered, cookies = true) =>
  goThrough(church, url, answered, { cookies });

const authorizeAt = (verifier: string, more: Record<string, string> = {}) =>
  `http://x/auth/v1/authorize?${new URLSearchParams({
    provider: 'church',
    redirect_to: redirect,
    code_challenge: digest(verifier),
    code_challenge_method: 's256',
    ...more,
  }).toString()}`;

describe('a code', () => {
  test('is stored as a hash, works once and for five minutes', { tags: ['long'] }, async () => {
    const { id, email } = await somebody();
    const verifier = newVerifier();
    const code = await emailedCode(email, verifier);
    const stored = JSON.stringify(await db.selectFrom('program_sign_ins').selectAll().execute());
    expect(stored).toContain(digest(code));
    expect(stored).not.toContain(code);
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(code, verifier)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(codeIn)).toEqual(Array(49).fill('flow_state_not_found'));
    expect(await sessionsOf(id)).toHaveLength(1);
    expect(codeIn(await exchange(code, verifier))).toBe('flow_state_not_found');

    const late = await emailedCode(email, verifier);
    const age = (seconds: number) =>
      db
        .updateTable('program_sign_ins')
        .set({ expires_at: sql`expires_at - make_interval(secs => ${seconds})` })
        .where('code', '=', digest(late))
        .returning('expires_at')
        .executeTakeFirstOrThrow();
    const { expires_at } = await age(0);
    expect(expires_at.getTime() - Date.now()).toBeLessThanOrEqual(300_000);
    await age(301);
    expect(codeIn(await exchange(late, verifier))).toBe('flow_state_not_found');
  });

  test('is used up by a wrong verifier, that of another code included', { tags: ['long'] }, async () => {
    const [one, two] = [await somebody(), await somebody()];
    const [first, second] = [newVerifier(), newVerifier()];
    for (const wrong of [second, digest(first), '', 'x', first.slice(1), `${first} `]) {
      const code = await emailedCode(one.email, first);
      expect(codeIn(await exchange(code, wrong)), wrong).toBe('bad_code_verifier');
      expect(codeIn(await exchange(code, first)), wrong).toBe('flow_state_not_found');
    }
    expect(await sessionsOf(one.id)).toEqual([]);
    expect((await exchange(await emailedCode(two.email, second), second)).status).toBe(200);
    const refused = await db
      .selectFrom('audit_entries')
      .select('details')
      .where('subject_id', '=', one.id)
      .where('success', '=', false)
      .orderBy('id')
      .execute();
    expect(refused[0]).toEqual({ details: { reason: 'wrong_verifier' } });
  });

  test('isn’t a link’s token, a challenge or a state, or the other way around', async () => {
    const { email } = await somebody();
    const verifier = newVerifier();
    await ask('/otp', { email }, { verifier });
    const token = await linkFor(email);
    expect(codeIn(await exchange(token, verifier))).toBe('flow_state_not_found');
    const { code } = await follow(token);
    expect((await follow(token)).status, 'links work once').toBe(412);
    expect((await follow(code)).status).toBe(412);
    for (const path of ['/sign-in/link', '/verify-email', '/reset-password'])
      expect(
        (await server.guest.send('POST', `/api/auth${path}`, { body: { token: code, newPassword } })).status,
        path,
      ).toBe(412);
    expect(codeIn(await exchange(digest(code), verifier))).toBe('flow_state_not_found');
    expect((await exchange(code, verifier)).status).toBe(200);
  });

  test('isn’t given for a sign-in link after ten minutes', async () => {
    const { id, email } = await somebody();
    await ask('/otp', { email });
    const token = await linkFor(email);
    const older = (minutes: number) =>
      db
        .updateTable('program_sign_ins')
        .set({ expires_at: sql`expires_at - make_interval(mins => ${minutes})` })
        .where('user_id', '=', id)
        .execute();
    await older(10);
    expect((await follow(token)).status).toBe(412);
  });

  test('ends with the account’s other links when its password changes', async () => {
    const { id, email } = await somebody();
    const verifier = newVerifier();
    const code = await emailedCode(email, verifier);
    const recovery = await emailedCode(email, verifier, '/recover');
    await ask('/otp', { email }, { verifier });
    const unfollowed = await linkFor(email);
    const { access_token: token } = await signIn(email);
    const body = { current_password: programPassword, password: newPassword };
    expect((await send('PUT', '/user', { token, body })).status).toBe(200);
    for (const one of [code, recovery])
      expect(codeIn(await exchange(one, verifier))).toBe('flow_state_not_found');
    expect((await follow(unfollowed)).status).toBe(412);
    expect(await sessionsOf(id)).toHaveLength(1);
  });

  test('survives the removal of a second factor that isn’t there', async () => {
    const { id, email } = await somebody();
    const verifier = newVerifier();
    expect((await ask('/otp', { email }, { verifier })).status).toBe(200);
    const link = await linkFor(email);
    await removeProven(server.database.as({ kind: 'person', id, role: 'client', sessionId: '' }));
    const { code } = await follow(link);
    expect((await exchange(code, verifier)).status).toBe(200);
  });

  test('opens nothing for a suspended account', async () => {
    const { id, email } = await somebody();
    const verifier = newVerifier();
    const code = await emailedCode(email, verifier);
    await db.updateTable('profiles').set({ suspended_at: new Date() }).where('id', '=', id).execute();
    expect(codeIn(await exchange(code, verifier))).toBe('user_banned');
    expect(await sessionsOf(id)).toEqual([]);
  });
});

test('exchanges that fail are limited, apart from links in the browser', async () => {
  const strict = await testServer({
    rateLimitFactor: 1,
    config: { mode: 'production', trustedProxies: 1, programRedirects: [redirect] },
  });
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const body = { auth_code: 'x'.repeat(32), code_verifier: newVerifier() };
  const tries = Array.from({ length: 55 }, () =>
    programsOf(strict).send('POST', '/token?grant_type=pkce', { body, headers }),
  );
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  expect(statuses.filter((status) => status === 400)).toHaveLength(50);
  const link = await strict.guest.send('POST', '/api/auth/sign-in/link', {
    body: { token: 'x'.repeat(32) },
    headers,
  });
  expect(link).toMatchObject({ status: 412, json: { reason: 'link_expired' } });
});

describe('a challenge', () => {
  test('must be S256', async () => {
    const { email } = await somebody();
    const verifier = newVerifier();
    for (const sent of [
      { code_challenge_method: 'plain' },
      { code_challenge_method: 'PLAIN', code_challenge: verifier },
      { code_challenge_method: null },
      { code_challenge_method: 's256', code_challenge: null },
      { code_challenge: 'x' },
      { code_challenge: `${digest(verifier)}=` },
      { code_challenge: ['x'] },
    ])
      for (const path of ['/otp', '/recover'] as const)
        expect(codeIn(await ask(path, { email, ...sent }, { verifier }))).toBe('validation_failed');
    for (const more of [{ code_challenge_method: 'plain' }, { code_challenge: 'x' }]) {
      const { pathname, search } = new URL(authorizeAt(verifier, more as never));
      expect((await server.guest.send('GET', `${pathname}${search}`)).status).toBe(400);
    }
    const bare = '/auth/v1/authorize?provider=church';
    expect((await server.guest.send('GET', bare)).status, 'none').toBe(422);
    expect(await linkFor(email)).toBeUndefined();
  });
});

test('asking for a link tells nothing about which addresses have accounts', async () => {
  const { email: known } = await somebody();
  const unknown = newAddress();
  for (const path of ['/otp', '/recover'] as const) {
    const [forKnown, forUnknown] = [await ask(path, { email: known }), await ask(path, { email: unknown })];
    expect([forKnown.status, forKnown.text], path).toEqual([forUnknown.status, forUnknown.text]);
  }
  expect(await linkFor(known)).toBeDefined();
  expect(await linkFor(unknown)).toBeUndefined();
});

describe('an address to return to', () => {
  const evil = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    `${redirect}/`,
    `${redirect}?x=1`,
    `${redirect}#x`,
    `${redirect}.evil.example`,
    ` ${redirect}`,
    redirect.toUpperCase(),
    redirect.slice(0, -1),
    'https://app.example/signed-in',
    'https://app.example/signed-in?from=italk&next=https://evil.example',
    'https://app.example:8443/signed-in?from=italk',
    'https://app.example:443/signed-in?from=italk',
    'http://app.example/signed-in?from=italk',
    'https://app.example.evil.example/signed-in?from=italk',
    'https://app.example@evil.example/signed-in?from=italk',
    'https://evil.example@app.example/signed-in?from=italk',
    'https://app.example/signed-in/../evil?from=italk',
    'https://app.example/%73igned-in?from=italk',
    'https://app.example%2f@evil.example/signed-in?from=italk',
    'https:app.example/signed-in?from=italk',
    'https://APP.example/signed-in?from=italk',
    `${other}\u0000`,
    `${redirect},${other}`,
    'javascript:alert(1)',
    '',
  ];

  test('is a whole registered one or none', async () => {
    const { email } = await somebody();
    for (const to of evil) {
      expect(codeIn(await ask('/otp', { email }, { to })), to).toBe('validation_failed');
      expect(codeIn(await ask('/recover', { email }, { to })), to).toBe('validation_failed');
      const { pathname, search } = new URL(authorizeAt(newVerifier(), { redirect_to: to }));
      const asked = await server.guest.send('GET', `${pathname}${search}`);
      expect(asked.status, to).toBe(400);
      expect(asked.headers.location, to).toBeUndefined();
    }
    const twice = `/otp?redirect_to=${encodeURIComponent(redirect)}&redirect_to=https://evil.example/`;
    const body = { email, code_challenge: digest('x'), code_challenge_method: 's256' };
    await send('POST', twice, { body });
    expect((await follow(await linkFor(email))).address).toMatch(/^com\.example\.app:/);
    await ask('/otp', { email });
    expect((await follow(await linkFor(email))).address, 'the first').toMatch(/^com\.example\.app:/);
  });
});

describe('a second factor', () => {
  test('is asked for after every link, before a session or a new password', async () => {
    for (const path of ['/otp', '/recover'] as const) {
      const { id, email, factorId, secret } = await withFactor();
      const verifier = newVerifier();
      const code = await emailedCode(email, verifier, path);
      const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(code, verifier)));
      const [waiting, ...more] = answers.filter(({ status }) => status === 200);
      expect(more).toEqual([]);
      const { access_token: token } = waiting!.json as Tokens;
      expect(await sessionsOf(id)).toEqual([]);
      const change = { token, body: { password: newPassword } };
      expect(codeIn(await send('PUT', '/user', change))).toBe('insufficient_aal');
      const wrong = { challenge_id: crypto.randomUUID(), code: '000000' };
      const verify = (body: object) => send('POST', `/factors/${factorId}/verify`, { token, body });
      expect(codeIn(await verify(wrong))).toBe('mfa_verification_failed');
      const passed = await verify({ ...wrong, code: appCode(secret) });
      const { access_token: whole } = passed.json as Tokens;
      expect(decodeJwt(whole)).toMatchObject({ aal: 'aal2', sub: id });
      expect(codeIn(await verify({ ...wrong, code: appCode(secret, 1) })), 'once').toBe('bad_jwt');
      const changed = await send('PUT', '/user', { ...change, token: whole });
      expect(changed.status, path).toBe(path === '/recover' ? 200 : 403);
    }
  });

  test('isn’t passed by a sign-in that waited while the password changed', async () => {
    const { id, email, factorId, secret } = await withFactor();
    const verifier = newVerifier();
    const { access_token: token } = (await exchange(await emailedCode(email, verifier), verifier))
      .json as Tokens;
    const hash = await hashOf(newPassword);
    await transact(server.database.as({ kind: 'system' }), (tx) => setPassword(tx, id, hash));
    const body = { challenge_id: crypto.randomUUID(), code: appCode(secret) };
    expect(codeIn(await send('POST', `/factors/${factorId}/verify`, { token, body }))).toBe('bad_jwt');
    expect(await sessionsOf(id)).toEqual([]);
  });
});

describe('a sign-up', () => {
  const signUp = (email: string, verifier: string, more: object = {}) =>
    send('POST', '/signup', {
      body: {
        email,
        password: programPassword,
        data: { full_name: 'Mallory' },
        code_challenge: digest(verifier),
        code_challenge_method: 's256',
        ...more,
      },
    });

  test('with another’s address is confirmed by nobody but the program that has both', async () => {
    const email = newAddress();
    const [theirs, own] = [newVerifier(), newVerifier()];
    await signUp(email, theirs);
    const { code } = await follow(await linkFor(email));
    expect(codeIn(await exchange(code, own)), 'the owner’s own program').toBe('bad_code_verifier');
    expect(await userOf(email)).toBeUndefined();
    // Asking again in the owner’s program confirms their sign-up, not the stranger’s.
    await signUp(email, own, { password: newPassword, data: { full_name: 'Ruth Amsel' } });
    const again = await follow(await linkFor(email));
    expect((await exchange(again.code, own)).status).toBe(200);
    expect((await signIn(email, newPassword)).user).toMatchObject({
      user_metadata: { full_name: 'Ruth Amsel' },
    });
    const password = await send('POST', '/token?grant_type=password', {
      body: { email, password: programPassword },
    });
    expect(codeIn(password)).toBe('invalid_credentials');
  });

  test('can’t be taken over by asking for its email again with another challenge', async () => {
    const email = newAddress();
    await signUp(email, newVerifier());
    const own = newVerifier();
    const body = { email, type: 'signup', code_challenge: digest(own), code_challenge_method: 's256' };
    await send('POST', '/resend', { body });
    await linkFor(email);
    const mails = await server.database.readMails((rows) => rows.where('recipient', '=', email));
    const kinds = mails.map(({ text_body: text }) => /(return-to-app|verify)[?#]/.exec(text)?.[1]);
    expect(new Set(kinds), 'asked again, the link opens in the browser').toEqual(
      new Set(['return-to-app', 'verify']),
    );
  });

  test('followed by the owner’s own account changes nothing of it', async () => {
    for (const first of ['link', 'account'] as const) {
      const email = newAddress();
      const verifier = newVerifier();
      await signUp(email, verifier);
      const token = await linkFor(email);
      const early = first === 'link' ? await follow(token) : null;
      const account = await throughProvider(authorizeAt(newVerifier()), { email, name: 'Ruth Amsel' });
      expect(account.status).toBe(200);
      const { id } = (await userOf(email))!;
      await somebody({ id } as never);
      const late = early ?? (await follow(token));
      expect(late.status, first).toBe(first === 'link' ? 200 : 412);
      expect((await exchange(late.code || 'none', verifier)).status, first).toBe(400);
      expect(await sessionsOf(id)).toEqual([]);
      expect((await signIn(email)).user).toMatchObject({ user_metadata: { full_name: 'Ruth Amsel' } });
    }
  });
});

describe('a provider', () => {
  test('leads only the browser that was sent there back to the program', async () => {
    const email = newAddress();
    const verifier = newVerifier();
    const stolen = await throughProvider(authorizeAt(verifier), { email }, false);
    expect(stolen).toMatchObject({ status: 412, json: { reason: 'provider_expired' } });
    expect(await userOf(email)).toBeUndefined();
    expect(codeIn(await exchange('', verifier))).toBe('validation_failed');
  });

  test('opens no account of another, and none for an address that it didn’t verify', async () => {
    const { id, email } = await somebody();
    const unverified = await throughProvider(authorizeAt(newVerifier()), {
      email: newAddress(),
      emailVerified: false,
    });
    expect(unverified).toMatchObject({ status: 403, json: { reason: 'provider_address_unverified' } });
    const taken = await throughProvider(authorizeAt(newVerifier()), { email });
    expect(taken).toMatchObject({ status: 409, json: { reason: 'provider_account_exists' } });
    const chief = await throughProvider(authorizeAt(newVerifier()), { email: 'chief@italk.test' });
    expect(chief).toMatchObject({ status: 403, json: { reason: 'provider_password_first' } });
    expect(await sessionsOf(id)).toEqual([]);
  });

  test('opens nothing if the identity was disconnected meanwhile or its proof is false', async () => {
    const email = newAddress();
    const verifier = newVerifier();
    const { code } = await throughProvider(authorizeAt(verifier), { email });
    const { id } = (await userOf(email))!;
    await db.deleteFrom('linked_identities').where('user_id', '=', id).execute();
    expect(codeIn(await exchange(code, verifier))).toBe('flow_state_not_found');
    expect(await sessionsOf(id)).toEqual([]);
    for (const signed of ['none', 'other', 'public'] as const) {
      const lied = await throughProvider(authorizeAt(newVerifier()), { email: newAddress(), signed });
      expect(lied, signed).toMatchObject({ status: 401, json: { reason: 'provider_refused' } });
    }
  });

  test('doesn’t stand for the second factor', async () => {
    const { id, email, factorId, secret } = await withFactor();
    const subject = `subject-${id}`;
    await db
      .insertInto('linked_identities')
      .values({ ...identityOf(id), subject })
      .execute();
    const verifier = newVerifier();
    const { code } = await throughProvider(authorizeAt(verifier), { email, subject });
    const waiting = (await exchange(code, verifier)).json as Tokens;
    expect(await sessionsOf(id)).toEqual([]);
    const body = { challenge_id: crypto.randomUUID(), code: appCode(secret) };
    const verify = () => send('POST', `/factors/${factorId}/verify`, { token: waiting.access_token, body });
    expect(amrOf(((await verify()).json as Tokens).access_token)).toEqual(['oauth', 'totp']);
  });
});

function identityOf(userId: string) {
  return {
    id: crypto.randomUUID(),
    user_id: userId,
    provider: 'church',
    issuer: church.config.issuer,
    subject: userId,
    created_at: new Date(),
  };
}

describe('linked identities', () => {
  test('are listed and disconnected by the published client, but never the last way in', async () => {
    const { id, email } = await somebody();
    const { id: identityId } = await db
      .insertInto('linked_identities')
      .values(identityOf(id))
      .returning('id')
      .executeTakeFirstOrThrow();
    const others = await somebody();
    const foreign = identityOf(others.id);
    await db.insertInto('linked_identities').values(foreign).execute();
    const auth = client();
    await auth.signInWithPassword({ email, password: programPassword });
    const { data } = await auth.getUserIdentities();
    expect(data!.identities).toMatchObject([{ identity_id: identityId, provider: 'church', user_id: id }]);
    const [identity] = data!.identities;
    const unlink = async (identity_id = identityId) =>
      (await auth.unlinkIdentity({ ...identity!, identity_id })).error;
    expect(await unlink()).toMatchObject({ code: 'reauthentication_needed' });
    expect((await auth.updateUser({ current_password: programPassword })).error).toBeNull();
    await auth.refreshSession();
    expect(await unlink(foreign.id), 'another’s').toMatchObject({ code: 'identity_not_found' });
    await db.deleteFrom('credentials').where('user_id', '=', id).execute();
    const setRole = (role: 'doctor' | 'client') =>
      db.updateTable('profiles').set({ role }).where('id', '=', id).execute();
    await setRole('doctor');
    expect(await unlink()).toMatchObject({ code: 'single_identity_not_deletable' });
    await setRole('client');
    expect(await unlink()).toBeNull();
    expect((await auth.getUserIdentities()).data!.identities).toEqual([]);
    const kept = await db.selectFrom('linked_identities').select('id').where('id', '=', foreign.id).execute();
    expect(kept).toHaveLength(1);
  });
});

describe('an ID token', () => {
  let nonces = 0;
  const newNonce = () => `nonce-${(nonces += 1)}-of-the-program`;
  const tokenFor = (nonce: string, answered: Parameters<typeof church.idToken>[0] = {}) =>
    church.idToken(
      {
        subject: `app-${(made += 1)}`,
        email: newAddress(),
        ...answered,
        claims: { aud: 'app', ...answered.claims },
      },
      digestHex(nonce),
    );
  const enter = (token: string, nonce: string | undefined, more: object = {}) =>
    send('POST', '/token?grant_type=id_token', {
      body: { provider: 'church', id_token: token, nonce, ...more },
    });

  test('signs the published client in, or up', async () => {
    const nonce = newNonce();
    const email = newAddress();
    const auth = client();
    const token = tokenFor(nonce, { email, subject: 'by-token', name: 'Naomi Weiss' });
    const { data, error } = await auth.signInWithIdToken({ provider: 'church', token, nonce });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'Naomi Weiss' } });
    expect(amrOf(data.session!.access_token)).toEqual(['oauth']);
    const next = newNonce();
    const again = await enter(tokenFor(next, { email: null, subject: 'by-token' }), next);
    expect((again.json as Tokens).user.id).toBe(data.user!.id);
  });

  test('is checked against keys that its provider moved, within an hour', async () => {
    const answered = async () => {
      const nonce = newNonce();
      return (await enter(tokenFor(nonce), nonce)).status;
    };
    expect(await answered()).toBe(200);
    church.fails.metadata = { jwks_uri: `${church.config.issuer}/moved-keys` };
    const before = church.asked.keys;
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_001);
    onTestFinished(() => {
      clock.mockRestore();
      delete church.fails.metadata;
    });
    expect(await answered()).toBe(200);
    expect(church.asked.keys).toBe(before + 1);
  });

  test('works once, even fifty times at once', async () => {
    const nonce = newNonce();
    const email = newAddress();
    const token = tokenFor(nonce, { email });
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(token, nonce)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { id } = (await userOf(email))!;
    expect(await sessionsOf(id)).toHaveLength(1);
    expect((await enter(tokenFor(nonce, { email }), nonce)).status, 'another with its nonce').toBe(400);
  });

  test('is refused unless the provider signed it just now, for a program and with its nonce', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const forged: Record<string, Parameters<typeof church.idToken>[0]> = {
      'no signature': { signed: 'none' },
      'HS256 with the public key': { signed: 'public' },
      'another key': { signed: 'other' },
      'another issuer': { claims: { iss: 'https://evil.example' } },
      'the issuer with a slash': { claims: { iss: `${church.config.issuer}/` } },
      'no issuer': { claims: { iss: undefined } },
      'the browser’s client': { claims: { aud: 'italk' } },
      'another audience': { claims: { aud: 'app2' } },
      'another audience too': { claims: { aud: ['app', 'italk'] } },
      'no audience': { claims: { aud: undefined } },
      'another party': { claims: { azp: 'evil' } },
      'an expired one': { claims: { exp: now - 60 } },
      'one without an end': { claims: { exp: undefined } },
      'one without a time': { claims: { iat: undefined } },
      'an old one': { claims: { iat: now - 700, exp: now + 3_600 } },
      'a future one': { claims: { iat: now + 300 } },
      'one not valid yet': { claims: { nbf: now + 300 } },
      'no nonce': { claims: { nonce: undefined } },
      'an empty nonce': { claims: { nonce: '' } },
      'no subject': { claims: { sub: undefined } },
    };
    for (const [how, answered] of Object.entries(forged)) {
      const nonce = newNonce();
      const email = newAddress();
      const answer = await enter(tokenFor(nonce, { email, ...answered }), nonce);
      expect([how, answer.status, codeIn(answer)]).toEqual([how, 400, 'validation_failed']);
      expect(await userOf(email), how).toBeUndefined();
    }
    const nonce = newNonce();
    const token = tokenFor(nonce);
    const [head, body, signature] = token.split('.') as [string, string, string];
    for (const [how, one, by] of [
      ['another’s nonce', token, newNonce()],
      ['the hash itself', token, digestHex(nonce)],
      ['no nonce', token, undefined],
      ['an empty nonce', token, ''],
      ['cut short', `${head}.${body}`, nonce],
      ['an access token', `${head}.${body}.${signature}x`, nonce],
      ['nothing', 'x', nonce],
    ] as const)
      expect((await enter(one, by)).status, how).toBe(400);
    const raw = church.idToken({ subject: 'raw', email: newAddress(), claims: { aud: 'app' } }, nonce);
    expect((await enter(raw, nonce)).status, 'not hashed').toBe(400);
    expect(codeIn(await enter(token, nonce, { provider: 'google' }))).toBe('provider_disabled');
    expect(codeIn(await enter(token, nonce, { link_identity: true })), 'connects only for someone').toBe(
      'no_authorization',
    );
    expect((await enter(token, nonce)).status).toBe(200);
  });

  test('never opens an account that another made, in any order', async () => {
    const { id, email } = await somebody();
    const first = newNonce();
    expect(codeIn(await enter(tokenFor(first, { email }), first))).toBe('email_exists');
    await db.updateTable('users').set({ email_verified: false }).where('id', '=', id).execute();
    const second = newNonce();
    expect(codeIn(await enter(tokenFor(second, { email }), second))).toBe('email_exists');
    for (const emailVerified of [false, 'true', 1, undefined]) {
      const nonce = newNonce();
      const answer = await enter(
        tokenFor(nonce, { email: newAddress(), emailVerified: emailVerified ?? null }),
        nonce,
      );
      expect(codeIn(answer), String(emailVerified)).toBe('provider_email_needs_verification');
    }
    const nonce = newNonce();
    const chief = await enter(tokenFor(nonce, { email: 'chief@italk.test' }), nonce);
    expect(codeIn(chief)).toBe('forbidden');
    // A stranger’s sign-up neither keeps the owner out nor leaves its password.
    const own = newAddress();
    await send('POST', '/signup', { body: { email: own, password: programPassword } });
    const third = newNonce();
    expect((await enter(tokenFor(third, { email: own }), third)).status).toBe(200);
    const body = { email: own, password: programPassword };
    expect(codeIn(await send('POST', '/token?grant_type=password', { body }))).toBe('invalid_credentials');
    expect(await sessionsOf(id)).toEqual([]);
  });

  test('doesn’t stand for the second factor', async () => {
    const { id, factorId, secret } = await withFactor();
    await db.insertInto('linked_identities').values(identityOf(id)).execute();
    const nonce = newNonce();
    const { access_token: token } = (await enter(tokenFor(nonce, { subject: id }), nonce)).json as Tokens;
    expect(await sessionsOf(id)).toEqual([]);
    expect(codeIn(await send('PUT', '/user', { token, body: { data: {} } }))).toBe('insufficient_aal');
    const body = { challenge_id: crypto.randomUUID(), code: appCode(secret) };
    const passed = await send('POST', `/factors/${factorId}/verify`, { token, body });
    expect(amrOf((passed.json as Tokens).access_token)).toEqual(['oauth', 'totp']);
  });

  test('can’t be read while its provider is down', async () => {
    const nonce = newNonce();
    const answer = await enter(tokenFor(nonce), nonce, { provider: 'gone' });
    expect(answer).toMatchObject({ status: 503, json: { code: 'unavailable' } });
  });
});
