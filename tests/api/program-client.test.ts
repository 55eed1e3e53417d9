import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { systemNow } from '#/platform/clock.ts';
import { appCode, programPassword, programsOf } from '../support/programs.ts';
import { testServer } from '../support/server.ts';
import { openTestSms } from '../support/sms.ts';

const texts = await openTestSms();
afterAll(() => texts.close());
const server = await testServer({ config: { mode: 'production', sms: texts.config } });
const { db } = server.database;
const { somebody, client, codeFor } = programsOf(server);

const newPassword = 'a-calm-harbor-77';

await db
  .updateTable('feature_flags')
  .set({ enabled: true, scope: 'global' })
  .where('id', '=', 'two_factor_authentication')
  .execute();

/** Confirms who it is with the password; tokens from before that don't count. */
async function confirm(auth: ReturnType<typeof client>): Promise<void> {
  expect((await auth.updateUser({ current_password: programPassword })).error).toBeNull();
  expect((await auth.refreshSession()).error).toBeNull();
}

test('signs up, and signs in once the address is confirmed', async () => {
  const auth = client();
  const email = 'ruth.new@italk.test';
  const options = { data: { full_name: 'Ruth Amsel', role: 'super_admin' } };
  const { data, error } = await auth.signUp({ email, password: programPassword, options });
  expect(error).toBeNull();
  expect(data).toMatchObject({ session: null, user: { email, user_metadata: { full_name: 'Ruth Amsel' } } });
  const early = await auth.signInWithPassword({ email, password: programPassword });
  expect(early.error).toMatchObject({ code: 'invalid_credentials', status: 400 });
  expect((await auth.resend({ type: 'signup', email })).error).toBeNull();
  // Links are made by jobs, whose clock tests set.
  server.database.setNow(systemNow().toString());
  await server.database.runJobs();
  const mails = await server.database.readMails((rows) => rows.where('recipient', '=', email));
  expect(mails).toHaveLength(2);
  // Nothing in a program proves who signed up, so the mailbox's owner chooses a name and password in the browser.
  const [, token] = /\/verify\S*#([\w-]+)/.exec(mails[1]!.text_body)!;
  const followed = await server.guest.send('POST', '/api/auth/verify-email', { body: { token } });
  const { resetToken } = followed.json as { resetToken: string };
  expect(followed.json).toMatchObject({ signedIn: false, asksName: true });
  const chosen = { token: resetToken, newPassword, name: 'Ruth Amsel' };
  await server.guest.send('POST', '/api/auth/reset-password', { body: chosen });
  expect((await auth.signInWithPassword({ email, password: programPassword })).error).toMatchObject({
    code: 'invalid_credentials',
  });
  const signedIn = await auth.signInWithPassword({ email, password: newPassword });
  expect(signedIn.data.user).toMatchObject({ role: 'client', user_metadata: { full_name: 'Ruth Amsel' } });
});

test('signs in with a password, reads, refreshes and verifies its tokens, and signs out', async () => {
  const { id, email } = await somebody();
  const auth = client();
  const events: string[] = [];
  auth.onAuthStateChange((event) => void events.push(event));
  const { data, error } = await auth.signInWithPassword({ email, password: programPassword });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ id, email, role: 'client', aud: 'authenticated', factors: [] });
  expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 300 });
  expect((await auth.getUser()).data.user).toMatchObject({ id, email });

  const refreshed = await auth.refreshSession();
  expect(refreshed.error).toBeNull();
  expect(refreshed.data.session!.refresh_token).not.toBe(data.session!.refresh_token);

  const { data: claims } = await auth.getClaims();
  expect(claims!.header).toMatchObject({ alg: 'ES256', typ: 'JWT' });
  const { iss, aud, sub, exp, iat, session_id: sessionId, amr, ...others } = claims!.claims;
  expect({ iss, aud, sub }).toEqual({
    iss: `${server.config.appUrl}/auth/v1`,
    aud: 'authenticated',
    sub: id,
  });
  expect(exp - iat).toBe(300);
  expect(others).toEqual({ role: 'client', email, aal: 'aal1' });
  expect(amr).toMatchObject([{ method: 'password' }]);
  const sessions = await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute();
  expect(sessions).toEqual([{ id: sessionId }]);

  expect((await auth.signOut()).error).toBeNull();
  expect(await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual([]);
  expect(events).toEqual(expect.arrayContaining(['SIGNED_IN', 'TOKEN_REFRESHED', 'SIGNED_OUT']));
  const wrong = await auth.signInWithPassword({ email, password: 'wrong' });
  expect(wrong.error).toMatchObject({ code: 'invalid_credentials', status: 400 });
});

