import { createSecretKey } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { readToken, rotateKeys, signToken, type Claims } from '#/features/accounts/program-keys/commands.ts';
import { partiesOf } from '#/features/accounts/program-keys/rules.ts';
import { resetSecondFactor } from '#/features/accounts/second-factor/commands.ts';
import type { FlagId } from '#/features/settings/flags/contract.ts';
import { newId, systemNow } from '#/platform/clock.ts';
import { blockedConnections } from '../support/locks.ts';
import { addAdministrator, addClient, addProvider, freshSession } from '../support/people.ts';
import { appCode, programPassword, programsOf, type Tokens } from '../support/programs.ts';
import { problemIn, testServer, type Answer } from '../support/server.ts';

const server = await testServer({ config: { mode: 'production' } });
const { db } = server.database;
const { appUrl } = server.config;
const { somebody, send, signIn, refresh, codeFor } = programsOf(server);
const strict = await testServer({ rateLimitFactor: 1, config: { mode: 'production', trustedProxies: 1 } });
const limited = programsOf(strict);

const system = { ...server.database.as({ kind: 'system' }), now: systemNow };
const parties = partiesOf(appUrl, 'authenticated');

const getUser = (token: string) => send('GET', '/user', { token });
const codeIn = ({ json }: Answer) => (json as { code: string }).code;
const expectEnded = async ({ access_token, refresh_token }: Tokens) => {
  expect(await getUser(access_token)).toMatchObject({ status: 403, json: { code: 'session_not_found' } });
  expect(await refresh(refresh_token)).toMatchObject({
    status: 400,
    json: { code: 'refresh_token_not_found' },
  });
};
const sessionsOf = (userId: string) =>
  db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute();
const setFlag = (id: FlagId, enabled: boolean) =>
  db.updateTable('feature_flags').set({ enabled, scope: 'global' }).where('id', '=', id).execute();

await setFlag('two_factor_authentication', true);

/** Confirms who it is with the password, and returns tokens from after that. */
async function confirmIdentity({ access_token: token, refresh_token }: Tokens): Promise<Tokens> {
  const body = { current_password: programPassword };
  expect((await send('PUT', '/user', { token, body })).status).toBe(200);
  return (await refresh(refresh_token)).json as Tokens;
}

/** A token of the same session from a minute ago. */
async function olderCopy(token: string): Promise<string> {
  const { sub, session_id, aal, amr, role } = decodeJwt<Claims>(token);
  const claims: Claims = { sub, session_id, aal, amr, role: role! };
  const now = () => systemNow().subtract({ minutes: 1 });
  return (await signToken({ ...system, now }, claims, parties)).token;
}

const enroll = (token: string) => send('POST', '/factors', { token, body: { factor_type: 'totp' } });

async function withFactor() {
  const person = await somebody();
  const { access_token: token } = await confirmIdentity(await signIn(person.email));
  const enrolled = await enroll(token);
  const { id: factorId, totp } = enrolled.json as { id: string; totp: { secret: string } };
  const body = { challenge_id: newId(), code: appCode(totp.secret) };
  const { status } = await send('POST', `/factors/${factorId}/verify`, { token, body });
  expect(status).toBe(200);
  // An older code may be too old on arrival; so this one works again.
  await db.updateTable('second_factors').set({ last_counter: 0 }).where('user_id', '=', person.id).execute();
  await db.deleteFrom('sessions').where('user_id', '=', person.id).execute();
  return { ...person, factorId, secret: totp.secret };
}

