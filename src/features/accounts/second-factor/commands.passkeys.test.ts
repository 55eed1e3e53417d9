import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { newAuthenticator, type Authenticator } from '../../../../tests/support/authenticator.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { appUrl, identitiesOf, password } from '../../../../tests/support/identity.ts';
import { addAdministrator, freshSession, type Person } from '../../../../tests/support/people.ts';
import { makeLinkToken, requireFullyFresh } from '../commands.ts';
import { addPasskey, askOwnPasskey, beginPasskey, ownPasskeys, removePasskey } from '../passkeys/commands.ts';
import { challengeFactor, enrollFactor, verifyFactor } from '../program-factors/commands.ts';
import { programFactors } from '../program-sessions/queries.ts';
import { reauthenticate } from '../reauthentication/commands.ts';
import type { Assertion, Attestation } from '../webauthn/contract.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  ownSecondFactor,
  removeSecondFactor,
  renewBackupCodes,
  resetSecondFactor,
  setUpPasskeys,
} from './commands.ts';

const database = await testDatabase({ poolSize: 6 });
const { db, as, runJobs, readMails, setNow } = database;
const { guest, production, send, signIn, actorOf, verified, entries } = identitiesOf(database);

const set = (change: { passkeys?: boolean; require_two_factor?: boolean; sign_in_code?: boolean }) =>
  db.updateTable('site_settings').set(change).execute();
const offer = (enabled: boolean) =>
  db
    .updateTable('feature_flags')
    .set({ enabled, scope: 'global' })
    .where('id', '=', 'two_factor_authentication')
    .execute();

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await set({ passkeys: true, require_two_factor: false });
  await offer(true);
});

interface Someone {
  id: string;
  email: string;
  person: Person;
  device: Authenticator;
  passkeyId: string;
}

async function add(person: Person, device: Authenticator): Promise<string> {
  const ctx = as(person);
  const passkey = device.create(await beginPasskey(ctx, appUrl)) as Attestation;
  return (await addPasskey(ctx, appUrl, { passkey })).id;
}

let people = 0;
async function somebody(): Promise<Someone> {
  const email = `second.passkey.${(people += 1)}@italk.test`;
  const { id, cookie } = await verified(email);
  const person = await freshSession(db, (await actorOf(production, cookie)) as Person);
  const device = newAuthenticator(appUrl);
  return { id, email, person, device, passkeyId: await add(person, device) };
}

const confirmedBy = async ({ person, device }: Pick<Someone, 'person' | 'device'>) =>
  device.get(await askOwnPasskey(as(person), appUrl)) as Assertion;
const setUp = async (someone: Someone) =>
  setUpPasskeys(as(someone.person), appUrl, { passkey: await confirmedBy(someone) });
const confirm = async (someone: Pick<Someone, 'person' | 'device'>) =>
  reauthenticate(as(someone.person), appUrl, { passkey: await confirmedBy(someone) });

async function byPasskey() {
  const someone = await somebody();
  return { ...someone, ...(await setUp(someone)) };
}

type Options = Parameters<Authenticator['get']>[0];
const stepIn = ({ body }: Awaited<ReturnType<typeof signIn>>) =>
  (body as { secondStep: { setUp: null; byPasskey?: true; passkey?: Options } }).secondStep;
const enter = (email: string, given: object, cookie = '') =>
  send(production, '/sign-in/email', { email, password, ...given }, { cookie });
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: guest.now().epochMilliseconds });
const wrongCode = { status: 400, body: { fields: [{ field: 'code', reason: 'wrong_code' }] } };
const needsBoth = { reason: 'full_reauthentication_required' };