test('changes name and password', async () => {
  const { email } = await somebody();
  const auth = client();
  const elsewhere = client();
  await auth.signInWithPassword({ email, password: programPassword });
  await elsewhere.signInWithPassword({ email, password: programPassword });
  const named = await auth.updateUser({ data: { full_name: 'Naomi Weiss', role: 'super_admin' } });
  expect(named.data.user).toMatchObject({ role: 'client', user_metadata: { full_name: 'Naomi Weiss' } });

  expect((await auth.updateUser({ password: newPassword })).error).toMatchObject({
    code: 'reauthentication_needed',
  });
  const wrong = await auth.updateUser({ password: newPassword, current_password: 'wrong' });
  expect(wrong.error).toMatchObject({ code: 'invalid_credentials' });
  const weak = await auth.updateUser({ password: 'password1', current_password: programPassword });
  expect(weak.error).toMatchObject({ name: 'AuthWeakPasswordError', code: 'weak_password' });
  const changed = await auth.updateUser({ password: newPassword, current_password: programPassword });
  expect(changed.error).toBeNull();
  expect((await auth.getUser()).error).toBeNull();
  expect((await elsewhere.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
  const again = await client().signInWithPassword({ email, password: newPassword });
  expect(again.error).toBeNull();
  expect((await auth.updateUser({ phone: '12125550123' })).error).toMatchObject({ status: 422 });
});

test('asks for another email, which both addresses confirm', async () => {
  const { email } = await somebody();
  const auth = client();
  await auth.signInWithPassword({ email, password: programPassword });
  const wanted = `new.${email}`;
  const both = { email: wanted, password: newPassword, current_password: programPassword };
  for (const [change, error] of [
    [{ email: wanted }, { code: 'reauthentication_needed', status: 403 }],
    [{ email: wanted, current_password: 'wrong' }, { code: 'invalid_credentials' }],
    [{ email: 'nobody', current_password: programPassword }, { status: 400 }],
    [both, { status: 422 }],
  ] as const)
    expect((await auth.updateUser(change)).error).toMatchObject(error);
  const unchanged = await auth.updateUser({ email, data: { full_name: 'Naomi Weiss' } });
  expect(unchanged.data.user).toMatchObject({ email, user_metadata: { full_name: 'Naomi Weiss' } });
  expect(unchanged.data.user).not.toHaveProperty('new_email');

  const asked = await auth.updateUser({ email: wanted, current_password: programPassword });
  expect(asked.error).toBeNull();
  expect(asked.data.user).toMatchObject({ email, new_email: wanted });
  expect(Date.parse(asked.data.user!.email_change_sent_at!)).not.toBeNaN();
  await server.database.runJobs();
  for (const [side, address] of Object.entries({ former: email, new: wanted })) {
    const mails = await server.database.readMails((rows) =>
      rows.where('recipient', '=', address).where('kind', '=', 'address_change'),
    );
    const token = /email-change#([\w-]+)/.exec(mails[0]!.text_body)![1];
    const followed = await server.guest.send('POST', '/api/email-change/confirm', { body: { token } });
    expect(followed.json).toEqual({ address: wanted, side, changed: side === 'new' });
  }
  const { user } = (await auth.getUser()).data;
  expect(user).toMatchObject({ email: wanted });
  expect(user).not.toHaveProperty('new_email');
});

test('sets a new password with the code that reauthentication emails', async () => {
  const { id, email } = await somebody();
  const auth = client();
  await auth.signInWithPassword({ email, password: programPassword });
  expect((await auth.reauthenticate()).error).toBeNull();
  const nonce = await codeFor(email);
  const mails = await server.database.readMails((rows) => rows.where('kind', '=', 'confirmation_code'));
  expect(mails).toMatchObject([{ recipient: email, subject: 'Confirm it’s you on iTalk Health' }]);
  expect(mails[0]!.text_body).toContain('to set a new password');
  expect(mails[0]!.text_body, 'no link signs in').not.toContain('://');
  const stranger = client();
  await stranger.signInWithPassword({ email, password: programPassword });
  const elsewhere = await stranger.updateUser({ password: newPassword, nonce });
  expect(elsewhere.error).toMatchObject({ code: 'otp_expired' });
  const typo = await auth.updateUser({
    password: newPassword,
    nonce: nonce === '111111' ? '222222' : '111111',
  });
  expect(typo.error).toMatchObject({ code: 'otp_expired' });
  const refused = await db
    .selectFrom('audit_entries')
    .select(['action', 'details'])
    .where('subject_id', '=', id)
    .where('success', '=', false)
    .orderBy('id')
    .execute();
  expect(refused).toMatchObject([{ action: 'password_set', details: { reason: 'wrong_code' } }]);
  expect((await auth.updateUser({ password: newPassword, nonce })).error).toBeNull();
  expect((await client().signInWithPassword({ email, password: newPassword })).error).toBeNull();
  const used = await auth.updateUser({ password: programPassword, nonce });
  expect(used.error).toMatchObject({ code: 'otp_expired' });
});

test('signs in with an emailed code', async () => {
  const { id, email } = await somebody();
  const auth = client();
  expect((await auth.signInWithOtp({ email })).error).toBeNull();
  const token = await codeFor(email);
  const wrong = await auth.verifyOtp({
    email,
    token: token === '111111' ? '222222' : '111111',
    type: 'email',
  });
  expect(wrong.error).toMatchObject({ code: 'otp_expired', status: 403 });
  const { data, error } = await auth.verifyOtp({ email, token, type: 'email' });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ id });
  expect((await auth.getClaims()).data!.claims.amr).toMatchObject([{ method: 'otp' }]);
  expect((await auth.verifyOtp({ email, token, type: 'email' })).error).toMatchObject({
    code: 'otp_expired',
  });
});

