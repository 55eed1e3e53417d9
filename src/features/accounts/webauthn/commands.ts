import { randomBytes, type KeyObject } from 'node:crypto';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import { recordDone } from '#/features/audit/commands.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { AppError } from '#/kernel/errors.ts';
import { passkeyKeyOf } from '#/platform/author-key.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';
import type { Assertion, Attestation, RequestOptions } from './contract.ts';
import { findPasskey, isByPasskey, type Passkey } from './queries.ts';
import { algorithms, challengeMinutes } from './rules.ts';

/** Binds a challenge: `secret` is the browser's cookie for signing in, otherwise the session's id. */
export interface Holder {
  purpose: 'sign_in' | 'confirm' | 'add';
  secret: string;
}

/** A passkey that signed a challenge. The caller must record its use with `countPasskeyUse`. */
export interface ProvenPasskey {
  id: string;
  userId: string;
  counter: number;
  backedUp: boolean;
  /** Null if the passkey derived no secret. */
  key: KeyObject | null;
}

/** Identifies the site to authenticators, only by its configured address. */
export function relyingParty(appUrl: string): { id: string; origin: string } {
  const { hostname, origin } = new URL(appUrl);
  return { id: hostname, origin };
}

function holderDigest({ purpose, secret }: Holder): string {
  return digest(`${purpose}:${secret}`);
}

/**
 * Creates a challenge that only its holder can answer. A session has one per purpose, a browser one per sign-in form.
 */
export async function makeChallenge(
  ctx: Ctx,
  holder: Holder,
  userHandle: string | null = null,
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  if (holder.purpose !== 'sign_in')
    await ctx.db.deleteFrom('passkey_challenges').where('holder', '=', holderDigest(holder)).execute();
  await ctx.db
    .insertInto('passkey_challenges')
    .values({
      challenge: digest(challenge),
      holder: holderDigest(holder),
      user_handle: userHandle,
      expires_at: new Date(ctx.now().add({ minutes: challengeMinutes }).epochMilliseconds),
    })
    .execute();
  return challenge;
}

/** Requests one of these passkeys; without a list, any passkey for this site. */
export async function askForPasskey(
  ctx: Ctx,
  appUrl: string,
  holder: Holder,
  passkeys?: readonly Passkey[],
): Promise<RequestOptions> {
  return {
    challenge: await makeChallenge(ctx, holder),
    rpId: relyingParty(appUrl).id,
    timeout: challengeMinutes * 60_000,
    userVerification: 'required',
    ...(passkeys ? { allowCredentials: descriptorsOf(passkeys) } : {}),
  };
}

export function descriptorsOf(passkeys: readonly Passkey[]) {
  return passkeys.map(({ credential_id: id, transports }) => ({
    id,
    type: 'public-key' as const,
    transports,
  }));
}

/**
 * Checks that a passkey signed the holder's challenge, which is used up either way. Throws precondition
 * `passkey_expired`, unauthenticated `wrong_passkey`: the same for an unknown passkey as for a wrong signature.
 */
export async function provePasskey(
  ctx: Ctx,
  appUrl: string,
  holder: Holder,
  given: Assertion,
): Promise<ProvenPasskey> {
  const challenge = await consumeChallenge(ctx, holder, given.response.clientDataJSON);
  const passkey = await findPasskey(ctx, given.id);
  const { id: rpId, origin } = relyingParty(appUrl);
  const { userHandle } = given.response;
  // Authenticators may omit the user handle if the request lists the allowed passkeys.
  if (!passkey || (userHandle !== undefined && userHandle !== passkey.user_handle)) throw wrongPasskey();
  const found = await verifyAuthenticationResponse({
    response: { ...given, clientExtensionResults: {} },
    expectedChallenge: challenge.value,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    // `countPasskeyUse` compares counters, after the signature and under a lock.
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: 0,
    },
  }).catch(() => null);
  if (!found?.verified) throw wrongPasskey();
  const { newCounter, credentialDeviceType, credentialBackedUp } = found.authenticationInfo;
  if ((credentialDeviceType === 'multiDevice') !== passkey.backup_eligible) throw wrongPasskey();
  return {
    id: passkey.id,
    userId: passkey.user_id,
    counter: newCounter,
    backedUp: credentialBackedUp,
    key: keyIn(given),
  };
}

/** Checks that a passkey confirms who is in this session. Throws like `provePasskey`, or forbidden `passkeys_off`. */
export async function provePasskeyInSession(
  ctx: Ctx,
  appUrl: string,
  sessionId: string,
  given: Assertion,
): Promise<ProvenPasskey> {
  const proven = await provePasskey(ctx, appUrl, { purpose: 'confirm', secret: sessionId }, given);
  await requirePasskeysUsable(ctx, proven.userId);
  return proven;
}

/** Unsigned: a false secret opens nothing (decision 0030). */
function keyIn({ prf }: Assertion | Attestation): KeyObject | null {
  return prf === undefined ? null : passkeyKeyOf(Buffer.from(prf, 'base64url'));
}