describe('making passkeys the second step', () => {
  test('takes one of the person’s own, ends other sessions, and gives backup codes', async () => {
    const someone = await somebody();
    const { id, email, person } = someone;
    const other = await signIn(production, email);
    const stranger = await somebody();
    const theirs = stranger.device.get(await askOwnPasskey(as(person), appUrl)) as Assertion;
    await expect(setUpPasskeys(as(person), appUrl, { passkey: theirs })).rejects.toMatchObject({
      reason: 'wrong_passkey',
    });
    expect(await ownSecondFactor(as(person))).toMatchObject({ active: false, byPasskey: false });
    const { backupCodes } = await setUp(someone);
    expect(new Set(backupCodes).size).toBe(10);
    expect(await ownSecondFactor(as(person))).toEqual({
      active: true,
      byPasskey: true,
      offered: true,
      demanded: false,
      codesLeft: 10,
    });
    expect(await actorOf(production, other.cookie)).toEqual({ kind: 'guest' });
    expect(await entries('second_factor_set_up', id)).toHaveLength(1);
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', email));
    expect(mails.map(({ text_body }) => text_body).join()).toContain(
      'Two-factor authentication was turned on',
    );
    await expect(setUp(someone)).rejects.toMatchObject({ reason: 'second_factor_active' });
  });

  test('makes one factor of two requests at once, each with its codes or a refusal', async () => {
    const someone = await somebody();
    const second = newAuthenticator(appUrl);
    await add(someone.person, second);
    const ctx = as(await freshSession(db, someone.person));
    const other = { ...someone, device: second, person: ctx.actor as Person };
    const given = [await confirmedBy(someone), await confirmedBy(other)] as const;
    const made = await Promise.allSettled([
      setUpPasskeys(as(someone.person), appUrl, { passkey: given[0] }),
      setUpPasskeys(ctx, appUrl, { passkey: given[1] }),
    ]);
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await ownSecondFactor(as(someone.person))).codesLeft).toBe(10);
  });

  test('is refused where two factors or passkeys are off, and without a passkey', async () => {
    const someone = await somebody();
    const passkey = await confirmedBy(someone);
    await offer(false);
    await expect(setUpPasskeys(as(someone.person), appUrl, { passkey })).rejects.toMatchObject({
      reason: 'feature_off',
    });
    await offer(true);
    await set({ passkeys: false });
    await expect(setUpPasskeys(as(someone.person), appUrl, { passkey })).rejects.toMatchObject({
      reason: 'passkeys_off',
    });
    await expect(askOwnPasskey(as(someone.person), appUrl)).rejects.toMatchObject({ reason: 'passkeys_off' });
    const { cookie } = await verified('no.passkey@italk.test');
    await set({ passkeys: true });
    await expect(
      askOwnPasskey(as((await actorOf(production, cookie)) as Person), appUrl),
    ).rejects.toMatchObject({ reason: 'passkey' });
  });
});