describe('an access token', () => {
  const claimsOf = (token: string) => decodeJwt<Claims>(token);
  const segment = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('is refused without our signature, or for others than us', async () => {
    const { email } = await somebody();
    const { access_token: token } = await signIn(email);
    const { sub, session_id, aal, amr, role } = claimsOf(token);
    const claims: Claims = { sub, session_id, aal, amr, role: role! };
    const header = decodeProtectedHeader(token);
    const [head, body, signature] = token.split('.') as [string, string, string];
    const keySet = await send('GET', '/.well-known/jwks.json');
    const { keys } = keySet.json as { keys: object[] };
    const hmac = (secret: string) =>
      new SignJWT(claimsOf(token))
        .setProtectedHeader({ alg: 'HS256', kid: header.kid!, typ: 'JWT' })
        .sign(createSecretKey(Buffer.from(secret)));
    const ours = async (to: { issuer?: string; audience?: string }, now = systemNow) =>
      (await signToken({ ...system, now }, claims, { ...parties, ...to })).token;
    const early = () => systemNow().subtract({ minutes: 6 });

    expect((await getUser(await ours({}))).status).toBe(200);
    const forged = {
      none: `${segment({ ...header, alg: 'none' })}.${body}.`,
      'none with a signature': `${segment({ ...header, alg: 'none' })}.${body}.${signature}`,
      'HS256 by the public key': await hmac(JSON.stringify(keys[0])),
      'HS256 by the key set': await hmac(keySet.text),
      'another claim': `${head}.${segment({ ...claimsOf(token), role: 'super_admin' })}.${signature}`,
      'another kid': `${segment({ ...header, kid: newId() })}.${body}.${signature}`,
      'a kid that is no id': `${segment({ ...header, kid: "' or true --" })}.${body}.${signature}`,
      'no kid': `${segment({ alg: 'ES256', typ: 'JWT' })}.${body}.${signature}`,
      'a key of its own': `${segment({ ...header, jwk: keys[0] })}.${body}.${signature}`,
      'a foreign issuer': await ours({ issuer: 'https://elsewhere.example/auth/v1' }),
      'a foreign audience': await ours({ audience: 'anon' }),
      expired: await ours({}, early),
      nothing: 'x',
    };
    for (const [how, one] of Object.entries(forged)) {
      expect(await getUser(one), how).toMatchObject({ status: 403, json: { code: 'bad_jwt' } });
      expect((await send('GET', '/api/me/devices', { token: one })).status, how).toBe(401);
    }
    expect(await send('GET', '/user')).toMatchObject({ status: 401, json: { code: 'no_authorization' } });
  });

  test('is verified once a call', async () => {
    const { email, factorId } = await withFactor();
    const { access_token: waiting } = await signIn(email);
    const { access_token: whole } = await signIn((await somebody()).email);
    const verified = vi.spyOn(crypto.subtle, 'verify');
    const body = { challenge_id: newId(), code: '000000' };
    for (const [token, method, path, sent] of [
      [whole, 'GET', '/user', {}],
      [whole, 'GET', '/api/me', {}],
      [whole, 'POST', '/factors', { body: { factor_type: 'totp' } }],
      [waiting, 'GET', '/user', {}],
      [waiting, 'POST', `/factors/${factorId}/verify`, { body }],
    ] as const) {
      verified.mockClear();
      await send(method, path, { token, ...sent });
      expect(verified, path).toHaveBeenCalledOnce();
    }
    verified.mockRestore();
  });

  test('for another person’s session is refused', async () => {
    const [one, other] = [await somebody(), await somebody()];
    const { session_id } = claimsOf((await signIn(one.email)).access_token);
    const claims: Claims = { sub: other.id, session_id, aal: 'aal1', amr: [] };
    const { token } = await signToken(system, claims, parties);
    expect(await getUser(token)).toMatchObject({ status: 403, json: { code: 'session_not_found' } });
  });

  test('ends with its key, whose successor is published before it signs', async () => {
    const { email } = await somebody();
    const { access_token: token, refresh_token } = await signIn(email);
    const { kid } = decodeProtectedHeader(token);
    const answer = await send('GET', '/.well-known/jwks.json');
    expect(answer.headers['cache-control']).toBe('public, max-age=600');
    expect(answer.text).not.toContain('"d"');
    const later = (span: Temporal.DurationLike) => ({ ...system, now: () => systemNow().add(span) });
    await rotateKeys(later({ hours: 31 * 24 }));
    await db
      .updateTable('program_keys')
      .set({ created_at: new Date(systemNow().epochMilliseconds) })
      .where('id', '!=', kid!)
      .execute();
    const { keys } = (await send('GET', '/.well-known/jwks.json')).json as { keys: { kid: string }[] };
    expect(keys.map((key) => key.kid)).toEqual([expect.not.stringMatching(kid!), kid]);
    const refreshed = (await refresh(refresh_token)).json as Tokens;
    expect(decodeProtectedHeader(refreshed.access_token).kid).toBe(kid);

    await rotateKeys(later({ minutes: 26 }));
    expect(await db.selectFrom('program_keys').select('id').execute()).toEqual([{ id: keys[0]!.kid }]);
    expect(await readToken(system, token, { ...parties, audience: [parties.audience] })).toBeNull();
    expect(await getUser(token)).toMatchObject({ status: 403, json: { code: 'bad_jwt' } });
    expect((await refresh(refreshed.refresh_token)).status).toBe(200);
  });

  test('opens the API without cookie and origin, and leaves the author’s words locked', async () => {
    const { id, email } = await somebody();
    const { access_token: token } = await signIn(email);
    expect((await send('GET', '/api/me', { token })).json).toMatchObject({ id, role: 'client' });
    const body = { fullName: 'Naomi Weiss' };
    expect((await send('POST', '/api/me/profile', { token, body })).status).toBe(200);
    expect((await send('GET', '/api/me/words', { token })).json).toMatchObject({ state: 'locked' });

    const browser = await server.signIn({ kind: 'person', id, role: 'client', sessionId: '' });
    const origin = null;
    expect(problemIn(await browser.send('POST', '/api/me/profile', { origin, body })).reason).toBe(
      'foreign_origin',
    );
    // A cookie doesn't count beside a token, so a forged one can't borrow it.
    const headers = { authorization: 'Bearer x' };
    const borrowed = await browser.send('POST', '/api/me/profile', { origin, body, headers });
    expect(problemIn(borrowed).code).toBe('unauthenticated');
    const out = await browser.send('POST', '/api/auth/sign-out', { origin, body: {}, headers });
    expect(problemIn(out).reason).toBe('foreign_origin');
    expect((await send('GET', '/api/me/devices', { token })).status, 'the password was set').toBe(401);
  });
});

