import { randomInt } from 'node:crypto';
import type { Insertable } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { authorize, topicsOf } from '#/features/access/rules.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { requireFlag } from '#/features/settings/flags/policies.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Role } from '#/kernel/actor.ts';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { argon2Cost as backupCodeCost, argon2id } from '#/platform/argon2.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import { transact } from '#/platform/db/transact.ts';
import { countAttempt, uncountAttempt } from '#/platform/http/limits.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { digest } from '#/platform/tokens.ts';
import {
  deleteSessions,
  distrustDevices,
  endEmailChange,
  lockAccount,
  requireFresh,
  requireFullyFresh,
  signedIn,
} from '../commands.ts';
import { isTrusted } from '../known-devices/commands.ts';
import { mayTrustDevices } from '../known-devices/rules.ts';
import { requirePassword, requireSamePassword } from '../password/commands.ts';
import { personOf } from '../queries.ts';
import type { SecurityChange } from '../rules.ts';
import { allowances } from '../tries/rules.ts';
import type { SecondFactorsTable } from '../tables.ts';
import { countPasskeyUse, deletePasskeys, provePasskeyInSession } from '../webauthn/commands.ts';
import type { Assertion } from '../webauthn/contract.ts';
import { isByPasskey } from '../webauthn/queries.ts';
import type { SecondFactorState, SetUp } from './contract.ts';
import { requireFactor } from '../policies.ts';
import { demandsFactor, sealedSecret, stateOf, type Factor } from './queries.ts';
import { backupAlphabet, backupCodeCount, backupCodeLength, grouped, isAppCode, plainCode } from './rules.ts';

/** Seconds per code (RFC 6238, section 5.2). */
const period = 30;
/** Codes accepted before and after, for clock drift. */
const window = 1;

export async function ownSecondFactor(ctx: Ctx): Promise<SecondFactorState> {
  return stateOf(ctx, signedIn(ctx));
}

/**
 * Begins two-factor setup. Throws `requirePassword` errors, not_found `feature_off`, conflict `second_factor_active`,
 * precondition `full_reauthentication_required` beside passkeys.
 */
export async function beginSecondFactor(ctx: Ctx, { password }: { password: string }): Promise<SetUp> {
  await requireFlag(ctx, 'two_factor_authentication');
  const known = await requirePassword(ctx, password);
  return transact(ctx, async (tx) => {
    await requireSamePassword(tx, known);
    return beginProven(tx);
  });
}

/** Like `beginSecondFactor`; the caller has checked the password. */
export async function beginProven(ctx: Ctx): Promise<SetUp> {
  const { id } = signedIn(ctx);
  await requireFlag(ctx, 'two_factor_authentication');
  return transact(ctx, (tx) => beginFactor(tx, id));
}

/**
 * Confirms two-factor setup and ends every other session. Throws invalid `wrong_code` for the field `code`,
 * precondition `second_factor_not_begun`, rate_limited `too_many_tries`.
 */
export async function confirmSecondFactor(
  ctx: Ctx,
  input: { code: string },
): Promise<{ backupCodes: string[] }> {
  const { id, sessionId } = signedIn(ctx);
  await requireFlag(ctx, 'two_factor_authentication');
  const backupCodes = await countedCode(ctx, `second-factor:${id}`, async (tx) => {
    const factor = await lockFactor(tx, id);
    const isBegun = factor && factor.secret !== null && (!factor.confirmed_at || factor.by_passkey);
    if (!isBegun) throw new AppError('precondition', 'second_factor_not_begun');
    const codes = await confirmFactor(tx, factor, id, input.code);
    await deleteSessions(tx, id, sessionId);
    return codes;
  });
  return { backupCodes };
}

/**
 * Makes the person's passkeys their second step, and ends every other session. The given one proves that they work, and
 * who asks. Throws not_found `feature_off`, conflict `second_factor_active`, and like `provePasskeyInSession` and
 * `countPasskeyUse`.
 */
export async function setUpPasskeys(
  ctx: Ctx,
  appUrl: string,
  { passkey }: { passkey: Assertion },
): Promise<{ backupCodes: string[] }> {
  const { id: userId, sessionId } = signedIn(ctx);
  await requireFlag(ctx, 'two_factor_authentication');
  const proven = await provePasskeyInSession(ctx, appUrl, sessionId, passkey);
  return transact(ctx, async (tx) => {
    await lockAccount(tx, userId);
    await countPasskeyUse(tx, userId, proven);
    const id = tx.newId();
    const at = new Date(tx.now().epochMilliseconds);
    await storeFactor(tx, {
      id,
      user_id: userId,
      secret: null,
      by_passkey: true,
      confirmed_at: at,
      created_at: at,
    });
    await record(tx, 'second_factor_set_up', userId);
    await notifyPerson(tx, userId, 'factor_set_up');
    await deleteSessions(tx, userId, sessionId);
    return { backupCodes: await makeBackupCodes(tx, id) };
  });
}