describe('signing in', () => {
  test('asks for a passkey after the password, and takes it once', async () => {
    const { id, email, device } = await byPasskey();
    const first = await signIn(production, email);
    expect(first.cookie).not.toContain('session_token');
    expect(stepIn(first)).toMatchObject({
      setUp: null,
      byPasskey: true,
      passkey: { allowCredentials: [{ id: device.id }] },
    });
    const passkey = device.get(stepIn(first).passkey!);
    const entered = await enter(email, { passkey }, first.cookie);
    expect(entered.body).toEqual({ signedIn: true });
    expect(await actorOf(production, entered.cookie)).toMatchObject({ id });
    expect(await enter(email, { passkey }, first.cookie)).toMatchObject({ status: 412 });
  });

  test('takes a backup code once, and never six digits', async () => {
    const { email, backupCodes } = await byPasskey();
    expect(await enter(email, { code: '123456' })).toMatchObject(wrongCode);
    expect((await enter(email, { code: backupCodes[0] })).body).toEqual({ signedIn: true });
    expect(await enter(email, { code: backupCodes[0] })).toMatchObject(wrongCode);
  });

  test('asks after an emailed code as well', async () => {
    await set({ sign_in_code: true });
    const { email } = await byPasskey();
    const asked = await send(production, '/request-sign-in-code', { email });
    await runJobs();
    const [mail] = await readMails((rows) => rows.where('recipient', '=', email).orderBy('id', 'desc'));
    const emailCode = /\b(\d{3} ?\d{3,5})\b/.exec(mail!.text_body)![1]!;
    const given = await send(production, '/sign-in/code', { emailCode }, { cookie: asked.cookie });
    expect(given.body).toMatchObject({ signedIn: false, secondStep: { byPasskey: true } });
    expect(given.cookie).not.toContain('session_token');
  });

  test('counts as only one step where a trusted device skips it', async () => {
    await set({ sign_in_code: true });
    const { id, email, device } = await byPasskey();
    const first = await signIn(production, email);
    const passkey = device.get(stepIn(first).passkey!);
    const trusted = await enter(email, { passkey, trust: true }, first.cookie);
    await db.deleteFrom('credentials').where('user_id', '=', id).execute();
    const asked = await send(production, '/request-sign-in-code', { email });
    await runJobs();
    const [mail] = await readMails((rows) => rows.where('recipient', '=', email).orderBy('id', 'desc'));
    const emailCode = /\b(\d{3} ?\d{3,5})\b/.exec(mail!.text_body)![1]!;
    const cookie = [...trusted.cookies, ...asked.cookies].map((one) => one.split(';')[0]).join('; ');
    const entered = await send(production, '/sign-in/code', { emailCode }, { cookie });
    expect(entered.body).toEqual({ signedIn: true });
    const ctx = as(await actorOf(production, entered.cookie));
    await expect(requireFullyFresh(ctx)).rejects.toMatchObject(needsBoth);
  });

  test('refuses another account’s passkey', async () => {
    const { email } = await byPasskey();
    const stranger = await byPasskey();
    const first = await signIn(production, email);
    const passkey = stranger.device.get(stepIn(first).passkey!);
    expect(await enter(email, { passkey }, first.cookie)).toMatchObject({
      status: 401,
      body: { reason: 'wrong_passkey' },
    });
  });

  test('still takes passkeys after the site turns them off, which shuts nobody out', async () => {
    const { email, device } = await byPasskey();
    await set({ passkeys: false });
    const first = await signIn(production, email);
    const passkey = device.get(stepIn(first).passkey!);
    expect((await enter(email, { passkey }, first.cookie)).body).toEqual({ signedIn: true });
  });

  test('satisfies a site that requires two factors', async () => {
    const { id, email, person, device } = await byPasskey();
    await set({ require_two_factor: true });
    expect(await ownSecondFactor(as(person))).toMatchObject({ active: true, demanded: true });
    const first = await signIn(production, email);
    const passkey = device.get(stepIn(first).passkey!);
    const { cookie } = await enter(email, { passkey }, first.cookie);
    expect(await actorOf(production, cookie)).toMatchObject({ id });
    await confirm({ person, device });
    await expect(removeSecondFactor(as(person), {})).rejects.toMatchObject({
      reason: 'second_factor_demanded',
    });
  });
});

describe('recovery by email', () => {
  test('keeps the passkeys, which still follow the new password', async () => {
    const { id, email, person } = await byPasskey();
    const token = await makeLinkToken(guest, 'reset-password', id);
    const newPassword = 'another-quiet-room-42';
    const answer = await send(production, '/reset-password', { token, newPassword });
    expect(answer.body).toEqual({ signedIn: false });
    expect(await ownPasskeys(as(person))).toHaveLength(1);
    expect(stepIn(await signIn(production, email, newPassword))).toMatchObject({ byPasskey: true });
  });

  test('ends an app that was being set up', async () => {
    const { id, person } = await byPasskey();
    const { secret } = await beginSecondFactor(as(person), { password });
    const token = await makeLinkToken(guest, 'reset-password', id);
    await send(production, '/reset-password', { token, newPassword: 'another-quiet-room-42' });
    await expect(confirmSecondFactor(as(person), { code: codeOf(secret) })).rejects.toMatchObject({
      reason: 'second_factor_not_begun',
    });
  });
});

