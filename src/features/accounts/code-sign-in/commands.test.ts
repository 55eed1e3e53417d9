import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { transact } from '#/platform/db/transact.ts';
import { leastTime } from '#/platform/least-time.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { identitiesOf, password } from '../../../../tests/support/identity.ts';
import { changeAddress } from '../address-change/commands.ts';
import { createAccount, makeLinkToken, requireFresh } from '../commands.ts';
import type { SetUp } from '../second-factor/contract.ts';
import { endOtherSessions } from '../session/commands.ts';

const database = await testDatabase({ poolSize: 8 });
const { db, as, runJobs, readMails, setNow } = database;
const { guest, production, demo, send, signUp, signIn, actorOf, userOf, verified, entries, freshAddress } =
  identitiesOf(database);

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await set({ sign_in_code: true, require_two_factor: false });
});

const set = (change: { sign_in_code?: boolean; require_two_factor?: boolean }) =>
  db.updateTable('site_settings').set(change).execute();

const cookieOf = (answer: { cookies: readonly string[] }) =>
  answer.cookies.map((cookie) => cookie.split(';')[0]).join('; ');

const ask = (email: string, sent = {}, next?: string) =>
  send(production, '/request-sign-in-code', { email, ...(next ? { next } : {}) }, sent);

const enter = (emailCode: string, cookie: string, more: object = {}) =>
  send(production, '/sign-in/code', { emailCode, ...more }, { cookie });

async function mailsTo(email: string) {
  await runJobs();
  return readMails((rows) => rows.where('recipient', '=', email).orderBy('created_at').orderBy('id'));
}

async function codeFor(email: string): Promise<string> {
  const mails = (await mailsTo(email)).filter(({ kind }) => kind === 'sign_in_code');
  return /^Your code: (\d{6})$/m.exec(mails.at(-1)?.text_body ?? '')?.[1] ?? 'no code was emailed';
}

/** Asks for a code in a new browser. */
async function asked(email: string, sent = {}): Promise<{ code: string; cookie: string }> {
  const answer = await ask(email, sent);
  return { code: await codeFor(email), cookie: cookieOf(answer) };
}

let people = 0;
async function somebody(): Promise<{ id: string; email: string; cookie: string }> {
  const email = `by.code.${(people += 1)}@italk.test`;
  return { email, ...(await verified(email)) };
}

const another = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');
const expired = { status: 412, body: { reason: 'code_expired' } };
const spent = { status: 412, body: { reason: 'code_spent' } };
const wrong = { status: 400, body: { fields: [{ field: 'emailCode', reason: 'wrong_code' }] } };