test('signs in with a texted code, which never makes an account', async () => {
  const { id } = await somebody();
  const phone = '+12125550123';
  const created_at = new Date();
  await db.insertInto('sign_in_phones').values({ user_id: id, number: phone, created_at }).execute();
  const offered = await server.guest.send('GET', '/auth/v1/settings', { origin: null });
  expect(offered.json).toMatchObject({ external: { phone: true }, sms_provider: 'twilio' });
  const auth = client();
  expect((await auth.signInWithOtp({ phone })).error).toBeNull();
  await server.database.runJobs();
  const token = texts.codeTo(phone);
  // Without the line that binds it to a website.
  expect(texts.sent).toMatchObject([{ body: `${token} is your sign-in code. It works for 10 minutes.` }]);
  const another = token === '111111' ? '222222' : '111111';
  const wrong = await auth.verifyOtp({ phone, token: another, type: 'sms' });
  expect(wrong.error).toMatchObject({ code: 'otp_expired', status: 403 });
  // The published service also accepts numbers without the plus.
  const { data, error } = await auth.verifyOtp({ phone: phone.slice(1), token, type: 'sms' });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({
    id,
    phone: '12125550123',
    phone_confirmed_at: created_at.toISOString(),
    app_metadata: { providers: ['email', 'phone'] },
  });
  expect((await auth.getClaims()).data!.claims).not.toHaveProperty('phone');
  const again = await auth.verifyOtp({ phone, token, type: 'sms' });
  expect(again.error).toMatchObject({ code: 'otp_expired' });

  const unknown = '+12125550124';
  const before = await db.selectFrom('users').select('id').execute();
  const options = { shouldCreateUser: true };
  expect((await auth.signInWithOtp({ phone: unknown, options })).error).toBeNull();
  expect((await auth.resend({ phone: unknown, type: 'sms' })).error).toBeNull();
  await server.database.runJobs();
  expect(texts.sent).toHaveLength(1);
  expect(await db.selectFrom('users').select('id').execute()).toEqual(before);
  const guessed = await auth.verifyOtp({ phone: unknown, token: '123456', type: 'sms' });
  expect(guessed.error).toMatchObject({ code: 'otp_expired' });
});