describe('a refresh token', () => {
  test(
    'gets one successor from a hundred uses at once, and ends the session when replayed',
    { tags: ['long'] },
    async () => {
      // On a busy machine, the uses take longer than a race may.
      const still = await testServer({ settableClock: true, config: { mode: 'production' } });
      const { setNow, db: stillDb } = still.database;
      const program = programsOf(still);
      const at = systemNow();
      setNow(at.toString());
      const { id, email } = await program.somebody();
      const sessions = () => stillDb.selectFrom('sessions').select('id').where('user_id', '=', id).execute();
      const first = await program.signIn(email);
      const uses = Array.from({ length: 100 }, () => program.refresh(first.refresh_token));
      const answers = await Promise.all(uses);
      const successors = new Set(answers.map(({ json }) => (json as Tokens).refresh_token));
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(successors.size).toBe(1);
      expect(await sessions()).toHaveLength(1);

      const [successor] = successors;
      const next = (await program.refresh(successor!)).json as Tokens;
      setNow(at.add({ seconds: 10 }).toString());
      const raced = (await program.refresh(first.refresh_token)).json as Tokens;
      expect(raced.refresh_token).toBe(next.refresh_token);

      setNow(at.add({ milliseconds: 10_001 }).toString());
      expect(await program.refresh(first.refresh_token)).toMatchObject({
        status: 400,
        json: { code: 'refresh_token_already_used' },
      });
      expect(await sessions()).toEqual([]);
      expect(await program.send('GET', '/user', { token: next.access_token })).toMatchObject({ status: 403 });
      expect(await program.refresh(next.refresh_token)).toMatchObject({ status: 400 });
      const entries = await stillDb
        .selectFrom('audit_entries')
        .select(['action', 'success', 'details'])
        .where('subject_id', '=', id)
        .where('success', '=', false)
        .orderBy('id')
        .execute();
      expect(entries).toMatchObject([{ action: 'signed_in', details: { reason: 'refresh_token_used' } }]);
    },
  );

  test('is unique per session, whatever the program does', async () => {
    const { session_id } = decodeJwt<Claims>((await signIn((await somebody()).email)).access_token);
    const second = db.insertInto('program_tokens').values({ token: newId(), session_id, used_at: null });
    await expect(second.execute()).rejects.toMatchObject({ constraint: 'program_tokens_unused' });
  });

  test('is limited by session, not by network', { tags: ['long'] }, async () => {
    const { email } = await limited.somebody();
    const refreshes = async ({ refresh_token }: Tokens, times: number) => {
      const statuses: number[] = [];
      let token = refresh_token;
      for (let time = 0; time < times; time++) {
        const { status, json } = await limited.refresh(token);
        statuses.push(status);
        token = (json as Tokens).refresh_token;
      }
      return statuses;
    };
    const sessions = [await limited.signIn(email), await limited.signIn(email), await limited.signIn(email)];
    const [first, ...others] = await Promise.all([
      refreshes(sessions[0]!, 61),
      refreshes(sessions[1]!, 50),
      refreshes(sessions[2]!, 50),
    ]);
    expect(new Set(others.flat())).toEqual(new Set([200]));
    expect(first.indexOf(429)).toBe(60);
    expect((await limited.send('POST', '/recover', { body: { email } })).status).toBe(200);
  });

  test('and its copies end when the second factor is verified', async () => {
    const { email, factorId, secret } = await withFactor();
    const verify = async (token: string, code: string) => {
      const body = { challenge_id: newId(), code };
      return (await send('POST', `/factors/${factorId}/verify`, { token, body })).json as Tokens;
    };
    const whole = await verify((await signIn(email)).access_token, appCode(secret));
    const next = (await refresh(whole.refresh_token)).json as Tokens;
    const raised = await verify(next.access_token, appCode(secret, 1));
    for (const { refresh_token } of [whole, next])
      expect(await refresh(refresh_token)).toMatchObject({
        status: 400,
        json: { code: 'refresh_token_not_found' },
      });
    expect((await refresh(raised.refresh_token)).status).toBe(200);
  });

  test('is stored only as a hash, and refreshing is not use', async () => {
    const { id, email } = await somebody();
    const tokens = await signIn(email);
    const stored = JSON.stringify(await db.selectFrom('program_tokens').selectAll().execute());
    expect(stored).not.toContain(tokens.refresh_token);
    const idle = (minutes: number) =>
      db
        .updateTable('sessions')
        .set({ updated_at: new Date(systemNow().subtract({ minutes }).epochMilliseconds) })
        .where('user_id', '=', id)
        .execute();
    await idle(20);
    const refreshed = (await refresh(tokens.refresh_token)).json as Tokens;
    const used = await db
      .selectFrom('sessions')
      .select('updated_at')
      .where('user_id', '=', id)
      .executeTakeFirst();
    expect(systemNow().epochMilliseconds - used!.updated_at.getTime()).toBeGreaterThan(19 * 60_000);
    expect((await getUser(refreshed.access_token)).status).toBe(200);
    await idle(31);
    await expectEnded(refreshed);
  });
});