describe('a code', () => {
  test('signs in once where it was asked for, with audit entries and a notice of the new device', async () => {
    const { id, email } = await somebody();
    const answer = await ask(email);
    expect(answer).toMatchObject({ status: 200, body: { signedIn: false } });
    expect(answer.cookies).toEqual([
      expect.stringMatching(
        /^__Secure-italk\.sign_in_code=[\w-]{32}; Max-Age=600; Path=\/api\/auth; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    const code = await codeFor(email);
    const entered = await enter(`${code.slice(0, 3)} ${code.slice(3)}`, answer.cookie);
    expect(entered).toMatchObject({ status: 200, body: { signedIn: true } });
    expect(await actorOf(production, entered.cookie)).toMatchObject({ id, role: 'client' });
    expect(entered.cookies.at(-1)).toMatch(/^__Secure-italk\.sign_in_code=; Max-Age=0;/);
    expect(await entries('sign_in_code_requested', id)).toHaveLength(1);
    expect(await entries('signed_in', id)).toMatchObject([{}, { actor_id: id, success: true }]);
    expect((await mailsTo(email)).at(-1)).toMatchObject({ kind: 'account_security' });
    expect(await enter(code, answer.cookie)).toMatchObject(expired);
  });

  test('comes by email under a discreet subject, with a link that has it after the #', async () => {
    const { email } = await somebody();
    await ask(email, {}, '/therapists?book=7');
    const code = await codeFor(email);
    const mail = (await mailsTo(email)).at(-1)!;
    expect(mail.subject).toBe('Sign in to iTalk Health');
    const link = `https://italk.example/sign-in-code?next=%2Ftherapists%3Fbook%3D7#${code}`;
    expect(mail.text_body).toContain(`Sign in:\n${link}`);
    expect(mail.html_body).toContain(`href="${link}"`);
    expect(mail.html_body).toContain(`<strong>${code}</strong>`);
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example']) {
      const other = await somebody();
      await ask(other.email, {}, next);
      expect((await mailsTo(other.email)).at(-1)!.text_body).toContain('/sign-in-code?next=%2Fhome#');
    }
  });

  test('is stored only as a keyed hash, and its cookie as a hash', async () => {
    const { email } = await somebody();
    const { code, cookie } = await asked(email);
    const stored = JSON.stringify(await db.selectFrom('sign_in_codes').selectAll().execute());
    const jobs = JSON.stringify(await db.selectFrom('audit_entries').selectAll().orderBy('id').execute());
    for (const secret of [`"${code}"`, cookie.split('=')[1]!, email]) {
      expect(stored).not.toContain(secret);
      expect(jobs).not.toContain(secret);
    }
  });

  test('works for ten minutes', async () => {
    const { email } = await somebody();
    const early = await asked(email);
    setNow('2026-03-02T12:09:59Z');
    expect((await enter(early.code, early.cookie)).body).toEqual({ signedIn: true });
    const { code, cookie } = await asked(email);
    setNow('2026-03-02T12:20:00Z');
    expect(await enter(code, cookie)).toMatchObject(expired);
  });

  test('outlives requests from other browsers, whose codes end with it', async () => {
    const { email } = await somebody();
    const first = await asked(email);
    const second = await asked(email);
    expect(await enter(first.code, second.cookie)).toMatchObject(wrong);
    expect((await enter(first.code, first.cookie)).body).toEqual({ signedIn: true });
    expect(await enter(second.code, second.cookie)).toMatchObject(expired);
  });

  test('is emailed once, even if its job runs again', async () => {
    const { email } = await somebody();
    const { code, cookie } = await asked(email);
    const { id } = await db
      .selectFrom('sign_in_codes')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    await transact(guest, (tx) =>
      tx.emit(tx, 'accounts.sign_in_code_requested', { codeId: id, next: '/home' }),
    );
    expect(await codeFor(email)).toBe(code);
    expect((await enter(code, cookie)).body).toEqual({ signedIn: true });
  });
});

describe('a stranger', () => {
  test('can’t use a code without the browser that asked for it', async () => {
    const { email } = await somebody();
    const { code, cookie } = await asked(email);
    const other = await asked((await somebody()).email);
    for (const jar of [
      '',
      other.cookie,
      `${cookie}x`,
      '__Secure-italk.sign_in_code=',
      'italk.sign_in_code=x',
    ])
      expect((await enter(code, jar)).status, jar).toBeGreaterThanOrEqual(400);
    expect((await enter(code, cookie)).body).toEqual({ signedIn: true });
  });

  test('has five tries per code, even in parallel; then the right one doesn’t help', async () => {
    const { id, email } = await somebody();
    const { code, cookie } = await asked(email);
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, at) => enter(another(code, at + 1), cookie)),
    );
    const reasons = tries.map(({ body }) => body.reason);
    expect(reasons.filter((reason) => reason === 'wrong_code')).toHaveLength(4);
    expect(reasons.filter((reason) => reason === 'code_spent')).toHaveLength(16);
    expect(await enter(code, cookie)).toMatchObject(spent);
    expect(await entries('signed_in', id)).toMatchObject([
      { success: true },
      ...Array.from({ length: 5 }, () => ({ success: false, details: { reason: 'wrong_code' } })),
    ]);
    const next = await asked(email);
    expect((await enter(next.code, next.cookie)).body).toEqual({ signedIn: true });
  });

  test('gets at most three codes in 15 minutes and 30 wrong tries a day for an account', async () => {
    const { email, cookie: known } = await somebody();
    const { cookies } = await signIn(production, email);
    const device = cookies[1]!.split(';')[0]!;
    expect(known).toBeTruthy();
    const address = freshAddress();
    let wrongTries = 0;
    for (let quarter = 0; quarter < 3; quarter += 1) {
      setNow(`2026-03-02T${12 + quarter}:00:00Z`);
      for (let time = 0; time < 3; time += 1) {
        const { code, cookie } = await asked(email, { address });
        for (let at = 1; at <= 5; at += 1)
          if ((await enter(another(code, at), cookie)).status !== 429) wrongTries += 1;
      }
      expect(await ask(email, { address })).toMatchObject({
        status: 429,
        body: { reason: 'too_many_tries' },
        cookies: [],
      });
    }
    expect(wrongTries).toBe(30);
    // The owner's known device has attempts of its own.
    const own = await ask(email, { cookie: device });
    const code = await codeFor(email);
    expect((await enter(code, `${device}; ${own.cookie}`)).body).toEqual({ signedIn: true });
  });

  test('can’t use up the codes of people on other networks', async () => {
    const { email } = await somebody();
    const { code, cookie } = await asked(email);
    const address = freshAddress();
    const requests = [];
    for (let time = 0; time < 4; time += 1) requests.push((await ask(email, { address })).status);
    expect(requests).toEqual([200, 200, 200, 429]);
    expect((await enter(code, cookie)).body).toEqual({ signedIn: true });
    const next = await asked(email);
    expect((await enter(next.code, next.cookie)).body).toEqual({ signedIn: true });
  });

  test('gets at most thirty codes a day for an address, from all networks', async () => {
    const { email } = await somebody();
    for (let time = 0; time < 30; time += 1) expect((await ask(email)).status).toBe(200);
    expect(await ask(email)).toMatchObject({ status: 429, body: { reason: 'too_many_tries' }, cookies: [] });
    setNow('2026-03-03T12:00:01Z');
    expect((await ask(email)).status).toBe(200);
  });

  test('has fifty wrong tries per network, for all accounts together', { tags: ['long'] }, async () => {
    const address = freshAddress();
    const statuses: number[] = [];
    for (let account = 0; account < 11; account += 1) {
      const { code, cookie } = await asked((await somebody()).email);
      for (let at = 1; at <= 5; at += 1)
        statuses.push(
          (await send(production, '/sign-in/code', { emailCode: another(code, at) }, { cookie, address }))
            .status,
        );
    }
    expect(statuses.filter((status) => status !== 429)).toHaveLength(50);
  });

  test('learns nothing about which addresses have an account', async () => {
    const { email } = await somebody();
    const shape = ({ status, body, cookies }: Awaited<ReturnType<typeof ask>>) => ({
      status,
      body: { ...body, requestId: '' },
      cookies: cookies.map((cookie) => cookie.replace(/=[\w-]{32};/, '=…;')),
    });
    const both = [email, `no.such.person.${people}@italk.test`];
    const address = freshAddress();
    const waits = vi.spyOn(leastTime, 'passed');
    const [known, unknown] = [await ask(both[0]!, { address }), await ask(both[1]!, { address })];
    expect(waits).toHaveBeenCalledTimes(2);
    waits.mockRestore();
    expect(shape(unknown)).toEqual(shape(known));
    const code = await codeFor(email);
    expect(await mailsTo(both[1]!)).toEqual([]);
    for (let at = 1; at <= 7; at += 1)
      expect(shape(await enter(another(code, at), unknown.cookie))).toEqual(
        shape(await enter(another(code, at), known.cookie)),
      );
    for (const one of both) for (const _ of [1, 2]) await ask(one, { address });
    const [overKnown, overUnknown] = [await ask(both[0]!, { address }), await ask(both[1]!, { address })];
    expect([overKnown.status, shape(overUnknown)]).toEqual([429, shape(overKnown)]);
  });

  test('wins nothing by entering the right code fifty times at once', async () => {
    const { id, email } = await somebody();
    const { code, cookie } = await asked(email);
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(code, cookie)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body, cookies } of answers.filter((one) => one.status !== 200)) {
      expect(status).toBe(412);
      expect(body.reason).toMatch(/^code_(?:expired|spent)$/);
      expect(cookies).toEqual([]);
    }
    expect(await entries('signed_in', id).then((all) => all.filter(({ success }) => success))).toHaveLength(
      2,
    );
  });

  test.each(['GET', 'HEAD', 'PUT'])('does nothing by %s, nor with a form', async (method) => {
    const { email } = await somebody();
    const { code, cookie } = await asked(email);
    const path = `/sign-in/code?emailCode=${code}`;
    const request = new Request(`https://italk.test/api/auth${path}`, { method, headers: { cookie } });
    const answer = await production.handler(request, { address: freshAddress(), requestId: 'test' });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([404, []]);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(
      await send(production, '/sign-in/code', { emailCode: code }, { cookie, headers: form }),
    ).toMatchObject({ status: 400, body: { reason: 'malformed' } });
    expect((await enter(code, cookie)).body).toEqual({ signedIn: true });
  });
});

