import { generateKeyPairSync } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { siteSettings } from '#/features/settings/queries.ts';
import { transact } from '#/platform/db/transact.ts';
import { newAuthenticator, type Authenticator, type Said } from '../../../../tests/support/authenticator.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { appUrl, identitiesOf, password } from '../../../../tests/support/identity.ts';
import { addAdministrator, freshSession, type Person } from '../../../../tests/support/people.ts';
import { changeAddress } from '../address-change/commands.ts';
import { createAccount, makeLinkToken, requireFresh } from '../commands.ts';
import { addPasskey, beginPasskey, removePasskey } from '../passkeys/commands.ts';
import { beginSecondFactor, confirmSecondFactor, resetSecondFactor } from '../second-factor/commands.ts';
import type { SetUp } from '../second-factor/contract.ts';
import type { Attestation } from '../webauthn/contract.ts';

const database = await testDatabase({ poolSize: 8 });
const { db, as, runJobs, readMails, setNow } = database;
const { guest, production, demo, send, signIn, actorOf, verified, entries, freshAddress } =
  identitiesOf(database);

const set = (change: { passkeys?: boolean; require_two_factor?: boolean }) =>
  db.updateTable('site_settings').set(change).execute();

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await set({ passkeys: true, require_two_factor: false });
  await db
    .updateTable('feature_flags')
    .set({ enabled: true, scope: 'global' })
    .where('id', '=', 'two_factor_authentication')
    .execute();
});

type Options = { challenge: string; rpId: string; allowCredentials?: { id: string }[] };
type Asked = { options: Options; cookie: string };

async function asked(cookie = ''): Promise<Asked> {
  const answer = await send(production, '/request-passkey', {}, { cookie });
  return { options: answer.body.passkey as Options, cookie: answer.cookie };
}

const enter = (passkey: object, cookie: string, sent = {}) =>
  send(production, '/sign-in/passkey', { passkey }, { cookie, ...sent });

interface Someone {
  id: string;
  email: string;
  person: Person;
  device: Authenticator;
  passkeyId: string;
}

async function add(person: Person, device: Authenticator, said: Said = {}): Promise<string> {
  const ctx = as(await freshSession(db, person));
  const made = device.create(await beginPasskey(ctx, appUrl), said) as Attestation;
  return (await addPasskey(ctx, appUrl, { passkey: made })).id;
}

let people = 0;
async function somebody(said: Said = {}): Promise<Someone> {
  const email = `by.passkey.${(people += 1)}@italk.test`;
  const { id, cookie } = await verified(email);
  const person = (await actorOf(production, cookie)) as Person;
  const device = newAuthenticator(appUrl);
  return { id, email, person, device, passkeyId: await add(person, device, said) };
}

async function signInWith(device: Authenticator, said: Said = {}) {
  const { options, cookie } = await asked();
  return enter(device.get(options, said), cookie);
}

const wrong = { status: 401, body: { reason: 'wrong_passkey' }, cookies: [] };
const expired = { status: 412, body: { reason: 'passkey_expired' }, cookies: [] };

