import { argon2Sync } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { argon2Cost } from '#/platform/argon2.ts';
import { transact } from '#/platform/db/transact.ts';
import { digest } from '#/platform/tokens.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { identitiesOf, password } from '../../../../tests/support/identity.ts';
import { addAdministrator, addClient, freshSession, type Person } from '../../../../tests/support/people.ts';
import { adminSettings } from '#/features/settings/queries.ts';
import { saveSettings } from '#/features/settings/commands.ts';
import { makeLinkToken } from '../commands.ts';
import { countUsers } from '../users/queries.ts';
import { accountsPersonal } from '../personal.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  ownSecondFactor,
  removeSecondFactor,
  renewBackupCodes,
  resetSecondFactor,
} from './commands.ts';
import type { SetUp } from './contract.ts';
import { coverageOf, demandsFactor } from './queries.ts';

const database = await testDatabase({ poolSize: 4 });
const { guest, base, events, production, send, signIn, actorOf, verified, entries } = identitiesOf(database);
const { db, as } = database;

function shown({ secret }: Pick<SetUp, 'secret'>, secondsOn = 0): string {
  const timestamp = guest.now().epochMilliseconds + secondsOn * 1_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

async function setFlag(enabled: boolean): Promise<void> {
  await db
    .updateTable('feature_flags')
    .set({ enabled, scope: 'global' })
    .where('id', '=', 'two_factor_authentication')
    .execute();
}

async function demand(required: boolean): Promise<void> {
  await db.updateTable('site_settings').set({ require_two_factor: required }).execute();
}

let number = 0;
const freshEmail = () => `two.steps.${(number += 1)}@italk.test`;

async function signedIn(email = freshEmail()): Promise<{ email: string; cookie: string; person: Person }> {
  const { cookie } = await verified(email);
  return { email, cookie, person: (await actorOf(production, cookie)) as Person };
}

async function withFactor() {
  const someone = await signedIn();
  const setUp = await beginSecondFactor(as(someone.person), { password });
  const { backupCodes } = await confirmSecondFactor(as(someone.person), { code: shown(setUp, -30) });
  return { ...someone, setUp, backupCodes };
}

const withCode = (email: string, code: string, given = password) =>
  send(production, '/sign-in/email', { email, password: given, code });

beforeEach(async () => {
  database.setNow('2026-03-02T12:00:00Z');
  await setFlag(true);
  await demand(false);
});

test('generates codes per RFC 6238 (appendix B, SHA-1, the last six digits)', () => {
  const totp = new TOTP({ secret: Secret.fromUTF8('12345678901234567890') });
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const)
    expect(totp.generate({ timestamp: seconds * 1_000 })).toBe(code);
});