describe('a session', () => {
  test('is among the person’s devices, and ends from there at once', async () => {
    const { id, email } = await somebody();
    const browser = await server.signIn({ kind: 'person', id, role: 'client', sessionId: '' });
    // Signing in set the demo's password.
    const tokens = await signIn(email, 'peace-be-with-you');
    const { session_id: sessionId } = decodeJwt<Claims>(tokens.access_token);
    const devices = (await browser.send('GET', '/api/me/devices')).json as { id: string }[];
    expect(devices.map((device) => device.id)).toContain(sessionId);
    await browser.send('POST', '/api/me/reauthentication', { body: { password: 'peace-be-with-you' } });
    const ended = await browser.send('POST', `/api/me/devices/${sessionId}/sign-out`, { body: {} });
    expect(ended.status).toBe(200);
    await expectEnded(tokens);
  });

  test('ends at once when an administrator suspends the account, which can’t sign in then', async () => {
    const admin = await server.signIn(await addAdministrator(db));
    const { id, email } = await somebody();
    const tokens = await signIn(email);
    const body = { reason: 'other' };
    expect((await admin.send('POST', `/api/admin/users/${id}/suspend`, { body })).status).toBe(200);
    await expectEnded(tokens);
    expect(
      await send('POST', '/token?grant_type=password', { body: { email, password: programPassword } }),
    ).toMatchObject({ status: 403, json: { code: 'user_banned' } });
  });

  test('ends at once when an administrator changes the role', async () => {
    const admin = await server.signIn(await addAdministrator(db));
    const { id, email } = await somebody(await addProvider(db));
    const tokens = await signIn(email);
    const body = { from: 'doctor', to: 'client' };
    const { status, text } = await admin.send('POST', `/api/admin/users/${id}/role`, { body });
    expect(status, text).toBe(200);
    await expectEnded(tokens);
  });

  test('is announced by email, since a program is never a known device', async () => {
    const { id, email } = await somebody();
    await signIn(email);
    await signIn(email);
    await server.database.runJobs();
    const mails = await server.database.readMails((rows) => rows.where('recipient', '=', email));
    expect(mails.map(({ kind }) => kind)).toEqual(['account_security', 'account_security']);
    const known = await db.selectFrom('known_devices').select('id').where('user_id', '=', id).execute();
    expect(known).toEqual([]);
  });
});

