import { randomBytes } from 'node:crypto';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { m } from '#/texts/messages.js';
import { setPasskeyWrap, wrapByPasskey } from '../author-keys/commands.ts';
import { sessionAuthorKey } from '../author-keys/queries.ts';
import { lockAccount, requireFullyFresh, signedIn } from '../commands.ts';
import type { Offered } from '../openid/commands.ts';
import { personOf } from '../queries.ts';
import { endOpenedSessions } from '../session/commands.ts';
import { devicesOf } from '../session/queries.ts';
import {
  askForPasskey,
  checkNewPasskey,
  descriptorsOf,
  makeChallenge,
  provePasskeyInSession,
  relyingParty,
  countPasskeyUse,
  requirePasskeysOffered,
  requirePasskeysUsable,
} from '../webauthn/commands.ts';
import type { Assertion, Attestation, CreationOptions, RequestOptions } from '../webauthn/contract.ts';
import { passkeysOf } from '../webauthn/queries.ts';
import { algorithms, challengeMinutes } from '../webauthn/rules.ts';
import type { PasskeyView } from './contract.ts';
import {
  requireOtherWayIn,
  requireOwnPasskey,
  requireOwnPasskeys,
  requireSecondStepLeft,
} from './policies.ts';
import { passkeyView, passkeyViews } from './queries.ts';
import { passkeyManager, maxPasskeys } from './rules.ts';

export async function ownPasskeys(ctx: Ctx): Promise<PasskeyView[]> {
  return passkeyViews(ctx, signedIn(ctx).id);
}

/**
 * Asks the browser to create a passkey, which requires a fingerprint, face or PIN. Throws precondition
 * `full_reauthentication_required` or `too_many_passkeys`, forbidden `passkeys_off`.
 */
export async function beginPasskey(ctx: Ctx, appUrl: string): Promise<CreationOptions> {
  const { id, sessionId } = signedIn(ctx);
  await requireAddable(ctx, id);
  const [{ email, fullName }, { site_name: siteName }, own] = await Promise.all([
    personOf(ctx, id),
    siteSettings(ctx),
    passkeysOf(ctx, id),
  ]);
  const userHandle = own[0]?.user_handle ?? randomBytes(32).toString('base64url');
  return {
    challenge: await makeChallenge(ctx, { purpose: 'add', secret: sessionId }, userHandle),
    rp: { id: relyingParty(appUrl).id, name: siteName },
    user: { id: userHandle, name: email, displayName: fullName },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeMinutes * 60_000,
    attestation: 'none',
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials: descriptorsOf(own),
    extensions: { credProps: true },
  };
}

/**
 * Adds the passkey that this session's browser just made, under its password manager's or browser's name. It opens the
 * words if this session has. Throws like `beginPasskey` and `checkNewPasskey`, or conflict `passkey_exists`.
 */
export async function addPasskey(
  ctx: Ctx,
  appUrl: string,
  { passkey: given }: { passkey: Attestation },
): Promise<PasskeyView> {
  const { id: userId, sessionId } = signedIn(ctx);
  await requireAddable(ctx, userId);
  const made = await checkNewPasskey(ctx, appUrl, { purpose: 'add', secret: sessionId }, given);
  const name = passkeyManager(made.aaguid) ?? (await browserName(ctx, userId, sessionId));
  return transact(ctx, async (tx) => {
    // Locked: parallel requests would exceed the limit.
    await lockAccount(tx, userId);
    await requireAddable(tx, userId);
    const id = tx.newId();
    const added = await tx.db
      .insertInto('passkeys')
      .values({
        id,
        user_id: userId,
        credential_id: made.credentialId,
        user_handle: made.userHandle,
        public_key: made.publicKey,
        counter: made.counter,
        transports: made.transports,
        backup_eligible: made.backupEligible,
        backed_up: made.backedUp,
        author_key: wrapByPasskey(await sessionAuthorKey(tx), { id, userId, key: made.key }),
        name,
        created_at: new Date(tx.now().epochMilliseconds),
        used_at: null,
      })
      .onConflict((on) => on.column('credential_id').doNothing())
      .returningAll()
      .executeTakeFirstOrThrow(() => new AppError('conflict', 'passkey_exists'));
    await noteChange(tx, userId, 'passkey_added');
    await tx.emit(tx, 'accounts.secured', { userId, change: 'passkey_added' });
    return passkeyView(added);
  });
}