describe('changing it', () => {
  test('needs both steps confirmed: a password alone isn’t enough', async () => {
    const someone = await byPasskey();
    const { person } = someone;
    const ctx = as(person);
    await db
      .updateTable('sessions')
      .set({ fully_reauthenticated_at: null })
      .where('id', '=', person.sessionId)
      .execute();
    await reauthenticate(ctx, appUrl, { password });
    await expect(requireFullyFresh(ctx)).rejects.toMatchObject(needsBoth);
    await expect(renewBackupCodes(ctx, {})).rejects.toMatchObject(needsBoth);
    await expect(beginSecondFactor(ctx, { password })).rejects.toMatchObject(needsBoth);
    await expect(removeSecondFactor(ctx, { password, code: '123456' })).rejects.toMatchObject(needsBoth);
    await confirm(someone);
    const { backupCodes } = await renewBackupCodes(ctx, {});
    setNow('2026-03-02T12:06:00Z');
    await expect(removeSecondFactor(ctx, {})).rejects.toMatchObject(needsBoth);
    await reauthenticate(ctx, appUrl, { password, code: backupCodes[0] });
    expect(await removeSecondFactor(ctx, {})).toMatchObject({ active: false, byPasskey: false });
    expect((await signIn(production, someone.email)).body).toEqual({ signedIn: true });
  });

  test('can’t leave it to backup codes by removing the last passkey', async () => {
    const someone = await byPasskey();
    const { person, passkeyId } = someone;
    await confirm(someone);
    const noProviders = { providers: [] };
    await expect(removePasskey(as(person), noProviders, { id: passkeyId })).rejects.toMatchObject({
      reason: 'last_second_step',
    });
    await add(person, newAuthenticator(appUrl));
    expect(await removePasskey(as(person), noProviders, { id: passkeyId })).toHaveLength(1);
  });

  test('to an app asks for passkeys until the app’s first code, then for either', async () => {
    const { email, person, device } = await byPasskey();
    const { secret } = await beginSecondFactor(as(person), { password });
    expect(stepIn(await signIn(production, email))).toMatchObject({ byPasskey: true });
    expect(await enter(email, { code: codeOf(secret) })).toMatchObject(wrongCode);
    await confirmSecondFactor(as(person), { code: codeOf(secret) });
    setNow('2026-03-02T12:01:00Z');
    const first = await signIn(production, email);
    expect(stepIn(first)).not.toHaveProperty('byPasskey');
    expect((await enter(email, { code: codeOf(secret) })).body).toEqual({ signedIn: true });
    const passkey = device.get(stepIn(first).passkey!);
    expect((await enter(email, { passkey }, first.cookie)).body).toEqual({ signedIn: true });
  });

  test('of the password asks for a passkey, or a backup code', async () => {
    const { email, device } = await byPasskey();
    const first = await signIn(production, email);
    const passkey = device.get(stepIn(first).passkey!);
    const { cookie } = await enter(email, { passkey }, first.cookie);
    const person = (await actorOf(production, cookie)) as Person;
    const change = () =>
      send(production, '/change-password', { password, newPassword: 'another-quiet-room-42' }, { cookie });
    await reauthenticate(as(person), appUrl, { password });
    expect(await change()).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'code', reason: 'required' }] },
    });
    await confirm({ person, device });
    expect((await change()).body).toEqual({ signedIn: true });
  });

  test('is left to an administrator who resets it, and takes the passkeys along', async () => {
    const { id, email, person } = await byPasskey();
    await resetSecondFactor(as(await addAdministrator(db)), { id });
    expect(await ownPasskeys(as(person))).toEqual([]);
    expect((await signIn(production, email)).body).toEqual({ signedIn: true });
  });
});

test('programs see it, and leave it to the browser', async () => {
  const { id, person } = await byPasskey();
  const ctx = as(person);
  const [factor] = await programFactors(ctx, id);
  expect(factor).toMatchObject({ factor_type: 'webauthn', status: 'verified' });
  const owner = { id, waiting: null };
  const inBrowser = { code: 'precondition', reason: 'second_factor_in_browser' };
  await expect(challengeFactor(ctx, owner, factor!.id)).rejects.toMatchObject(inBrowser);
  const call = { ctx } as Parameters<typeof verifyFactor>[0];
  await expect(
    verifyFactor(call, owner, factor!.id, { code: '123456', challenge_id: id }),
  ).rejects.toMatchObject(inBrowser);
  await expect(enrollFactor(as(await freshSession(db, person)), owner)).rejects.toMatchObject({
    reason: 'second_factor_active',
  });
});