test('refuses what texts don’t do, with the client’s codes', async () => {
  const auth = client();
  const phone = '+12125550125';
  expect((await auth.signInWithOtp({ phone: '+447911123456' })).error).toMatchObject({ status: 400 });
  const whatsapp = { channel: 'whatsapp' } as const;
  expect((await auth.signInWithOtp({ phone, options: whatsapp })).error).toMatchObject({ status: 400 });
  expect((await auth.signUp({ phone, password: programPassword })).error).toMatchObject({
    code: 'phone_provider_disabled',
  });
  const change = await auth.verifyOtp({ phone, token: '123456', type: 'phone_change' });
  expect(change.error).toMatchObject({ code: 'validation_failed' });
});

test('asks for a new password by emailed link', async () => {
  const { email } = await somebody();
  expect((await client().resetPasswordForEmail(email)).error).toBeNull();
  await server.database.runJobs();
  const [mail] = await server.database.readMails((rows) => rows.where('recipient', '=', email));
  expect(mail!.text_body).toMatch(/\/reset-password\S*#[\w-]{20,}/);
});

test('sets up a second factor, signs in with it and removes it', async () => {
  const { id, email } = await somebody();
  const auth = client();
  await auth.signInWithPassword({ email, password: programPassword });
  expect((await auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject({
    code: 'reauthentication_needed',
  });
  await confirm(auth);
  const enrolled = await auth.mfa.enroll({ factorType: 'totp' });
  expect(enrolled.error).toBeNull();
  const { id: factorId, totp } = enrolled.data!;
  expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /);
  expect(totp.uri).toContain(totp.secret);
  const { data: challenge } = await auth.mfa.challenge({ factorId });
  const challengeId = challenge!.id;
  const wrong = await auth.mfa.verify({ factorId, challengeId, code: '000000' });
  expect(wrong.error).toMatchObject({ code: 'mfa_verification_failed' });
  const code = appCode(totp.secret);
  expect((await auth.mfa.verify({ factorId, challengeId, code })).error).toBeNull();
  expect((await auth.mfa.listFactors()).data!.totp).toMatchObject([{ id: factorId, status: 'verified' }]);
  expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    nextLevel: 'aal2',
  });
  expect((await auth.refreshSession()).error).toBeNull();
  expect((await auth.getClaims()).data!.claims.aal).toBe('aal2');

  const other = client();
  const { data, error } = await other.signInWithPassword({ email, password: programPassword });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ id, factors: [{ id: factorId, status: 'verified' }] });
  expect((await other.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal2',
  });
  // Each code works once.
  const verified = await other.mfa.challengeAndVerify({ factorId, code: appCode(totp.secret, 1) });
  expect(verified.error).toBeNull();
  const { claims } = (await other.getClaims()).data!;
  expect(claims).toMatchObject({ aal: 'aal2', amr: [{ method: 'password' }, { method: 'totp' }] });

  expect((await other.mfa.unenroll({ factorId })).error).toMatchObject({ code: 'reauthentication_needed' });
  await confirm(other);
  const removed = await other.mfa.unenroll({ factorId });
  expect(removed).toMatchObject({ data: { id: factorId }, error: null });
  expect((await other.mfa.listFactors()).data!.all).toEqual([]);
  expect((await other.refreshSession()).error).toBeNull();
  expect((await other.getClaims()).data!.claims.aal).toBe('aal1');
});

test('signs out here, elsewhere and everywhere', async () => {
  const { email } = await somebody();
  const [first, second, third] = [client(), client(), client()];
  for (const auth of [first, second, third])
    await auth.signInWithPassword({ email, password: programPassword });
  const living = async () =>
    Promise.all([first, second, third].map(async (auth) => (await auth.getUser()).error === null));
  await first.signOut({ scope: 'local' });
  expect(await living()).toEqual([false, true, true]);
  await second.signOut({ scope: 'others' });
  expect(await living()).toEqual([false, true, false]);
  await third.signInWithPassword({ email, password: programPassword });
  await third.signOut({ scope: 'global' });
  expect(await living()).toEqual([false, false, false]);
});