/** Limits wrong codes by `key`. */
async function countedCode<T>(ctx: Ctx, key: string, work: (tx: TxCtx) => Promise<T>): Promise<T> {
  const { tries, seconds } = allowances.passwords;
  if (!(await countAttempt(ctx.db, key, tries, seconds, ctx.now())))
    throw new AppError('rate_limited', 'too_many_tries');
  const done = await transact(ctx, work);
  await uncountAttempt(ctx.db, key);
  return done;
}

/**
 * Replaces all backup codes. Requires a code, since backup codes can remove the factor. Throws `requirePassword`
 * errors, precondition `second_factor_not_begun`, invalid `wrong_code` for the field `code`, rate_limited
 * `too_many_tries`.
 */
export async function renewBackupCodes(ctx: Ctx, given: Proof): Promise<{ backupCodes: string[] }> {
  const { id } = signedIn(ctx);
  return withBothSteps(ctx, given, async (tx, factor) => {
    if (!factor?.confirmed_at) throw new AppError('precondition', 'second_factor_not_begun');
    await record(tx, 'backup_codes_renewed', id);
    await notifyPerson(tx, id, 'codes_renewed');
    return { backupCodes: await makeBackupCodes(tx, factor.id) };
  });
}

interface Proof {
  password?: string | undefined;
  code?: string | undefined;
}

/** Runs `work` once both steps are proven. */
async function withBothSteps<T>(
  ctx: Ctx,
  { password, code }: Proof,
  work: (tx: TxCtx, factor: Factor | undefined) => Promise<T>,
): Promise<T> {
  const { id } = signedIn(ctx);
  if (await isByPasskey(ctx, id))
    return transact(ctx, async (tx) => {
      const factor = await lockFactor(tx, id);
      await requireFullyFresh(tx);
      return work(tx, factor);
    });
  if (password === undefined) throw invalidField('password', 'required');
  if (code === undefined) throw invalidField('code', 'required');
  const known = await requirePassword(ctx, password);
  return countedCode(ctx, `second-factor:${id}`, async (tx) => {
    await requireSamePassword(tx, known);
    const factor = await lockFactor(tx, id);
    if (factor?.confirmed_at) await consumeCode(tx, factor, code);
    return work(tx, factor);
  });
}

/**
 * Verifies a second-factor code. Call it before the transaction, so failed tries stay counted. Throws invalid
 * `wrong_code` for the field `code`, precondition `second_factor_not_begun`, rate_limited `too_many_tries`.
 */
export async function requireCode(ctx: Ctx, code: string): Promise<void> {
  if (ctx.db.isTransaction) throw new Error('verify the code before the transaction');
  const { id } = signedIn(ctx);
  await countedCode(ctx, `confirm-code:${id}`, async (tx) => {
    const factor = await lockFactor(tx, id);
    if (!factor?.confirmed_at) throw new AppError('precondition', 'second_factor_not_begun');
    await consumeCode(tx, factor, code);
  });
}

/**
 * Removes the second factor. Throws `requirePassword` errors, precondition `second_factor_demanded`, invalid
 * `wrong_code` for the field `code`, rate_limited `too_many_tries`.
 */
export async function removeSecondFactor(ctx: Ctx, given: Proof): Promise<SecondFactorState> {
  const person = signedIn(ctx);
  return withBothSteps(ctx, given, (tx) => removeFactor(tx, person));
}

/** Like `removeSecondFactor`, for a caller who has checked password and code. */
export async function removeProven(ctx: Ctx): Promise<SecondFactorState> {
  const person = signedIn(ctx);
  return transact(ctx, (tx) => removeFactor(tx, person));
}

async function removeFactor(tx: TxCtx, person: { id: string; role: Role }): Promise<SecondFactorState> {
  if (await demandsFactor(tx, person)) throw new AppError('precondition', 'second_factor_demanded');
  const factor = await lockFactor(tx, person.id);
  if (factor) await deleteFactor(tx, person.id, 'second_factor_removed');
  if (factor?.confirmed_at) await notifyPerson(tx, person.id, 'factor_removed');
  return stateOf(tx, person);
}

/**
 * Resets a lost second factor, with all passkeys, which may be lost with it. Ends all sessions and sends an email. Throws
 * not_found `second_factor`.
 */