describe('setting up a second factor', () => {
  test('requires the password and an app code, ends other sessions, and seals the secret', async () => {
    const { email, person, cookie } = await signedIn();
    const other = await signIn(production, email);
    await expect(beginSecondFactor(as(person), { password: 'wrong' })).rejects.toMatchObject({
      fields: [{ field: 'password', reason: 'wrong_password' }],
    });
    const setUp = await beginSecondFactor(as(person), { password });
    expect(new URL(setUp.address)).toMatchObject({ protocol: 'otpauth:' });
    expect(decodeURIComponent(setUp.address)).toContain(`iTalk Health:${email}`);
    const stored = await db
      .selectFrom('second_factors')
      .selectAll()
      .where('user_id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect(stored.secret).not.toContain(setUp.secret);
    expect(await signIn(production, email)).toMatchObject({ body: { signedIn: true } });
    await expect(confirmSecondFactor(as(person), { code: '000000' })).rejects.toMatchObject({
      fields: [{ field: 'code', reason: 'wrong_code' }],
    });
    const { backupCodes } = await confirmSecondFactor(as(person), { code: shown(setUp) });
    expect(new Set(backupCodes).size).toBe(10);
    for (const code of backupCodes)
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
    expect(await ownSecondFactor(as(person))).toEqual({
      active: true,
      byPasskey: false,
      offered: true,
      demanded: false,
      codesLeft: 10,
    });
    expect(await actorOf(production, other.cookie)).toEqual({ kind: 'guest' });
    expect(await actorOf(production, cookie)).toMatchObject({ id: person.id });
    await expect(beginSecondFactor(as(person), { password })).rejects.toMatchObject({
      reason: 'second_factor_active',
    });
    expect(await entries('second_factor_set_up', person.id)).toHaveLength(1);
  });

  test('is refused with the flag off; existing factors are still required', async () => {
    const { email, setUp } = await withFactor();
    await setFlag(false);
    const { person } = await signedIn();
    const off = { code: 'not_found', reason: 'feature_off' };
    await expect(beginSecondFactor(as(person), { password })).rejects.toMatchObject(off);
    await expect(confirmSecondFactor(as(person), { code: '123456' })).rejects.toMatchObject(off);
    expect(await signIn(production, email)).toMatchObject({ body: { signedIn: false } });
    expect(await withCode(email, shown(setUp))).toMatchObject({ body: { signedIn: true } });
  });
});

describe('signing in', () => {
  test('requires a correct password and code to create a session', async () => {
    const { email, setUp, person } = await withFactor();
    const asked = await signIn(production, email);
    expect(asked).toMatchObject({
      status: 200,
      body: { signedIn: false, secondStep: { setUp: null } },
      cookies: [],
    });
    expect(await withCode(email, shown(setUp), 'wrong-password')).toMatchObject({
      status: 401,
      body: { reason: 'wrong_credentials' },
    });
    const wrong = await withCode(email, '000000');
    expect(wrong).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'code', reason: 'wrong_code' }] },
      cookies: [],
    });
    expect((await entries('signed_in', person.id)).at(-1)).toMatchObject({
      success: false,
      details: { reason: 'wrong_code' },
    });
    const answer = await withCode(email, shown(setUp));
    expect(answer.body).toEqual({ signedIn: true });
    expect(await actorOf(production, answer.cookie)).toMatchObject({ id: person.id });
  });

  test('accepts each code once, even concurrently, with half a minute of clock drift', async () => {
    const { email, setUp } = await withFactor();
    const both = await Promise.all([1, 2].map(() => withCode(email, shown(setUp))));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect((await withCode(email, shown(setUp))).status).toBe(400);
    expect((await withCode(email, shown(setUp, -30))).status).toBe(400);
    expect((await withCode(email, shown(setUp, 60))).status).toBe(400);
    expect((await withCode(email, shown(setUp, 30))).status).toBe(200);
  });

  test('gets ten backup codes of 60 random bits, never the same twice', async () => {
    const { backupCodes } = await withFactor();
    const codes = [...backupCodes, ...(await withFactor()).backupCodes];
    for (const code of codes) expect(code).toMatch(/^(?:[\dA-HJKMNP-TV-Z]{4}-){2}[\dA-HJKMNP-TV-Z]{4}$/);
    expect(new Set(codes).size).toBe(20);
  });

  test.each(['app', 'backup'])('wins one session with fifty parallel tries of the code: %s', async (kind) => {
    const { email, person, setUp, backupCodes } = await withFactor();
    const sessions = () => db.selectFrom('sessions').select('id').where('user_id', '=', person.id).execute();
    const before = (await sessions()).length;
    const code = kind === 'app' ? shown(setUp) : backupCodes[0]!;
    const answers = await Promise.all(Array.from({ length: 50 }, () => withCode(email, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessions()).toHaveLength(before + 1);
  });

  test('accepts each backup code once, in any format; new codes void the old ones', async () => {
    const { email, person, backupCodes } = await withFactor();
    expect((await withCode(email, backupCodes[0]!.toLowerCase().replaceAll('-', ' '))).status).toBe(200);
    expect((await withCode(email, backupCodes[0]!)).status).toBe(400);
    expect(await ownSecondFactor(as(person))).toMatchObject({ codesLeft: 9 });
    const renewed = await renewBackupCodes(as(person), { password, code: backupCodes[2]! });
    expect((await withCode(email, backupCodes[1]!)).status).toBe(400);
    expect((await withCode(email, renewed.backupCodes[1]!)).status).toBe(200);
    const another = await withFactor();
    expect((await withCode(email, another.backupCodes[0]!)).status).toBe(400);
  });

  test('stores backup codes as Argon2id hashes, and accepts those hashed before until they are replaced', async () => {
    const { email, person, backupCodes } = await withFactor();
    const [code, other] = backupCodes as [string, string];
    const rows = () =>
      db
        .selectFrom('backup_codes')
        .innerJoin('second_factors as f', 'f.id', 'factor_id')
        .where('user_id', '=', person.id)
        .select(['backup_codes.id', 'factor_id', 'digest'])
        .execute();
    const [{ factor_id: factor }] = (await rows()) as [Awaited<ReturnType<typeof rows>>[number]];
    const fast = (typed: string) => digest(`${factor}:${typed.replaceAll('-', '')}`);
    const nonce = Buffer.from(factor.replaceAll('-', ''), 'hex');
    const slow = argon2Sync('argon2id', {
      message: code.replaceAll('-', ''),
      nonce,
      ...argon2Cost,
      tagLength: 32,
    }).toString('base64url');
    const stored = (await rows()).map((row) => row.digest);
    expect(stored).toContain(slow);
    expect(stored).not.toContain(fast(code));
    const { id } = (await rows()).find((row) => row.digest === slow)!;
    await db
      .updateTable('backup_codes')
      .set({ digest: fast(code) })
      .where('id', '=', id)
      .execute();
    const both = await Promise.all([1, 2].map(() => withCode(email, code)));
    expect(both.map(({ status }) => status)).toContain(200);
    expect(both.map(({ status }) => status)).toContain(400);
    const renewed = await renewBackupCodes(as(person), { password, code: other });
    expect((await rows()).map((row) => row.digest)).not.toContain(fast(renewed.backupCodes[0]!));
  });

  test('blocks after ten codes, including the right one', async () => {
    const { email, setUp } = await withFactor();
    for (let guess = 0; guess < 10; guess += 1)
      expect((await withCode(email, String(guess).padStart(6, '0'))).status).toBe(400);
    expect(await withCode(email, shown(setUp))).toMatchObject({ status: 429 });
    database.setNow('2026-03-02T12:16:00Z');
    expect((await withCode(email, shown(setUp))).status).toBe(200);
  });

  test('still requires a code after a password reset', async () => {
    const { email, person, setUp } = await withFactor();
    const token = await makeLinkToken(guest, 'reset-password', person.id);
    const newPassword = 'another-one-entirely-9';
    expect(await send(production, '/reset-password', { token, newPassword })).toMatchObject({
      status: 200,
      body: { signedIn: false },
      cookies: [],
    });
    expect((await withCode(email, shown(setUp), newPassword)).status).toBe(200);
  });
});