describe('a passkey', () => {
  test('signs in where it was asked for, with audit entries and a notice of the new device', async () => {
    const { id, email, device } = await somebody();
    const answer = await send(production, '/request-passkey', {});
    expect(answer).toMatchObject({
      status: 200,
      body: { signedIn: false, passkey: { rpId: 'italk.test', userVerification: 'required' } },
    });
    const options = answer.body.passkey as Options;
    expect(options).not.toHaveProperty('allowCredentials');
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32);
    expect(answer.cookies).toEqual([
      expect.stringMatching(
        /^__Secure-italk\.passkey=[\w-]{32}; Max-Age=300; Path=\/api\/auth; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    const entered = await enter(device.get(options), answer.cookie);
    expect(entered).toMatchObject({ status: 200, body: { signedIn: true } });
    expect(await actorOf(production, entered.cookie)).toMatchObject({ id, role: 'client' });
    expect(entered.cookies.at(-1)).toMatch(/^__Secure-italk\.passkey=; Max-Age=0;/);
    expect(await entries('signed_in', id)).toMatchObject([{}, { actor_id: id, success: true }]);
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', email));
    expect(mails.map(({ text_body }) => text_body).join()).toContain('signed in to from a new device');
  });

  test('doesn’t count as confirming identity, except without a password', async () => {
    const { device } = await somebody();
    const entered = await signInWith(device);
    await expect(requireFresh(as(await actorOf(production, entered.cookie)))).rejects.toMatchObject({
      reason: 'reauthentication_required',
    });
    const email = 'no.password.by.passkey@italk.test';
    const account = { email, name: 'Ruth', role: 'client', emailVerified: true } as const;
    const id = await createAccount(as({ kind: 'system' }), account);
    const other = newAuthenticator(appUrl);
    await add({ kind: 'person', id, role: 'client', sessionId: '' }, other);
    const { cookie } = await signInWith(other);
    await requireFresh(as(await actorOf(production, cookie)));
  });

  test('counts as both factors where the site requires two, for its own sessions only', async () => {
    const { id, email, device } = await somebody();
    await set({ require_two_factor: true });
    const entered = await signInWith(device);
    expect(entered.body).toEqual({ signedIn: true });
    expect(await actorOf(production, entered.cookie)).toMatchObject({ id });
    expect((await signIn(production, email)).body).toMatchObject({
      secondStep: { setUp: {} },
    });
  });

  test('works in tabs side by side, each with its own challenge', async () => {
    const { device } = await somebody();
    const first = await asked();
    const second = await asked(first.cookie);
    expect(second.cookie).toBe(first.cookie);
    expect(second.options.challenge).not.toBe(first.options.challenge);
    for (const { options } of [first, second])
      expect((await enter(device.get(options), first.cookie)).body).toEqual({ signedIn: true });
  });

  test('records its use, its counter and whether it is synced', async () => {
    const { passkeyId, device } = await somebody({ counter: 4 });
    expect((await signInWith(device, { counter: 5 })).status).toBe(200);
    const row = await db
      .selectFrom('passkeys')
      .selectAll()
      .where('id', '=', passkeyId)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ counter: 5, used_at: new Date('2026-03-02T12:00:00Z'), backed_up: true });
  });

  test('works in the demo, without a notice of a new device', async () => {
    const origin = 'http://localhost:3000';
    const email = 'demo.by.passkey@italk.test';
    const { cookie } = await send(demo, '/sign-in/email', { email, password });
    const person = (await demo.actorOf(new Headers({ cookie }))) as Person;
    const ctx = as(await freshSession(db, person));
    const device = newAuthenticator(origin);
    const made = device.create(await beginPasskey(ctx, origin)) as Attestation;
    await addPasskey(ctx, origin, { passkey: made });
    const answer = await send(demo, '/request-passkey', {});
    const passkey = device.get(answer.body.passkey as Options);
    const entered = await send(demo, '/sign-in/passkey', { passkey }, { cookie: answer.cookie });
    expect(entered.body).toEqual({ signedIn: true });
  });
});