/**
 * Notes a proven passkey's use for its owner's sign-in. Throws unauthenticated `wrong_passkey` if it isn't theirs or was
 * removed, `passkey_copied` if its counter didn't grow: then another device may hold the same key.
 */
export async function countPasskeyUse(tx: TxCtx, userId: string, proven: ProvenPasskey): Promise<void> {
  const { id, counter } = proven;
  const used = await tx.db
    .updateTable('passkeys')
    .set({ counter, backed_up: proven.backedUp, used_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where(({ or, eb }) => or(counter === 0 ? [eb('counter', '=', 0)] : [eb('counter', '<', counter)]))
    .returning('id')
    .executeTakeFirst();
  if (used) return;
  const kept = await tx.db
    .selectFrom('passkeys')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  throw kept ? new AppError('unauthenticated', 'passkey_copied') : wrongPasskey();
}

/** Removes all passkeys of an account. */
export async function deletePasskeys(tx: TxCtx, userId: string): Promise<void> {
  const dropped = await tx.db.deleteFrom('passkeys').where('user_id', '=', userId).returning('id').execute();
  if (dropped.length > 0)
    await recordDone(tx, {
      action: 'passkey_removed',
      subject: { kind: 'person', id: userId },
      details: { passkeys: dropped.length },
    });
}

/** A new passkey, as an authenticator made it. */
interface MadePasskey {
  credentialId: string;
  userHandle: string;
  publicKey: string;
  counter: number;
  transports: string[];
  backupEligible: boolean;
  backedUp: boolean;
  /** The authenticator's model. */
  aaguid: string;
  /** As for `ProvenPasskey`. */
  key: KeyObject | null;
}

/** Checks a new passkey. Throws precondition `passkey_expired`, invalid `wrong_passkey`. */
export async function checkNewPasskey(
  ctx: Ctx,
  appUrl: string,
  holder: Holder,
  given: Attestation,
): Promise<MadePasskey> {
  const challenge = await consumeChallenge(ctx, holder, given.response.clientDataJSON);
  const { id: rpId, origin } = relyingParty(appUrl);
  const wrong = new AppError('invalid', 'wrong_passkey');
  if (challenge.userHandle === null || !namesNoModel(given)) throw wrong;
  const made = await verifyRegistrationResponse({
    response: { ...given, clientExtensionResults: {} },
    expectedChallenge: challenge.value,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null);
  if (!made?.verified) throw wrong;
  const { credential, credentialDeviceType, credentialBackedUp, aaguid } = made.registrationInfo;
  if (credential.id !== given.id) throw wrong;
  return {
    credentialId: credential.id,
    userHandle: challenge.userHandle,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: given.response.transports ?? [],
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
    aaguid,
    key: keyIn(given),
  };
}

/** Certificates aren't asked for, and checking them could make the server fetch addresses that they name. */
function namesNoModel({ response }: Attestation): boolean {
  try {
    const object = decodeAttestationObject(
      new Uint8Array(Buffer.from(response.attestationObject, 'base64url')),
    );
    const [format, statement] = [object.get('fmt'), object.get('attStmt')];
    return format === 'none' || (format === 'packed' && statement.get('x5c') === undefined);
  } catch {
    return false;
  }
}

/** Uses up the challenge that was signed. A page inside another site's never counts. */
async function consumeChallenge(
  { db, now }: Ctx,
  holder: Holder,
  clientDataJSON: string,
): Promise<{ value: string; userHandle: string | null }> {
  const { challenge, crossOrigin } = clientDataIn(clientDataJSON);
  const taken = await db
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', digest(challenge))
    .where('holder', '=', holderDigest(holder))
    .returning(['user_handle', 'expires_at'])
    .executeTakeFirst();
  if (!taken || crossOrigin || taken.expires_at.getTime() <= now().epochMilliseconds)
    throw new AppError('precondition', 'passkey_expired');
  return { value: challenge, userHandle: taken.user_handle };
}

function clientDataIn(text: string): { challenge: string; crossOrigin: boolean } {
  try {
    const { challenge, crossOrigin }: Record<string, unknown> = decodeClientDataJSON(text);
    return { challenge: String(challenge), crossOrigin: crossOrigin === true };
  } catch {
    return { challenge: '', crossOrigin: false };
  }
}

function wrongPasskey(): AppError {
  return new AppError('unauthenticated', 'wrong_passkey');
}

/** Throws forbidden `passkeys_off`. */
export async function requirePasskeysOffered(ctx: Ctx): Promise<void> {
  if (!(await siteSettings(ctx)).passkeys) throw new AppError('forbidden', 'passkeys_off');
}

/** Throws forbidden `passkeys_off`. */
export async function requirePasskeysUsable(ctx: Ctx, userId: string): Promise<void> {
  if (!(await isByPasskey(ctx, userId))) await requirePasskeysOffered(ctx);
}