describe('a second factor', () => {
  const shown = ({ secret }: SetUp, secondsOn = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: guest.now().epochMilliseconds + secondsOn * 1_000,
    });

  beforeEach(async () => {
    await db
      .updateTable('feature_flags')
      .set({ enabled: true, scope: 'global' })
      .where('id', '=', 'two_factor_authentication')
      .execute();
  });

  test('is required after the code, set up where the site requires it, and limited together with the password’s', async () => {
    const { email } = await somebody();
    await set({ require_two_factor: true });
    const first = await asked(email);
    const begun = await enter(first.code, first.cookie);
    expect(begun).toMatchObject({
      status: 200,
      body: { signedIn: false, secondStep: {} },
      cookies: [expect.stringContaining('.set_up=')],
    });
    const { setUp } = begun.body.secondStep as { setUp: SetUp };
    const finished = await enter(first.code, first.cookie, { code: shown(setUp, -30) });
    expect(finished.body).toMatchObject({ signedIn: true, backupCodes: expect.any(Array) as unknown });

    await set({ require_two_factor: false });
    const { code, cookie } = await asked(email);
    const gate = await enter(code, cookie);
    expect(gate).toMatchObject({ body: { signedIn: false, secondStep: { setUp: null } }, cookies: [] });
    for (let at = 0; at < 9; at += 1)
      expect(await enter(code, cookie, { code: '000000' })).toMatchObject({
        status: 400,
        body: { fields: [{ field: 'code', reason: 'wrong_code' }] },
        cookies: [],
      });
    const byPassword = await send(production, '/sign-in/email', { email, password, code: '000000' });
    expect(byPassword.status).toBe(400);
    expect(await enter(code, cookie, { code: shown(setUp) })).toMatchObject({ status: 429, cookies: [] });
    setNow('2026-03-02T12:15:01Z');
    const later = await asked(email);
    const signed = await enter(later.code, later.cookie, { code: shown(setUp) });
    expect(signed.body).toEqual({ signedIn: true });
    // The app's code works once, and only with the emailed one.
    const replay = await asked(email);
    expect((await enter(replay.code, replay.cookie, { code: shown(setUp) })).status).toBe(400);
    expect(await enter(another(replay.code), replay.cookie, { code: shown(setUp, 30) })).toMatchObject(wrong);
  });
});