export async function resetSecondFactor(ctx: Ctx, { id }: { id: string }): Promise<{ id: string }> {
  authorize(ctx.actor, ['manage_users']);
  // `removeSecondFactor` also asks for a code.
  if (id === signedIn(ctx).id) throw new AppError('precondition', 'yourself');
  await requireFresh(ctx);
  return transact(ctx, async (tx) => {
    await requireFactor(tx, id);
    await deleteFactor(tx, id, 'second_factor_reset');
    await deletePasskeys(tx, id);
    await deleteSessions(tx, id);
    await endEmailChange(tx, id);
    await tx.db.deleteFrom('api_tokens').where('user_id', '=', id).execute();
    await notifyPerson(tx, id, 'factor_reset');
    await publish(tx, topicsOf('manage_users'), { type: 'directory.changed', id });
    return { id };
  });
}

/**
 * Checks the second step of a sign-in, or confirms a required factor, ends all sessions and gives new backup codes. Throws
 * forbidden `second_factor_required` or `second_factor_missing`, unauthenticated `wrong_code`.
 */
export async function checkSecondStep(
  tx: TxCtx,
  person: { id: string; role: Role },
  { code, deviceToken }: { code: string | undefined; deviceToken: string | null },
): Promise<{ passed: 'code' | 'device' | null; backupCodes?: string[] }> {
  const factor = await lockFactor(tx, person.id);
  if (factor?.confirmed_at) {
    if (code === undefined && mayTrustDevices(person) && (await isTrusted(tx, person.id, deviceToken)))
      return { passed: 'device' };
    if (code === undefined) throw new AppError('forbidden', 'second_factor_required');
    await consumeCode(tx, factor, code);
    return { passed: 'code' };
  }
  if (!(await demandsFactor(tx, person))) return { passed: null };
  if (!factor || code === undefined) throw new AppError('forbidden', 'second_factor_missing');
  const backupCodes = await confirmFactor(tx, factor, person.id, code);
  await deleteSessions(tx, person.id);
  return { passed: 'code', backupCodes };
}

/** Begins required setup during sign-in, or resumes `known`. */
export async function beginDemandedFactor(
  ctx: Ctx,
  userId: string,
  known: string | null,
): Promise<{ id: string; setUp: SetUp }> {
  return transact(ctx, async (tx) => {
    const begun = await lockFactor(tx, userId);
    if (begun?.confirmed_at) throw new AppError('conflict', 'second_factor_active');
    if (begun && begun.id === known)
      return { id: known, setUp: await setUpOf(tx, userId, openSecret(tx, begun)) };
    const setUp = await beginFactor(tx, userId);
    return { id: (await lockFactor(tx, userId))!.id, setUp };
  });
}

async function lockFactor(tx: TxCtx, userId: string): Promise<Factor | undefined> {
  const [factor] = await lockedFactor(tx.db, { userId });
  return factor;
}

const lockedFactor = compiledOnce((db, { userId }: { userId: string }) =>
  db
    .selectFrom('second_factors')
    .select(['id', 'user_id', 'secret', 'by_passkey', 'last_counter', 'confirmed_at', 'created_at'])
    .where('user_id', '=', userId)
    .forUpdate(),
);

async function beginFactor(tx: TxCtx, userId: string): Promise<SetUp> {
  // 160 bits, as recommended by RFC 4226 (section 4, R6).
  const { base32 } = new Secret({ size: 20 });
  const own = await lockFactor(tx, userId);
  // Passkeys stay until the app's first code.
  if (own?.by_passkey) {
    await requireFullyFresh(tx);
    await tx.db
      .updateTable('second_factors')
      .set({ secret: sealedSecret.seal(tx.keyring, own.id, base32) })
      .where('id', '=', own.id)
      .execute();
  } else {
    const id = tx.newId();
    await storeFactor(tx, {
      id,
      user_id: userId,
      secret: sealedSecret.seal(tx.keyring, id, base32),
      confirmed_at: null,
      created_at: new Date(tx.now().epochMilliseconds),
    });
  }
  await record(tx, 'second_factor_begun', userId);
  return setUpOf(tx, userId, base32);
}

/** Replaces one that isn't confirmed. Throws conflict `second_factor_active`. */
async function storeFactor(tx: TxCtx, factor: Insertable<SecondFactorsTable>): Promise<void> {
  const { user_id: userId } = factor;
  await tx.db
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .execute();
  await tx.db
    .insertInto('second_factors')
    .values(factor)
    .onConflict((on) => on.column('user_id').doNothing())
    .returning('id')
    .executeTakeFirstOrThrow(() => new AppError('conflict', 'second_factor_active'));
}