describe('a second factor', () => {
  test('is not skipped by any grant: a sign-in that waits for it opens nothing else', async () => {
    const { id, email, factorId, secret } = await withFactor();
    await send('POST', '/otp', { body: { email } });
    const byCode = await send('POST', '/verify', {
      body: { email, token: await codeFor(email), type: 'email' },
    });
    const waiting = await signIn(email);
    for (const { access_token: token, refresh_token } of [waiting, byCode.json as Tokens]) {
      expect(decodeJwt(token)).toMatchObject({ aud: 'second-factor', aal: 'aal1' });
      expect(decodeJwt(token)).not.toHaveProperty('role');
      expect((await getUser(token)).json).toEqual({
        id,
        aud: 'second-factor',
        factors: [expect.objectContaining({ id: factorId, status: 'verified' })],
      });
      const refused = [
        await send('PUT', '/user', { token, body: { data: { full_name: 'Stranger' } } }),
        await send('GET', '/reauthenticate', { token }),
        await send('DELETE', `/factors/${factorId}`, { token }),
      ];
      for (const answer of refused)
        expect(answer).toMatchObject({ status: 403, json: { code: 'insufficient_aal' } });
      expect((await enroll(token)).status).toBe(422);
      expect((await send('GET', '/api/me/devices', { token })).status).toBe(401);
      expect((await refresh(refresh_token)).status).toBe(400);
    }
    expect(await sessionsOf(id)).toEqual([]);

    const verify = (token: string, code: string) =>
      send('POST', `/factors/${factorId}/verify`, { token, body: { challenge_id: newId(), code } });
    expect(codeIn(await verify(waiting.access_token, '000000'))).toBe('mfa_verification_failed');
    const code = appCode(secret);
    expect((await verify((byCode.json as Tokens).access_token, code)).json).toMatchObject({ user: { id } });
    expect(codeIn(await verify(waiting.access_token, code)), 'a code works once').toBe(
      'mfa_verification_failed',
    );
    const another = await withFactor();
    const foreign = await send('POST', `/factors/${another.factorId}/verify`, {
      token: waiting.access_token,
      body: { challenge_id: newId(), code },
    });
    expect(codeIn(foreign)).toBe('mfa_factor_not_found');
    expect((await send('POST', '/logout', { token: waiting.access_token })).status).toBe(204);
    expect((await verify(waiting.access_token, code)).status).toBe(403);
    expect(await sessionsOf(id)).toHaveLength(1);
  });

  test('ends sign-ins that wait for it when an administrator resets it', async () => {
    const admin = await addAdministrator(db);
    const { id, email } = await withFactor();
    const { access_token: token } = await signIn(email);
    const ctx = server.database.as(await freshSession(db, admin));
    await resetSecondFactor(ctx, { id });
    expect(await enroll(token)).toMatchObject({ status: 403, json: { code: 'bad_jwt' } });
  });

  test('no longer finishes a sign-in after the password changed', async () => {
    const { id, email, factorId, secret } = await withFactor();
    const { access_token: token } = await signIn(email);
    await db.updateTable('credentials').set({ password: 'another' }).where('user_id', '=', id).execute();
    const body = { challenge_id: newId(), code: appCode(secret) };
    const answer = await send('POST', `/factors/${factorId}/verify`, { token, body });
    expect(answer).toMatchObject({ status: 403, json: { code: 'session_not_found' } });
    expect(await sessionsOf(id)).toEqual([]);
  });

  test('is added and removed only with a fresh proof, by tokens from after that', async () => {
    const tokens = await signIn((await somebody()).email);
    expect(codeIn(await enroll(tokens.access_token)), 'just signed in').toBe('reauthentication_needed');
    const wrong = { token: tokens.access_token, body: { current_password: 'wrong' } };
    expect(codeIn(await send('PUT', '/user', wrong))).toBe('invalid_credentials');
    expect(codeIn(await enroll(tokens.access_token))).toBe('reauthentication_needed');
    const proven = await confirmIdentity(tokens);
    expect(codeIn(await enroll(await olderCopy(proven.access_token)))).toBe('reauthentication_needed');
    expect((await enroll(proven.access_token)).status).toBe(200);

    const { id, email, factorId, secret } = await withFactor();
    const waiting = await signIn(email);
    const verify = { challenge_id: newId(), code: appCode(secret) };
    const path = `/factors/${factorId}`;
    const { json } = await send('POST', `${path}/verify`, { token: waiting.access_token, body: verify });
    const remove = (token: string) => send('DELETE', path, { token });
    expect(codeIn(await remove((json as Tokens).access_token)), 'no password').toBe(
      'reauthentication_needed',
    );
    const shift = (minutes: number) =>
      db
        .updateTable('program_sessions')
        .set({ factor_at: sql`factor_at + make_interval(mins => ${minutes})` })
        .where('session_id', 'in', db.selectFrom('sessions').select('id').where('user_id', '=', id))
        .execute();
    await shift(-6);
    const { access_token: old, refresh_token } = await confirmIdentity(json as Tokens);
    expect(codeIn(await remove(old)), 'no recent code').toBe('reauthentication_needed');
    await shift(6);
    const both = await confirmIdentity({ ...(json as Tokens), access_token: old, refresh_token });
    expect(codeIn(await remove(await olderCopy(both.access_token)))).toBe('reauthentication_needed');
    expect((await remove(both.access_token)).status).toBe(200);
  });

  test('doesn’t remove a factor verified meanwhile without a code', async () => {
    const { id, email } = await somebody();
    const { access_token: token } = await confirmIdentity(await signIn(email));
    const { id: factorId } = (await enroll(token)).json as { id: string };
    const removed = await db.transaction().execute(async (tx) => {
      const confirmed_at = new Date(systemNow().epochMilliseconds);
      await tx.updateTable('second_factors').set({ confirmed_at }).where('id', '=', factorId).execute();
      const answer = send('DELETE', `/factors/${factorId}`, { token });
      await expect.poll(() => blockedConnections(db)).toBe(1);
      return { answer };
    });
    expect(codeIn(await removed.answer)).toBe('reauthentication_needed');
    expect(
      await db.selectFrom('second_factors').select('id').where('user_id', '=', id).execute(),
    ).toHaveLength(1);
  });

  test('is set up during sign-in where the site requires one', async () => {
    await db.updateTable('site_settings').set({ require_two_factor: true }).execute();
    try {
      const { id, email } = await somebody();
      const { access_token: token } = await signIn(email);
      expect(await sessionsOf(id)).toEqual([]);
      const enrolled = await enroll(token);
      const { id: factorId, totp } = enrolled.json as { id: string; totp: { secret: string } };
      const body = { challenge_id: newId(), code: appCode(totp.secret) };
      const { json } = await send('POST', `/factors/${factorId}/verify`, { token, body });
      expect(decodeJwt((json as Tokens).access_token)).toMatchObject({ aal: 'aal2', sub: id });
      expect(json).not.toHaveProperty('backupCodes');
    } finally {
      await db.updateTable('site_settings').set({ require_two_factor: false }).execute();
    }
  });
});