describe('an account', () => {
  test('refuses suspended and deleted accounts', async () => {
    const suspended = await somebody();
    const { code, cookie } = await asked(suspended.email);
    const suspend = (at: Date | null) =>
      db.updateTable('profiles').set({ suspended_at: at }).where('id', '=', suspended.id).execute();
    await suspend(new Date());
    expect(await enter(code, cookie)).toMatchObject({
      status: 403,
      body: { reason: 'account_suspended' },
      cookies: [],
    });

    const deleted = await somebody();
    const before = await asked(deleted.email);
    const deletion = new Date('2026-03-02T12:00:01Z');
    await db.updateTable('profiles').set({ delete_after: deletion }).where('id', '=', deleted.id).execute();
    setNow('2026-03-02T12:00:02Z');
    expect(await enter(before.code, before.cookie)).toMatchObject(expired);
    const sent = (await mailsTo(deleted.email)).length;
    expect((await ask(deleted.email)).status).toBe(200);
    expect(await mailsTo(deleted.email)).toHaveLength(sent);
  });

  test('sends an unverified account a password link instead of signing in by code', async () => {
    const system = as({ kind: 'system' });
    const email = 'unverified@italk.test';
    await createAccount(system, { email, name: 'Ruth', role: 'client', emailVerified: false });
    const { code, cookie } = await asked(email);
    expect(code).toBe('no code was emailed');
    expect((await mailsTo(email)).map(({ kind }) => kind)).toEqual(['account_confirmation']);
    expect(await enter('123456', cookie)).toMatchObject(wrong);
    expect(await userOf(email)).toMatchObject({ email_verified: false });
  });

  test('doesn’t join the owner’s code to a sign-up that a stranger started with a password', async () => {
    const email = 'hijacked@italk.test';
    const strangers = await signUp(production, email, { password: 'of-a-stranger-42' });
    const owners = await ask(email);
    expect(await mailsTo(email)).toMatchObject([{ kind: 'account_confirmation' }]);
    expect(await enter('123456', owners.cookie)).toMatchObject(wrong);
    // In the browser that signed up, the request sends its link again.
    await ask(email, { cookie: strangers.cookie });
    const mails = await mailsTo(email);
    expect(mails.map(({ kind }) => kind)).toEqual(['account_confirmation', 'account_confirmation']);
    const token = /\/verify\?\S*#([\w-]+)/.exec(mails[1]!.text_body)![1]!;
    const followed = await send(production, '/verify-email', { token });
    const newPassword = 'the-owners-own-42';
    await send(production, '/reset-password', { token: followed.body.resetToken, newPassword, name: 'Ruth' });
    const { code, cookie } = await asked(email);
    expect((await enter(code, cookie)).body).toEqual({ signedIn: true });
    expect((await signIn(production, email, 'of-a-stranger-42')).status).toBe(401);
    expect((await signIn(production, email, newPassword)).status).toBe(200);
  });

  test('without a password opens by code as by link, counts as just confirmed, and never as an administrator’s', async () => {
    const system = as({ kind: 'system' });
    const email = 'guest.of.a.session@italk.test';
    await createAccount(system, { email, name: 'Ruth', role: 'client', emailVerified: true });
    const { code, cookie } = await asked(email);
    const entered = await enter(code, cookie);
    expect(entered.body).toEqual({ signedIn: true });
    await requireFresh(as(await actorOf(production, entered.cookie)));

    const withPassword = await somebody();
    const own = await asked(withPassword.email);
    const session = await enter(own.code, own.cookie);
    await expect(requireFresh(as(await actorOf(production, session.cookie)))).rejects.toMatchObject({
      reason: 'reauthentication_required',
    });

    for (const [address, role] of [
      ['chief@italk.test', 'client'],
      ['doctor@italk.test', 'doctor'],
    ] as const) {
      await createAccount(system, { email: address, name: 'Ruth', role, emailVerified: true });
      expect((await asked(address)).code).toBe('no code was emailed');
      expect((await mailsTo(address)).map(({ kind }) => kind)).toEqual(['sign_in_link']);
    }
  });

  test.each([
    ['a new password', 'reset'],
    ['signing out everywhere else', 'out'],
    ['an administrator’s change of address', 'address'],
  ])('ends its code with %s', async (_, how) => {
    const { id, email } = await somebody();
    const { code, cookie } = await asked(email);
    const late = await ask(email);
    const end = {
      reset: async () => {
        const token = await makeLinkToken(guest, 'reset-password', id);
        await send(production, '/reset-password', { token, newPassword: 'another-room-43' });
      },
      out: async () => {
        const session = await signIn(production, email);
        await endOtherSessions(as(await actorOf(production, session.cookie)));
      },
      address: async () => {
        await transact(as({ kind: 'system' }), (tx) =>
          changeAddress(tx, { userId: id, to: `${id}@new.test` }),
        );
      },
    }[how]!;
    await end();
    expect(await enter(code, cookie)).toMatchObject(expired);
    // A code that was asked for before, but not emailed yet.
    expect(await codeFor(email)).toBe(code);
    expect(await enter(code, late.cookie)).toMatchObject(expired);
  });
});

test('is off with its setting, even for codes that were emailed', async () => {
  const { email } = await somebody();
  const { code, cookie } = await asked(email);
  await set({ sign_in_code: false });
  const off = { status: 403, body: { reason: 'sign_in_code_off' }, cookies: [] };
  expect(await ask(email)).toMatchObject(off);
  expect(await enter(code, cookie)).toMatchObject(off);
});

test('works in the demo, without a notice of a new device', async () => {
  const at = { cookie: '' };
  const email = 'demo.by.code@italk.test';
  await send(demo, '/sign-in/email', { email, password });
  const answer = await send(demo, '/request-sign-in-code', { email }, at);
  const emailCode = await codeFor(email);
  const entered = await send(demo, '/sign-in/code', { emailCode }, { cookie: answer.cookie });
  expect(entered.body).toEqual({ signedIn: true });
  expect((await mailsTo(email)).map(({ kind }) => kind)).not.toContain('account_security');
});