describe('a required second factor', () => {
  test('is set up during sign-in, which ends the sessions opened without it', async () => {
    const { email, person, cookie } = await signedIn();
    await demand(true);
    expect(await actorOf(production, cookie)).toEqual({ kind: 'guest' });
    const somebody = await signIn(production, email);
    const first = await signIn(production, email);
    const { setUp } = first.body.secondStep as { setUp: SetUp };
    // A stranger with the password learns another secret.
    expect(setUp).not.toEqual((somebody.body.secondStep as { setUp: SetUp }).setUp);
    expect(first).toMatchObject({
      body: { signedIn: false },
      cookies: [expect.stringContaining('.set_up=')],
    });
    // Reloading the page keeps it, so a scanned code still works.
    const { cookie: begun } = first;
    expect((await signIn(production, email, password, { cookie: begun })).body.secondStep).toEqual({ setUp });
    expect((await withCode(email, '000000')).status).toBe(400);
    const answer = await withCode(email, shown(setUp));
    expect(answer).toMatchObject({ status: 200, body: { signedIn: true } });
    expect(answer.body.backupCodes).toHaveLength(10);
    expect(await actorOf(production, answer.cookie)).toMatchObject({ id: person.id });
    expect(await actorOf(production, cookie)).toEqual({ kind: 'guest' });
    const [code] = answer.body.backupCodes as string[];
    await expect(removeSecondFactor(as(person), { password, code })).rejects.toMatchObject({
      reason: 'second_factor_demanded',
    });
  });

  test('doesn’t apply where the flag is off', async () => {
    await setFlag(false);
    await demand(true);
    const { email } = await signedIn();
    expect(await signIn(production, email)).toMatchObject({ body: { signedIn: true } });
  });

  test('sends people to sign-in after verifying their address', async () => {
    await demand(true);
    const { id } = await verified(freshEmail());
    const sessions = await db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute();
    expect(sessions).toEqual([]);
    expect(await entries('address_verified', id)).toHaveLength(1);
  });
});