describe('a stranger', () => {
  test('is logged with input that breaks the contract, without its content', async () => {
    const logged = () =>
      db
        .selectFrom('audit_entries')
        .where('action', '=', 'refused.programs')
        .select(['actor_kind', 'subject_id', 'details'])
        .orderBy('id')
        .execute();
    const before = (await logged()).length;
    const path = '/token?grant_type=password';
    expect((await send('POST', path, { body: { email: 'a-secret-of-theirs' } })).status).toBe(400);
    const wrong = { email: 'nobody.there@italk.test', password: 'not-the-password' };
    expect((await send('POST', path, { body: wrong })).status).toBe(400);
    expect((await logged()).slice(before)).toEqual([
      { actor_kind: 'guest', subject_id: null, details: { reason: 'fields' } },
    ]);
  });

  test('learns nothing about which addresses have accounts', { tags: ['long'] }, async () => {
    const { email: known } = await somebody();
    const unknown = 'nobody.here@italk.test';
    const calls: [string, (email: string) => object][] = [
      ['/token?grant_type=password', (email) => ({ email, password: 'not-the-password' })],
      ['/otp', (email) => ({ email })],
      ['/verify', (email) => ({ email, token: '000000', type: 'email' })],
      ['/recover', (email) => ({ email })],
      ['/resend', (email) => ({ email, type: 'signup' })],
      ['/signup', (email) => ({ email, password: programPassword, data: { full_name: 'Ruth' } })],
    ];
    for (const [path, body] of calls) {
      const [one, other] = [
        await send('POST', path, { body: body(known) }),
        await send('POST', path, { body: body(unknown) }),
      ];
      const plain = ({ status, text }: Answer, email: string) =>
        `${status} ${text.replaceAll(email, 'E').replaceAll(/[0-9a-f-]{36}|[0-9T:.-]{23}Z/g, '#')}`;
      expect(plain(one, known), path).toBe(plain(other, unknown));
    }
  });

  test('can’t choose a role at sign-up', async () => {
    const email = 'self.made@italk.test';
    const role = 'super_admin';
    const body = { email, password: programPassword, role, data: { role }, app_metadata: { role } };
    const answer = await send('POST', '/signup', { body });
    expect(answer.text).not.toContain(role);
    const rows = await db.selectFrom('sign_ups').selectAll().where('email', '=', email).execute();
    expect(JSON.stringify(rows)).not.toContain(role);
  });

  test('shares the tries of the browser’s sign-in, codes included', async () => {
    const { email } = await limited.somebody();
    const password = (given: string) =>
      limited.send('POST', '/token?grant_type=password', { body: { email, password: given } });
    for (let tries = 0; tries < 5; tries++) {
      expect((await password('wrong')).status).toBe(400);
      const body = { email, password: 'wrong' };
      expect((await strict.guest.send('POST', '/api/auth/sign-in/email', { body })).status).toBe(401);
    }
    expect(await password(programPassword)).toMatchObject({
      status: 429,
      json: { code: 'over_request_rate_limit' },
    });

    const other = await limited.somebody();
    for (let mails = 0; mails < 3; mails++)
      expect((await limited.send('POST', '/otp', { body: { email: other.email } })).status).toBe(200);
    expect((await limited.send('POST', '/otp', { body: { email: other.email } })).status).toBe(429);
    const code = await limited.codeFor(other.email);
    const verify = (token: string) =>
      limited.send('POST', '/verify', { body: { email: other.email, token, type: 'email' } });
    for (let tries = 0; tries < 5; tries++)
      expect((await verify(code === '111111' ? '222222' : '111111')).status).toBe(403);
    expect(codeIn(await verify(code)), 'five tries used up').toBe('otp_expired');
  });

  test('can’t use up the tries of a code that someone asked for elsewhere', async () => {
    const { email } = await limited.somebody();
    const from = (network: string) => ({ 'x-forwarded-for': network });
    const otp = () => limited.send('POST', '/otp', { body: { email }, headers: from('192.0.2.1') });
    expect((await otp()).status).toBe(200);
    const code = await limited.codeFor(email);
    const wrong = code === '111111' ? '222222' : '111111';
    const verify = (token: string, network: string) =>
      limited.send('POST', '/verify', { body: { email, token, type: 'email' }, headers: from(network) });
    const statuses: number[] = [];
    for (let network = 1; network <= 31; network++)
      statuses.push((await verify(wrong, `198.51.100.${network}`)).status);
    expect(statuses).toEqual([...Array<number>(30).fill(403), 429]);
    expect((await verify(wrong, '192.0.2.1')).status).toBe(403);
    expect((await verify(code, '203.0.113.9')).status, 'the day’s tries from elsewhere').toBe(429);
    expect((await verify(code, '192.0.2.1')).status).toBe(200);
  });

  test('can’t end a code that someone asked for elsewhere', async () => {
    const { email } = await limited.somebody();
    const from = (network: string) => ({ 'x-forwarded-for': network });
    const otp = (network: string) =>
      limited.send('POST', '/otp', { body: { email }, headers: from(network) });
    await otp('192.0.2.7');
    const token = await limited.codeFor(email);
    const requests = [];
    for (let time = 0; time < 4; time++) requests.push((await otp('203.0.113.7')).status);
    expect(requests).toEqual([200, 200, 200, 429]);
    const body = { email, token, type: 'email' };
    expect((await limited.send('POST', '/verify', { body, headers: from('192.0.2.7') })).status).toBe(200);
  });

  test('doesn’t stop someone whose network changed after asking', async () => {
    const { email } = await limited.somebody();
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    await limited.send('POST', '/otp', { body: { email }, headers });
    const body = { email, token: await limited.codeFor(email), type: 'email' };
    expect((await limited.send('POST', '/verify', { body })).status).toBe(200);
  });

  test('can’t use a code in a program that a browser asked for, or the other way around', async () => {
    const { email } = await somebody();
    const asked = await server.guest.send('POST', '/api/auth/request-sign-in-code', { body: { email } });
    const browsers = await codeFor(email);
    const verify = await send('POST', '/verify', { body: { email, token: browsers, type: 'email' } });
    expect(codeIn(verify)).toBe('otp_expired');
    await send('POST', '/otp', { body: { email } });
    const programs = await codeFor(email);
    const mails = await server.database.readMails((rows) => rows.where('recipient', '=', email));
    const [byBrowser, byProgram] = mails.map(({ text_body: text }) => text);
    expect(byBrowser).toMatch(/\/sign-in-code\?\S*#\d{6}/);
    expect(byProgram, 'a link would open in a browser, which can’t use it').not.toMatch(/:\/\/|#\d/);
    const cookie = (asked.headers['set-cookie'] as string[])[0]!.split(';')[0]!;
    const entered = await server.guest.send('POST', '/api/auth/sign-in/code', {
      body: { emailCode: programs },
      headers: { cookie },
    });
    expect(problemIn(entered).reason).toBe('wrong_code');
  });
});

const calls: [method: string, path: string][] = [
  ['GET', '/.well-known/jwks.json'],
  ['GET', '/health'],
  ['GET', '/settings'],
  ['POST', '/signup'],
  ['POST', '/token?grant_type=password'],
  ['POST', '/token?grant_type=refresh_token'],
  ['POST', '/otp'],
  ['POST', '/verify'],
  ['POST', '/recover'],
  ['POST', '/resend'],
  ['GET', '/user'],
  ['PUT', '/user'],
  ['GET', '/reauthenticate'],
  ['POST', '/logout?scope=local'],
  ['POST', '/factors'],
  ['POST', `/factors/${newId()}/challenge`],
  ['POST', `/factors/${newId()}/verify`],
  ['DELETE', `/factors/${newId()}`],
  ['DELETE', `/user/identities/${newId()}`],
];

test('is not found anywhere while Mobile App Access is off, tokens on the API included', async () => {
  const { email } = await somebody();
  const { access_token: token } = await signIn(email);
  await setFlag('mobile_app_access', false);
  for (const [method, path] of [...calls, ['GET', '/nowhere'] as const]) {
    const body = method === 'GET' ? {} : { body: { email, password: programPassword } };
    const problem = problemIn(await send(method, path, { token, ...body }));
    expect(problem, path).toMatchObject({ code: 'not_found', reason: 'no_such_route' });
  }
  expect((await send('GET', '/api/me/devices', { token })).status).toBe(401);
  await setFlag('mobile_app_access', true);
  expect((await getUser(token)).status).toBe(200);
});

test('lets in only people whom Mobile App Access covers, and opens no session for others', async () => {
  const { id, email } = await somebody();
  const { access_token: token, refresh_token } = await signIn(email);
  await db
    .updateTable('feature_flags')
    .set({ scope: 'role_based', roles: ['doctor'] })
    .where('id', '=', 'mobile_app_access')
    .execute();
  expect((await getUser(token)).status).toBe(403);
  expect((await refresh(refresh_token)).status).toBe(400);
  const before = await sessionsOf(id);
  const byPassword = { email, password: programPassword };
  expect((await send('POST', '/token?grant_type=password', { body: byPassword })).status).toBe(404);
  await send('POST', '/otp', { body: { email } });
  const byCode = { email, token: await codeFor(email), type: 'email' };
  expect((await send('POST', '/verify', { body: byCode })).status).toBe(404);
  expect(await sessionsOf(id)).toEqual(before);
  const entries = await db
    .selectFrom('audit_entries')
    .select(['success', 'details'])
    .where('subject_id', '=', id)
    .where('action', 'in', ['signed_in', 'signed_out'])
    .orderBy('id')
    .execute();
  const refused = { success: false, details: { reason: 'feature_off' } };
  expect(entries).toMatchObject([{ success: true }, refused, refused]);
  await setFlag('mobile_app_access', true);
  expect((await send('POST', '/verify', { body: byCode })).status, 'the code is still good').toBe(200);
});

test('answers the grants and providers that aren’t enabled with a closed error', async () => {
  for (const [method, path] of [
    ['POST', '/token?grant_type=pkce'],
    ['POST', '/token?grant_type=id_token'],
    ['POST', '/token?grant_type=web3'],
    ['POST', '/sso'],
    ['GET', '/authorize?provider=google'],
    ['GET', '/user/identities/authorize?provider=google'],
  ] as const) {
    const body = method === 'POST' ? { body: {} } : {};
    expect(await send(method, path, body), path).toMatchObject({
      status: 422,
      json: { code: 'provider_disabled' },
    });
  }
  expect(codeIn(await send('POST', '/token?grant_type=constructor', { body: {} }))).toBe('validation_failed');
  expect(codeIn(await send('POST', '/signup', { body: {} }))).toBe('anonymous_provider_disabled');
  expect(codeIn(await send('POST', '/otp', { body: { phone: '+15550100' } }))).toBe(
    'phone_provider_disabled',
  );
});

test('refuses malformed and oversized bodies with closed codes', { tags: ['long'] }, async () => {
  const { email } = await somebody();
  const { access_token: token } = await signIn(email);
  const long = 'x'.repeat(70_000);
  const bodies: unknown[] = [
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '\u0000',
    { email: 5, password: [], token: {}, refresh_token: null, type: 'other', data: 'x', code: {} },
    { email: 'x', password: '', token: 'x', refresh_token: '', factor_type: 'phone', nonce: 'x' },
    {
      email,
      password: 'x'.repeat(1_000),
      refresh_token: 'x'.repeat(1_000),
      token: '0'.repeat(1_000),
      type: 'email',
    },
    { email: `${'x'.repeat(300)}@italk.test`, password: long.slice(0, 60_000) },
    { email, password: '\u0000', refresh_token: '\u0000', data: { full_name: '\u0000' }, code: '\u0000' },
    { __proto__: null, constructor: 1 },
    { email, password: long },
  ];
  for (const [method, path] of calls.filter(([one]) => one !== 'GET' && one !== 'DELETE')) {
    if (path.startsWith('/logout')) continue;
    for (const body of bodies) {
      const answer = await send(method, path, { token, body });
      const what = `${method} ${path} ${JSON.stringify(body).slice(0, 60)} ${answer.text}`;
      expect(answer.status, what).toBeLessThan(500);
      if (answer.status < 400) continue;
      const { code, error_code, msg, weak_password: _, ...rest } = answer.json as Record<string, string>;
      expect(code, what).toMatch(/^[a-z0-9_]+$/);
      expect(error_code, what).toBe(code);
      expect(msg, what).toMatch(/^[A-Z].{5,120}$/);
      expect(rest, what).toEqual({});
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['x-supabase-api-version']).toBe('2024-01-01');
    }
  }
  const chunked = await send('POST', '/otp', { body: '{}', headers: { 'transfer-encoding': 'chunked' } });
  expect(chunked.status).toBe(411);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await send('POST', '/otp', { body: `email=${email}`, headers: form })).status).toBe(400);
});

