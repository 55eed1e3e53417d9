import { AppError, invalidField } from '#/kernel/errors.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { hashPassword, type KnownPassword } from '#/platform/password-hash.ts';
import { rewrapAuthorKey } from '../author-keys/commands.ts';
import {
  confirmedFactor,
  isFullyFresh,
  lockAccount,
  requireLinkToken,
  setPassword,
  signedIn,
} from '../commands.ts';
import {
  actorOfRequest,
  callLibrary,
  isOfSecondStep,
  retryOnce,
  requestEmail,
  requireLength,
  requireUnguessable,
  sessionKeyIn,
  type EndpointCall,
  type EndpointInput,
  type IdentityServer,
} from '../identity/commands.ts';
import type { IdentityAnswer } from '../identity/contract.ts';
import { requirePassword, requireSamePassword } from '../password/commands.ts';
import { personOf } from '../queries.ts';
import { confirmFactor } from '../reauthentication/commands.ts';
import { linkExpiry, safeReturnPath, opensByCode } from '../rules.ts';
import { choosePassword, linkedAddress } from '../sign-up/commands.ts';
import { awaitReturn } from '../waiting-sign-ins/commands.ts';

export function requestPasswordReset(
  call: EndpointCall,
  { email, next }: EndpointInput<'/request-password-reset'>,
): Promise<IdentityAnswer> {
  return requestEmail(call, email, 'reset', async (tx, user) => {
    if (!user) return;
    await recordDone(tx, { action: 'password_reset_requested', subject: { kind: 'person', id: user.id } });
    const userId = user.id;
    const opens = opensByCode(await personOf(tx, userId), call.server.adminEmails);
    const expiresAt = linkExpiry('program', tx.now());
    const returned = { method: 'recovery', userId, expiresAt } as const;
    const signInId = opens ? await awaitReturn(tx, call.returnTo, returned) : undefined;
    await tx.emit(tx, 'accounts.password_reset_requested', { userId, next: safeReturnPath(next), signInId });
  });
}

/** Leaves the link as it is. */
export function checkResetLink(
  { server, ctx }: EndpointCall,
  { token }: EndpointInput<'/check-reset-link'>,
): Promise<IdentityAnswer> {
  return server.tries.openLink(ctx, async () => {
    const id = await requireLinkToken(ctx, 'reset-password', token);
    return { signedIn: false, email: await linkedAddress(ctx, id) };
  });
}

/** Sets a password by emailed link; signs in. */
export function resetPassword(
  call: EndpointCall,
  { token, newPassword, name }: EndpointInput<'/reset-password'>,
): Promise<IdentityAnswer> {
  const { server, ctx } = call;
  return server.tries.openLink(ctx, async () => {
    await requireLength(call, 'newPassword', newPassword);
    const chosen = {
      password: (await hashPassword(newPassword)).hash,
      name,
      requireGood: (owner: { email: string; name: string }) =>
        requireUnguessable(server, 'newPassword', newPassword, owner),
    };
    const email = await retryOnce(() =>
      transact(ctx, (tx) => choosePassword(tx, token, chosen, server.adminEmails)),
    );
    try {
      await callLibrary(call, '/sign-in/email', { email, password: newPassword });
    } catch (error) {
      // The password is saved; two-factor accounts sign in with it separately.
      if (error instanceof AppError && isOfSecondStep(error.reason)) return { signedIn: false };
      throw error;
    }
    return { signedIn: true };
  });
}

export async function changePassword(
  { server, ctx: guest, request }: EndpointCall,
  input: EndpointInput<'/change-password'>,
): Promise<IdentityAnswer> {
  const actor = await actorOfRequest(server, request.headers);
  await changeOwnPassword({ ...guest, actor, ...sessionKeyIn(server, request.headers) }, server, input);
  return { signedIn: true };
}

/**
 * Changes the person's password; ends other sessions. Throws like `requirePassword` and `confirmFactor`, invalid
 * `required` for the field `code`.
 */
export async function changeOwnPassword(
  ctx: Ctx,
  server: IdentityServer,
  { password, newPassword, code }: EndpointInput<'/change-password'>,
): Promise<void> {
  const { id } = signedIn(ctx);
  const known = await requirePassword(ctx, password);
  if (!(await confirmFactor(ctx, code)) && !(await confirmedPasskey(ctx)))
    throw invalidField('code', 'required');
  await replacePassword(ctx, server, newPassword, {
    requireStill: (tx) => requireSamePassword(tx, known),
    afterwards: (tx, chosen) => rewrapAuthorKey(tx, { personId: id, former: known, chosen }),
  });
}

async function confirmedPasskey(ctx: Ctx): Promise<boolean> {
  const factor = await confirmedFactor(ctx);
  return factor?.by_passkey === true && isFullyFresh(ctx, factor);
}

/**
 * Replaces the signed-in person's password after the caller has authorized it. `requireStill` checks again under the
 * account's lock, since the account may have been recovered meanwhile.
 */
export async function replacePassword(
  ctx: Ctx,
  server: IdentityServer,
  newPassword: string,
  {
    requireStill,
    afterwards,
    recovers = false,
  }: {
    requireStill: (tx: TxCtx) => Promise<void>;
    afterwards?: (tx: TxCtx, chosen: KnownPassword) => Promise<void>;
    recovers?: boolean;
  },
): Promise<void> {
  const { id, sessionId } = signedIn(ctx);
  await requireLength({ server, ctx }, 'newPassword', newPassword);
  const { email, fullName } = await personOf(ctx, id);
  requireUnguessable(server, 'newPassword', newPassword, { email, name: fullName });
  const chosen = await hashPassword(newPassword);
  await transact(ctx, async (tx) => {
    await lockAccount(tx, id);
    await requireStill(tx);
    await setPassword(tx, id, chosen.hash, { exceptSession: sessionId, recovers });
    await afterwards?.(tx, chosen);
    await tx.emit(tx, 'accounts.secured', { userId: id, change: 'password_set' });
  });
}
