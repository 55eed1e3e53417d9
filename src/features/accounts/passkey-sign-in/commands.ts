import { randomBytes } from 'node:crypto';
import { recordRefused } from '#/features/audit/commands.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { networkOf } from '#/platform/http/address.ts';
import { uncountAttempt } from '#/platform/http/limits.ts';
import { lockAccount } from '../commands.ts';
import {
  callLibrary,
  setBrowserCookie,
  secureName,
  type EndpointCall,
  type EndpointInput,
} from '../identity/commands.ts';
import type { IdentityAnswer } from '../identity/contract.ts';
import { personOf, requireNotHeld } from '../queries.ts';
import { isDeleted, opensByLink } from '../rules.ts';
import { cookieValue } from '../session/commands.ts';
import { allowances } from '../tries/rules.ts';
import {
  askForPasskey,
  provePasskey,
  requirePasskeysOffered,
  requirePasskeysUsable,
  type Holder,
  type ProvenPasskey,
} from '../webauthn/commands.ts';
import type { RequestOptions } from '../webauthn/contract.ts';
import { findPasskey, isByPasskey, passkeysOf } from '../webauthn/queries.ts';
import { challengeMinutes } from '../webauthn/rules.ts';

type PasskeyInput = EndpointInput<'/sign-in/passkey'>;

/**
 * Asks this browser for any passkey of the site, so the answer names no account. Throws forbidden `passkeys_off`,
 * rate_limited `too_many_tries`.
 */
export async function requestPasskey(call: EndpointCall): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  await requirePasskeysOffered(ctx);
  const networkKey = server.tries.keyOf('passkeys asked at', networkOf(ctx.address ?? ''));
  await server.tries.limit(ctx, networkKey, allowances.challenges);
  const passkey = await askForPasskey(ctx, server.appUrl, bindToBrowser(call));
  return { signedIn: false, passkey };
}

/** Requests one of the account's passkeys instead of an authenticator code; undefined without passkeys. */
export async function requestSecondPasskey(
  call: EndpointCall,
  userId: string,
): Promise<RequestOptions | undefined> {
  const { ctx, server } = call;
  if (!(await siteSettings(ctx)).passkeys && !(await isByPasskey(ctx, userId))) return undefined;
  const own = await passkeysOf(ctx, userId);
  return own.length === 0 ? undefined : askForPasskey(ctx, server.appUrl, bindToBrowser(call), own);
}

/** Checks a passkey as the second step, in the transaction that opens the session. */
export function proveSecondPasskey(call: EndpointCall, given: PasskeyInput['passkey']) {
  return async (tx: TxCtx): Promise<ProvenPasskey> => {
    const proven = await provePasskey(tx, call.server.appUrl, holderOf(call), given);
    await requirePasskeysUsable(tx, proven.userId);
    return proven;
  };
}

/**
 * Signs in with a passkey, which proves both that a person has it and that they unlocked it: no second step follows.
 * Throws precondition `passkey_expired`, unauthenticated `wrong_passkey` or `passkey_copied`, forbidden `passkeys_off`,
 * `email_unverified`, `account_suspended` or `address_held`.
 */
export async function signInByPasskey(
  call: EndpointCall,
  { passkey: given }: PasskeyInput,
): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  await requirePasskeysOffered(ctx);
  return server.tries.countedByNetwork(ctx, 'passkeys', async (networkKey) => {
    try {
      // Only the authenticator can name the account.
      if (given.response.userHandle === undefined) throw new AppError('unauthenticated', 'wrong_passkey');
      const proven = await provePasskey(ctx, server.appUrl, holderOf(call), given);
      await transact(ctx, (tx) => openAccount({ ...call, ctx: tx }, tx, proven));
    } catch (error) {
      if (error instanceof AppError) await recordRefusal(ctx, given.id, error.reason);
      throw error;
    }
    await uncountAttempt(ctx.db, networkKey);
    setBrowserCookie(call, 'passkey', '', 0);
    return { signedIn: true };
  });
}

async function openAccount(call: EndpointCall, tx: TxCtx, proven: ProvenPasskey): Promise<void> {
  const { adminEmails, demo } = call.server;
  // Same order of locks as `setPassword`.
  await lockAccount(tx, proven.userId);
  const person = await personOf(tx, proven.userId);
  // An administrator's address counts only with a password that its owner chose.
  const closed = !person.hasPassword && adminEmails.includes(person.email);
  if (closed || isDeleted(person, tx.now())) throw new AppError('unauthenticated', 'wrong_passkey');
  if (!person.emailVerified && !demo) {
    await requireNotHeld(tx, person.id);
    throw new AppError('forbidden', 'email_unverified');
  }
  await callLibrary(
    call,
    '/sign-in/link',
    {},
    {
      userId: person.id,
      passkey: () => Promise.resolve(proven),
      // The same as for sign-in links.
      fresh: opensByLink(person),
      tellsOfNewDevice: !demo,
    },
  );
}

async function recordRefusal(ctx: Ctx, credentialId: string, reason: string): Promise<void> {
  const passkey = await findPasskey(ctx, credentialId);
  await recordRefused(ctx, {
    action: 'signed_in',
    ...(passkey ? { subject: { kind: 'person', id: passkey.user_id } } : {}),
    details: { reason },
  });
}

/** Binds challenges to this browser. Its tabs share the cookie, so that none ends another's challenge. */
function bindToBrowser(call: EndpointCall): Holder {
  const kept = cookieIn(call);
  const secret = kept && /^[\w-]{32}$/.test(kept) ? kept : randomBytes(24).toString('base64url');
  setBrowserCookie(call, 'passkey', secret, challengeMinutes * 60);
  return { purpose: 'sign_in', secret };
}

function holderOf(call: EndpointCall): Holder {
  return { purpose: 'sign_in', secret: cookieIn(call) ?? '' };
}

function cookieIn({ server, request }: EndpointCall): string | null {
  return cookieValue(request.headers.get('cookie'), secureName(server, 'passkey'));
}