test('allows no other site’s pages: no CORS headers and no cookies', async () => {
  const origin = 'https://elsewhere.example';
  const preflight = await send('OPTIONS', '/token?grant_type=password', {
    origin,
    headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  });
  expect(preflight.status).toBe(404);
  const { email } = await somebody();
  const body = { email, password: programPassword };
  const signedIn = await send('POST', '/token?grant_type=password', { origin, body });
  for (const { headers } of [preflight, signedIn]) {
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers).not.toHaveProperty('set-cookie');
  }
});

test('logs no address, secret or token', async () => {
  const { email } = await withFactor();
  const waiting = await signIn(email);
  const person = await somebody();
  const tokens = await signIn(person.email);
  await refresh('not-a-refresh-token');
  await getUser(`${tokens.access_token}x`);
  const logged = server.log.join('\n');
  for (const secret of [
    email,
    person.email,
    programPassword,
    waiting.access_token,
    tokens.access_token,
    tokens.refresh_token,
  ])
    expect(logged).not.toContain(secret);
});

test('gives an administrator’s session the administrator’s API, with the same confirmation first', async () => {
  const admin = await addAdministrator(db);
  await server.signIn(admin);
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', admin.id)
    .executeTakeFirstOrThrow();
  const { access_token: token, refresh_token } = await signIn(email, 'peace-be-with-you');
  const found = await send('POST', '/api/admin/users/list', { token, body: {} });
  expect(found.status, found.text).toBe(200);
  const { id } = await addClient(db);
  const suspend = (by: string) =>
    send('POST', `/api/admin/users/${id}/suspend`, { token: by, body: { reason: 'other' } });
  expect(problemIn(await suspend(token)).reason).toBe('reauthentication_required');
  const confirm = { token, body: { password: 'peace-be-with-you' } };
  expect((await send('POST', '/api/me/reauthentication', confirm)).status).toBe(200);
  const proven = (await refresh(refresh_token)).json as Tokens;
  expect(problemIn(await suspend(await olderCopy(proven.access_token))).reason).toBe(
    'reauthentication_required',
  );
  expect((await suspend(proven.access_token)).status).toBe(200);
});