function openSecret(tx: TxCtx, factor: Factor): string {
  return sealedSecret.open(tx.keyring, factor.id, factor.secret!);
}

/** Authenticator apps show site name and email. */
async function setUpOf(tx: TxCtx, userId: string, secret: string): Promise<SetUp> {
  const [{ email }, { site_name: issuer }] = await Promise.all([personOf(tx, userId), siteSettings(tx)]);
  const address = new TOTP({ issuer, label: email, secret: Secret.fromBase32(secret), period }).toString();
  return { secret, address };
}

async function confirmFactor(tx: TxCtx, factor: Factor, userId: string, code: string): Promise<string[]> {
  const plain = plainCode(code);
  if (!isAppCode(plain)) throw wrongCode();
  await consumeAppCode(tx, factor, plain);
  const at = new Date(tx.now().epochMilliseconds);
  await tx.db
    .updateTable('second_factors')
    .set({ confirmed_at: at, by_passkey: false, ...(factor.by_passkey && { created_at: at }) })
    .where('id', '=', factor.id)
    .execute();
  await distrustDevices(tx, userId);
  await record(tx, 'second_factor_set_up', userId);
  await notifyPerson(tx, userId, 'factor_set_up');
  return makeBackupCodes(tx, factor.id);
}

async function consumeCode(tx: TxCtx, factor: Factor, code: string): Promise<void> {
  const plain = plainCode(code);
  if (isAppCode(plain) && !factor.by_passkey) return consumeAppCode(tx, factor, plain);
  await tx.db
    .updateTable('backup_codes')
    .set({ used_at: new Date(tx.now().epochMilliseconds) })
    .where('factor_id', '=', factor.id)
    .where('digest', 'in', [await digestOf(factor.id, plain), fastDigestOf(factor.id, plain)])
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(() => wrongCode());
  await record(tx, 'backup_code_used', factor.user_id);
}

/** Each app code works once, and never after a newer one. */
async function consumeAppCode(tx: TxCtx, factor: Factor, plain: string): Promise<void> {
  const totp = new TOTP({ secret: Secret.fromBase32(openSecret(tx, factor)), period });
  const timestamp = tx.now().epochMilliseconds;
  const delta = totp.validate({ token: plain, timestamp, window });
  if (delta === null) throw wrongCode();
  const counter = totp.counter({ timestamp }) + delta;
  if (counter <= factor.last_counter) throw wrongCode();
  await tx.db
    .updateTable('second_factors')
    .set({ last_counter: counter })
    .where('id', '=', factor.id)
    .execute();
}

function wrongCode(): AppError {
  return invalidField('code', 'wrong_code');
}

async function makeBackupCodes(tx: TxCtx, factorId: string): Promise<string[]> {
  const codes = Array.from({ length: backupCodeCount }, () =>
    Array.from({ length: backupCodeLength }, () => backupAlphabet[randomInt(backupAlphabet.length)]).join(''),
  );
  const digests = await Promise.all(codes.map((code) => digestOf(factorId, code)));
  await tx.db.deleteFrom('backup_codes').where('factor_id', '=', factorId).execute();
  await tx.db
    .insertInto('backup_codes')
    .values(digests.map((made) => ({ id: tx.newId(), factor_id: factorId, digest: made, used_at: null })))
    .execute();
  return codes.map(grouped);
}

/** Argon2id, salted with the factor's id: one guess never matches every account. */
async function digestOf(factorId: string, plain: string): Promise<string> {
  const nonce = Buffer.from(factorId.replaceAll('-', ''), 'hex');
  return (await argon2id(plain, { nonce, tagLength: 32, ...backupCodeCost })).toString('base64url');
}

/** Earlier releases' codes work until replaced. */
function fastDigestOf(factorId: string, plain: string): string {
  return digest(`${factorId}:${plain}`);
}

async function deleteFactor(tx: TxCtx, userId: string, action: Action): Promise<void> {
  const dropped = await tx.db
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  if (!dropped) return;
  await distrustDevices(tx, userId);
  // A half-finished sign-in could set up the next factor.
  await tx.db.deleteFrom('program_sign_ins').where('user_id', '=', userId).execute();
  await record(tx, action, userId);
}

async function notifyPerson(tx: TxCtx, userId: string, change: SecurityChange): Promise<void> {
  await tx.emit(tx, 'accounts.secured', { userId, change });
}

async function record(tx: TxCtx, action: Action, userId: string): Promise<void> {
  await recordDone(tx, { action, subject: { kind: 'person', id: userId } });
}