describe('a stranger', () => {
  test('can’t replay an answer, nor use a challenge from another browser', async () => {
    const { device } = await somebody();
    const { options, cookie } = await asked();
    const other = await asked();
    const answer = device.get(options);
    for (const jar of ['', other.cookie, `${cookie}x`, '__Secure-italk.passkey=', 'italk.passkey=x'])
      expect(await enter(answer, jar), jar).toMatchObject(expired);
    expect((await enter(answer, cookie)).body).toEqual({ signedIn: true });
    expect(await enter(answer, cookie)).toMatchObject(expired);
    expect(await enter(device.get({ challenge: 'invented' }), cookie)).toMatchObject(expired);
  });

  test.each<[string, Said]>([
    ['another site’s page', { origin: 'https://evil.test' }],
    ['the site without encryption', { origin: 'http://italk.test' }],
    ['another port of the site', { origin: 'https://italk.test:8443' }],
    ['a passkey for another site', { rpId: 'evil.test' }],
    ['no check of the person', { userVerified: false }],
    ['another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
    ['another account’s handle', { userHandle: 'AAAA' }],
    ['a key that became syncable', { backupEligible: false }],
  ])('gets the same refusal for %s, which uses the challenge up', async (_, said) => {
    const { id, device } = await somebody();
    const { options, cookie } = await asked();
    expect(await enter(device.get(options, said), cookie)).toMatchObject(wrong);
    expect((await entries('signed_in', id)).at(-1)).toMatchObject({
      success: false,
      details: { reason: 'wrong_passkey' },
    });
    expect(await enter(device.get(options), cookie)).toMatchObject(expired);
  });

  test('gets none for an unknown passkey, without a handle, or in a page inside another site’s', async () => {
    const stranger = newAuthenticator(appUrl);
    const known = await somebody();
    stranger.create({ challenge: '', user: { id: 'AAAA' } });
    expect(await signInWith(stranger)).toMatchObject(wrong);
    expect(await signInWith(known.device, { userHandle: null })).toMatchObject(wrong);
    expect(await signInWith(known.device, { crossOrigin: true })).toMatchObject(expired);
    expect((await signInWith(known.device)).status).toBe(200);
  });

  test('can’t answer late', async () => {
    const { device } = await somebody();
    const [early, late] = [await asked(), await asked()];
    setNow('2026-03-02T12:04:59Z');
    expect((await enter(device.get(early.options), early.cookie)).status).toBe(200);
    setNow('2026-03-02T12:05:00Z');
    expect(await enter(device.get(late.options), late.cookie)).toMatchObject(expired);
  });

  test('can’t use a registration’s challenge to sign in, nor the other way round', async () => {
    const { person, device } = await somebody();
    const ctx = as(await freshSession(db, person));
    const begun = await beginPasskey(ctx, appUrl);
    const { options, cookie } = await asked();
    expect(await enter(device.get(begun), cookie)).toMatchObject(expired);
    const made = newAuthenticator(appUrl).create({ ...options, user: begun.user }) as Attestation;
    await expect(addPasskey(ctx, appUrl, { passkey: made })).rejects.toMatchObject({
      reason: 'passkey_expired',
    });
  });

  test('can’t use a copied key whose counter didn’t grow, and the owner’s log shows it', async () => {
    const { id, device } = await somebody({ counter: 7 });
    expect((await signInWith(device, { counter: 9 })).status).toBe(200);
    for (const counter of [9, 8, 0])
      expect(await signInWith(device, { counter })).toMatchObject({
        status: 401,
        body: { reason: 'passkey_copied' },
        cookies: [],
      });
    expect((await entries('signed_in', id)).at(-1)).toMatchObject({
      success: false,
      details: { reason: 'passkey_copied' },
    });
    expect((await signInWith(device, { counter: 10 })).status).toBe(200);
  });

  test('wins one session with fifty parallel tries', async () => {
    const { id, device } = await somebody();
    const { options, cookie } = await asked();
    const answer = device.get(options);
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(answer, cookie)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const refused of answers.filter(({ status }) => status !== 200))
      expect(refused).toMatchObject(expired);
    const sessions = await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute();
    // One from signing up and one from adding the passkey.
    expect(sessions).toHaveLength(3);
  });

  test('can’t win twice with a counter that was signed twice', async () => {
    const { device } = await somebody({ counter: 1 });
    const tries = await Promise.all(
      Array.from({ length: 10 }, async () => signInWith(device, { counter: 2 })),
    );
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('has fifty wrong tries per network', async () => {
    const address = freshAddress();
    const { device } = await somebody();
    const statuses: number[] = [];
    for (let time = 0; time < 52; time += 1)
      statuses.push((await enter(device.get({ challenge: 'invented' }), '', { address })).status);
    expect(statuses.filter((status) => status !== 429)).toHaveLength(50);
  });

  test('reads only hashes of challenges in the database', async () => {
    const { options, cookie } = await asked();
    const rows = JSON.stringify(await db.selectFrom('passkey_challenges').selectAll().execute());
    for (const secret of [options.challenge, cookie.split('=')[1]!]) expect(rows).not.toContain(secret);
  });

  test.each([
    ['no passkey', {}],
    ['a wrong type', { passkey: { type: 'password' } }],
    ['no JSON in it', 'nonsense'],
    ['too much', 'long'],
  ])('is refused with %s', async (_, how) => {
    const { device } = await somebody();
    const { options, cookie } = await asked();
    const good = device.get(options);
    const response = { ...good.response, clientDataJSON: how === 'long' ? 'A'.repeat(5_000) : 'AAAA' };
    const body = typeof how === 'string' ? { passkey: { ...good, response } } : how;
    const answer = await send(production, '/sign-in/passkey', body, { cookie });
    expect(answer.status).toBe(how === 'nonsense' ? 412 : 400);
  });
});

describe('an account', () => {
  test('refuses suspended, held, unverified and deleted accounts', async () => {
    const suspended = await somebody();
    await db
      .updateTable('profiles')
      .set({ suspended_at: new Date() })
      .where('id', '=', suspended.id)
      .execute();
    expect(await signInWith(suspended.device)).toMatchObject({
      status: 403,
      body: { reason: 'account_suspended' },
      cookies: [],
    });

    const readdressed = await somebody();
    await transact(as({ kind: 'system' }), (tx) =>
      changeAddress(tx, { userId: readdressed.id, to: `${readdressed.id}@new.test` }),
    );
    const verify = (email_verified: boolean) =>
      db.updateTable('users').set({ email_verified }).where('id', '=', readdressed.id).execute();
    // As by password or provider, whether or not the new address is verified.
    for (const isVerified of [false, true]) {
      await verify(isVerified);
      expect(await signInWith(readdressed.device)).toMatchObject({
        status: 403,
        body: { reason: 'address_held' },
        cookies: [],
      });
    }

    const unverified = await somebody();
    await db.updateTable('users').set({ email_verified: false }).where('id', '=', unverified.id).execute();
    expect(await signInWith(unverified.device)).toMatchObject({
      status: 403,
      body: { reason: 'email_unverified' },
      cookies: [],
    });

    const deleted = await somebody();
    const deletion = new Date('2026-03-02T12:00:01Z');
    await db.updateTable('profiles').set({ delete_after: deletion }).where('id', '=', deleted.id).execute();
    expect((await signInWith(deleted.device)).status).toBe(200);
    setNow('2026-03-02T12:00:02Z');
    expect(await signInWith(deleted.device)).toMatchObject(wrong);
  });

  test('loses a passkey that was removed, with the sessions it opened elsewhere', async () => {
    const { person, device, passkeyId } = await somebody();
    const entered = await signInWith(device);
    const own = await freshSession(db, person);
    const pending = await asked();
    await removePasskey(as(own), { providers: [] }, { id: passkeyId });
    expect(await actorOf(production, entered.cookie)).toEqual({ kind: 'guest' });
    expect(
      await db.selectFrom('sessions').select('id').where('id', '=', own.sessionId).execute(),
    ).toHaveLength(1);
    expect(await enter(device.get(pending.options), pending.cookie)).toMatchObject(wrong);
  });

  test('loses its passkeys when its password is recovered by email, but keeps them when it’s changed', async () => {
    const { id, email, device } = await somebody();
    const { cookie } = await signIn(production, email);
    const changed = { password, newPassword: 'another-room-43' };
    expect((await send(production, '/change-password', changed, { cookie })).status).toBe(200);
    expect((await signInWith(device)).status).toBe(200);
    const token = await makeLinkToken(guest, 'reset-password', id);
    await send(production, '/reset-password', { token, newPassword: 'a-third-room-44' });
    expect(await signInWith(device)).toMatchObject(wrong);
    expect(await entries('passkey_removed', id)).toMatchObject([{ details: { passkeys: 1 } }]);
  });

  test('of an administrator’s address opens only with a password of its own', async () => {
    const account = { email: 'chief@italk.test', name: 'Ruth', role: 'client', emailVerified: true } as const;
    const id = await createAccount(as({ kind: 'system' }), account);
    const device = newAuthenticator(appUrl);
    await add({ kind: 'person', id, role: 'client', sessionId: '' }, device);
    expect(await signInWith(device)).toMatchObject(wrong);
  });

  test('doesn’t open with another account’s passkey under its handle', async () => {
    const [mine, theirs] = [await somebody(), await somebody()];
    const { options, cookie } = await asked();
    const { user_handle: handle } = await db
      .selectFrom('passkeys')
      .select('user_handle')
      .where('id', '=', theirs.passkeyId)
      .executeTakeFirstOrThrow();
    expect(await enter(mine.device.get(options, { userHandle: handle }), cookie)).toMatchObject(wrong);
  });
});

test('is off with its setting, even for challenges that were made before', async () => {
  const { device } = await somebody();
  const { options, cookie } = await asked();
  await set({ passkeys: false });
  const off = { status: 403, body: { reason: 'passkeys_off' }, cookies: [] };
  expect(await send(production, '/request-passkey', {})).toMatchObject(off);
  expect(await enter(device.get(options), cookie)).toMatchObject(off);
  expect((await siteSettings(guest)).passkeys).toBe(false);
});

describe('as the second step', () => {
  const shown = ({ secret }: Pick<SetUp, 'secret'>) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: guest.now().epochMilliseconds });

  async function withApp(): Promise<Someone> {
    const someone = await somebody();
    const ctx = as(await freshSession(db, someone.person));
    await confirmSecondFactor(ctx, { code: shown(await beginSecondFactor(ctx, { password })) });
    return someone;
  }

  const onlyByApp = { signedIn: false, secondStep: { setUp: null, mayTrust: true } };
  type Step = { secondStep: { passkey: Options } };
  const repeat = (email: string, passkey: object, cookie: string, given = password) =>
    send(production, '/sign-in/email', { email, password: given, passkey }, { cookie });

  test('is offered after the password, for the account’s own passkeys, and signs in once', async () => {
    const { id, email, device } = await withApp();
    const first = await signIn(production, email);
    expect(first.body).toMatchObject({ signedIn: false, secondStep: { setUp: null } });
    const { passkey: options } = (first.body as unknown as Step).secondStep;
    expect(options.allowCredentials).toMatchObject([{ id: device.id }]);
    // Authenticators may leave the handle out here.
    const answer = device.get(options, { userHandle: null });
    const entered = await repeat(email, answer, first.cookie);
    expect(entered.body).toEqual({ signedIn: true });
    expect(await actorOf(production, entered.cookie)).toMatchObject({ id });
    expect(await repeat(email, answer, first.cookie)).toMatchObject(expired);
  });

  test('needs the password, this account’s passkey and the browser that was asked', async () => {
    const [mine, theirs] = [await withApp(), await withApp()];
    const first = await signIn(production, mine.email);
    const { passkey: options } = (first.body as unknown as Step).secondStep;
    const answer = mine.device.get(options);
    expect(await repeat(mine.email, answer, first.cookie, 'a-wrong-room-42')).toMatchObject({
      status: 401,
      body: { reason: 'wrong_credentials' },
    });
    expect(await repeat(mine.email, answer, '')).toMatchObject(expired);
    expect(await repeat(mine.email, theirs.device.get(options), first.cookie)).toMatchObject(wrong);
    expect(
      await repeat(mine.email, mine.device.get(options, { userVerified: false }), first.cookie),
    ).toMatchObject(wrong);
    expect((await repeat(mine.email, answer, first.cookie)).body).toEqual({ signedIn: true });
  });

  test('isn’t offered without a passkey, nor when passkeys are off', async () => {
    const { email, device, person, passkeyId } = await withApp();
    const { body, cookie } = await signIn(production, email);
    await set({ passkeys: false });
    const answer = device.get((body as unknown as Step).secondStep.passkey);
    expect((await repeat(email, answer, cookie)).body).toMatchObject({ reason: 'passkeys_off' });
    expect((await signIn(production, email)).body).toEqual(onlyByApp);
    await set({ passkeys: true });
    await removePasskey(as(await freshSession(db, person)), { providers: [] }, { id: passkeyId });
    expect((await signIn(production, email)).body).toEqual(onlyByApp);
  });

  test('ends with the second factor that an administrator resets', async () => {
    const { id, device } = await withApp();
    await resetSecondFactor(as(await addAdministrator(db)), { id });
    expect(await signInWith(device)).toMatchObject(wrong);
    await expect(resetSecondFactor(as(await addAdministrator(db)), { id })).rejects.toMatchObject({
      reason: 'second_factor',
    });
  });
});