test('blocks removing a second factor for fifteen minutes after ten wrong codes', async () => {
  const { person, setUp } = await withFactor();
  const remove = (code: string) => removeSecondFactor(as(person), { password, code });
  for (let i = 0; i < 10; i++) await expect(remove('000000')).rejects.toMatchObject({ reason: 'wrong_code' });
  await expect(remove(shown(setUp))).rejects.toMatchObject({ code: 'rate_limited' });
});

test('requires a code, not just the password, for new backup codes', async () => {
  const { person, backupCodes } = await withFactor();
  const renew = (code: string) => renewBackupCodes(as(person), { password, code });
  for (let i = 0; i < 10; i++) await expect(renew('000000')).rejects.toMatchObject({ reason: 'wrong_code' });
  await expect(renew(backupCodes[0]!)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await ownSecondFactor(as(person))).toMatchObject({ active: true, codesLeft: 10 });
  expect(await entries('backup_codes_renewed', person.id)).toEqual([]);
});

test('notifies the owner of each change to a second factor', async () => {
  const { person } = await signedIn();
  const ctx = { ...as(person), emit: base.emit };
  const before = events.length;
  const setUp = await beginSecondFactor(ctx, { password });
  const { backupCodes } = await confirmSecondFactor(ctx, { code: shown(setUp) });
  const renewed = await renewBackupCodes(ctx, { password, code: backupCodes[1]! });
  const [spent, code] = [backupCodes[0]!, renewed.backupCodes[0]!];
  await expect(removeSecondFactor(ctx, { password, code: spent })).rejects.toMatchObject({
    reason: 'wrong_code',
  });
  await removeSecondFactor(ctx, { password, code });
  expect(events.slice(before)).toEqual(
    ['factor_set_up', 'codes_renewed', 'factor_removed'].map((change) => ({
      event: 'accounts.secured',
      payload: { userId: person.id, change },
    })),
  );
});

test('discards an unfinished setup without an email', async () => {
  const { person } = await signedIn();
  const ctx = { ...as(person), emit: base.emit };
  const before = events.length;
  await beginSecondFactor(ctx, { password });
  expect(await removeSecondFactor(ctx, { password, code: '000000' })).toMatchObject({ active: false });
  expect(await entries('second_factor_removed', person.id)).toHaveLength(1);
  expect(events.slice(before)).toEqual([]);
});