/** Sets the client's clock and lets its interval run; the server uses its own clock. */
function setClientClock(now: number): void {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now });
  onTestFinished(() => void vi.useRealTimers());
}

test('refreshes a session that is asked for within 90 seconds of its end', async () => {
  const { email } = await somebody();
  const auth = client();
  const { data } = await auth.signInWithPassword({ email, password: programPassword });
  const end = data.session!.expires_at! * 1_000;
  setClientClock(end - 91_000);
  expect((await auth.getSession()).data.session).toEqual(data.session);
  setClientClock(end - 89_000);
  const renewed = (await auth.getSession()).data.session!;
  expect(renewed.refresh_token).not.toBe(data.session!.refresh_token);
});

test('checks every 30 seconds whether to refresh, and retries from 200 ms on', async () => {
  const { email } = await somebody();
  const tries: number[] = [];
  const failures = [
    () => Promise.reject(new TypeError('offline')),
    () => new Response('{"code":"unavailable"}', { status: 503 }),
  ];
  const auth = client({
    fetch: async (to, init) => {
      if (!new Request(to).url.includes('grant_type=refresh_token')) return fetch(to, init);
      tries.push(performance.now());
      return (await failures.shift()?.()) ?? fetch(to, init);
    },
  });
  const { data } = await auth.signInWithPassword({ email, password: programPassword });
  const { expires_at: end, refresh_token: former } = data.session!;
  setClientClock(end! * 1_000 - 151_000);
  await auth.startAutoRefresh();
  await vi.advanceTimersByTimeAsync(30_000);
  expect((await auth.getSession()).data.session!.refresh_token).toBe(former);
  expect(tries).toEqual([]);
  await vi.advanceTimersByTimeAsync(30_000);
  await expect.poll(() => tries.length).toBe(3);
  await expect.poll(async () => (await auth.getSession()).data.session!.refresh_token).not.toBe(former);
  await auth.stopAutoRefresh();
  const [first, second, third] = tries as [number, number, number];
  expect(second - first).toBeGreaterThanOrEqual(195);
  expect(third - second).toBeGreaterThanOrEqual(395);
});

test.each([502, 503, 504])('retries a refresh that got %i', async (status) => {
  const { email } = await somebody();
  const tries: number[] = [];
  const auth = client({
    fetch: async (to, init) => {
      if (!new Request(to).url.includes('grant_type=refresh_token')) return fetch(to, init);
      tries.push(performance.now());
      return tries.length > 1 ? fetch(to, init) : new Response('{}', { status });
    },
  });
  await auth.signInWithPassword({ email, password: programPassword });
  expect((await auth.refreshSession()).error).toBeNull();
  const [first, second] = tries as [number, number];
  expect(second - first).toBeGreaterThanOrEqual(195);
});

test('tells the app of each change to its session', async () => {
  const { email } = await somebody();
  const auth = client();
  const events: string[] = [];
  auth.onAuthStateChange((event) => void events.push(event));
  const next = async (event: string, act: () => Promise<{ error: unknown }>) => {
    events.length = 0;
    expect((await act()).error).toBeNull();
    await expect.poll(() => events).toContain(event);
  };
  await expect.poll(() => events).toEqual(['INITIAL_SESSION']);
  await next('SIGNED_IN', () => auth.signInWithPassword({ email, password: programPassword }));
  await next('USER_UPDATED', () => auth.updateUser({ current_password: programPassword }));
  await next('TOKEN_REFRESHED', () => auth.refreshSession());
  const { data } = await auth.mfa.enroll({ factorType: 'totp' });
  const { id: factorId, totp } = data!;
  await next('MFA_CHALLENGE_VERIFIED', () =>
    auth.mfa.challengeAndVerify({ factorId, code: appCode(totp.secret) }),
  );
  await next('SIGNED_OUT', () => auth.signOut());
});