/** Throws not_found `passkey`. */
export async function renamePasskey(
  ctx: Ctx,
  { id: passkeyId, name }: { id: string; name: string },
): Promise<PasskeyView[]> {
  const { id } = signedIn(ctx);
  return transact(ctx, async (tx) => {
    const passkey = await requireOwnPasskey(tx, id, passkeyId);
    await tx.db.updateTable('passkeys').set({ name }).where('id', '=', passkey.id).execute();
    await noteChange(tx, id, 'passkey_renamed');
    return passkeyViews(tx, id);
  });
}

/**
 * Removes a passkey and ends the other sessions that it opened. Throws precondition `full_reauthentication_required`,
 * `last_way_in` or `last_second_step`, not_found `passkey`.
 */
export async function removePasskey(
  ctx: Ctx,
  offered: Offered,
  { id: passkeyId }: { id: string },
): Promise<PasskeyView[]> {
  const { id } = signedIn(ctx);
  await requireFullyFresh(ctx);
  return transact(ctx, async (tx) => {
    await lockAccount(tx, id);
    const passkey = await requireOwnPasskey(tx, id, passkeyId);
    await requireOtherWayIn(tx, offered, { personId: id, removed: passkey.id });
    await requireSecondStepLeft(tx, id);
    await tx.db.deleteFrom('passkeys').where('id', '=', passkey.id).execute();
    await endOpenedSessions(tx, { passkey_id: passkey.id });
    await noteChange(tx, id, 'passkey_removed');
    await tx.emit(tx, 'accounts.secured', { userId: id, change: 'passkey_removed' });
    return passkeyViews(tx, id);
  });
}

/**
 * Creates a challenge for the person's own passkeys, or only those that unlock their words. Throws not_found `passkey`
 * if there is none, forbidden `passkeys_off`.
 */
export async function askOwnPasskey(
  ctx: Ctx,
  appUrl: string,
  which: { opensWords?: true | undefined } = {},
): Promise<RequestOptions> {
  const { id, sessionId } = signedIn(ctx);
  await requirePasskeysUsable(ctx, id);
  const own = await requireOwnPasskeys(ctx, id, which);
  return askForPasskey(ctx, appUrl, { purpose: 'confirm', secret: sessionId }, own);
}

/**
 * Checks one of the person's own passkeys, which opens the words from then on if this session has. Throws like
 * `provePasskeyInSession` and `countPasskeyUse`.
 */
export async function confirmByPasskey(ctx: Ctx, appUrl: string, given: Assertion): Promise<void> {
  const { id, sessionId } = signedIn(ctx);
  const proven = await provePasskeyInSession(ctx, appUrl, sessionId, given);
  await transact(ctx, async (tx) => {
    await lockAccount(tx, id);
    await countPasskeyUse(tx, id, proven);
    await setPasskeyWrap(tx, await sessionAuthorKey(tx), proven);
  });
}

async function requireAddable(ctx: Ctx, userId: string): Promise<void> {
  await requirePasskeysOffered(ctx);
  await requireFullyFresh(ctx);
  if ((await passkeysOf(ctx, userId)).length >= maxPasskeys)
    throw new AppError('precondition', 'too_many_passkeys');
}

async function browserName(ctx: Ctx, personId: string, sessionId: string): Promise<string> {
  const devices = await devicesOf(ctx, { personId, currentSession: sessionId });
  const { browser, system } = devices.find(({ current }) => current) ?? {};
  if (browser && system) return m.accounts_device_on({ browser, system }).slice(0, 60);
  return m.passkeys_unnamed();
}

async function noteChange(tx: TxCtx, userId: string, action: Action): Promise<void> {
  await recordDone(tx, { action, subject: { kind: 'person', id: userId } });
  await publish(tx, [`person:${userId}`], { type: 'accounts.passkeys_changed', id: userId });
}