test('removes a second factor with password and code, by an administrator, or with the account', async () => {
  const own = await withFactor();
  const remove = (given: string, code: string) =>
    removeSecondFactor(as(own.person), { password: given, code });
  await expect(remove('wrong', own.backupCodes[0]!)).rejects.toMatchObject({
    fields: [{ field: 'password', reason: 'wrong_password' }],
  });
  // A wrong password doesn't consume the backup code.
  await expect(remove(password, '000000')).rejects.toMatchObject({
    fields: [{ field: 'code', reason: 'wrong_code' }],
  });
  expect(await remove(password, own.backupCodes[0]!)).toMatchObject({ active: false });
  expect(await signIn(production, own.email)).toMatchObject({ body: { signedIn: true } });

  const lost = await withFactor();
  const { id } = lost.person;
  await expect(resetSecondFactor(as(own.person), { id })).rejects.toMatchObject({ code: 'forbidden' });
  const chief = {
    ...as(await freshSession(db, { ...own.person, role: 'super_admin' })),
    emit: base.emit,
  };
  await expect(resetSecondFactor(chief, { id: own.person.id })).rejects.toMatchObject({
    reason: 'yourself',
  });
  await resetSecondFactor(chief, { id });
  expect(events.at(-1)).toEqual({
    event: 'accounts.secured',
    payload: { userId: id, change: 'factor_reset' },
  });
  expect(await actorOf(production, lost.cookie)).toEqual({ kind: 'guest' });
  await expect(resetSecondFactor(chief, { id })).rejects.toMatchObject({ code: 'not_found' });
  expect(await entries('second_factor_reset', id)).toMatchObject([{ actor_id: own.person.id }]);

  const leaving = await withFactor();
  const told = await accountsPersonal.collect(as(leaving.person), leaving.person.id);
  expect(JSON.stringify(told)).not.toContain(leaving.setUp.secret);
  await transact(as({ kind: 'job', name: 'personal.erase' }), (tx) =>
    accountsPersonal.erase(tx, leaving.person.id),
  );
  const left = await db
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', leaving.person.id)
    .execute();
  expect(left).toEqual([]);
});

test('requires a second factor where the flag applies, and counts people without one', async () => {
  const chief = as(await addAdministrator(db));
  const client = await addClient(db);
  await db
    .updateTable('feature_flags')
    .set({ enabled: false })
    .where('id', '=', 'two_factor_authentication')
    .execute();
  const { version } = await adminSettings(chief);
  // With two-factor authentication off, the requirement would protect nobody.
  await expect(saveSettings(chief, { version, change: { requireTwoFactor: true } })).rejects.toMatchObject({
    code: 'precondition',
    reason: 'two_factor_off',
  });
  expect(await coverageOf(chief)).toMatchObject({ offered: false, covered: 0, lacking: 0 });

  const set = (scope: 'global' | 'role_based', roles: ('doctor' | 'client')[]) =>
    db
      .updateTable('feature_flags')
      .set({ enabled: true, scope, roles })
      .where('id', '=', 'two_factor_authentication')
      .execute();
  await set('global', []);
  await saveSettings(chief, { version, change: { requireTwoFactor: true } });
  const all = await coverageOf(chief);
  expect(all).toMatchObject({ offered: true, demanded: true });
  expect(all.lacking).toBeGreaterThan(0);
  expect(all.uncovered).toBe(0);
  // Clients aren't exempt: they set up a factor during sign-in.
  expect(await demandsFactor(chief, client)).toBe(true);
  const lacks = (role: 'client' | 'doctor') =>
    countUsers(chief, { search: '', role, lacksFactor: true }).then(({ count }) => count);
  expect(await lacks('client')).toBeGreaterThan(0);
  await set('role_based', ['doctor']);
  expect(await demandsFactor(chief, client)).toBe(false);
  expect(await lacks('client')).toBe(0);
  const some = await coverageOf(chief);
  expect(some.covered).toBeLessThan(all.covered);
  expect(some.covered + some.uncovered).toBe(all.covered);
});
