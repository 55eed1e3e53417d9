import { AppError } from '#/kernel/errors.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { rewrapAuthorKey } from '../author-keys/commands.ts';
import { lockAccount, setPassword, signedIn } from '../commands.ts';
import {
  actorOfRequest,
  callLibrary,
  isOfSecondStep,
  onceMore,
  requestEmail,
  requireLength,
  requireUnguessable,
  sessionKeyIn,
  type EndpointCall,
  type EndpointInput,
} from '../identity/commands.ts';
import type { IdentityAnswer } from '../identity/contract.ts';
import { requirePassword, requireSamePassword } from '../password/commands.ts';
import { personOf } from '../queries.ts';
import { onwardPath } from '../rules.ts';
import { choosePassword } from '../sign-up/commands.ts';

export function requestPasswordReset(
  call: EndpointCall,
  { email, next }: EndpointInput<'/request-password-reset'>,
): Promise<IdentityAnswer> {
  return requestEmail(call, email, 'reset', async (tx, user) => {
    if (!user) return;
    await recordDone(tx, {
      action: 'password_reset_requested',
      category: 'security',
      subject: { kind: 'person', id: user.id },
    });
    await tx.emit(tx, 'accounts.password_reset_requested', { userId: user.id, next: onwardPath(next) });
  });
}

/** Sets a password through an emailed link and signs in. */
export function resetPassword(
  call: EndpointCall,
  { token, newPassword, name }: EndpointInput<'/reset-password'>,
): Promise<IdentityAnswer> {
  const { server, ctx } = call;
  return server.tries.openLink(ctx, async () => {
    await requireLength(ctx, 'newPassword', newPassword);
    const chosen = {
      password: await server.hashPassword(newPassword),
      name,
      requireGood: (owner: { email: string; name: string }) =>
        requireUnguessable(server, 'newPassword', newPassword, owner),
    };
    const email = await onceMore(() =>
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

/** Ends all other sessions. */
export async function changePassword(
  { server, ctx: guest, request }: EndpointCall,
  { password, newPassword }: EndpointInput<'/change-password'>,
): Promise<IdentityAnswer> {
  const actor = await actorOfRequest(server, request.headers);
  const ctx: Ctx = { ...guest, actor, ...sessionKeyIn(server, request.headers) };
  const { id, sessionId } = signedIn(ctx);
  const known = await requirePassword(ctx, password);
  await requireLength(ctx, 'newPassword', newPassword);
  const { email, fullName } = await personOf(ctx, id);
  requireUnguessable(server, 'newPassword', newPassword, { email, name: fullName });
  const hash = await server.hashPassword(newPassword);
  await transact(ctx, async (tx) => {
    await lockAccount(tx, id);
    await requireSamePassword(tx, id, known);
    await setPassword(tx, id, hash, { exceptSession: sessionId });
    await rewrapAuthorKey(tx, { personId: id, former: password, password: newPassword });
    await tx.emit(tx, 'accounts.secured', { userId: id, change: 'password_set' });
  });
  return { signedIn: true };
}
