import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import { recordDone, recordRefused } from '#/features/audit/commands.ts';
import { AppError } from '#/kernel/errors.ts';
import { transact } from '#/platform/db/transact.ts';
import { uncountAttempt } from '#/platform/http/limits.ts';
import { signedIn } from '../commands.ts';
import { awaitCode, codeAwaited, countTry, isRightCode, consumeCode } from '../emailed-codes/commands.ts';
import { requestEmailChange } from '../email-change/commands.ts';
import type { EndpointCall } from '../identity/commands.ts';
import { changeOwnPassword, replacePassword } from '../new-password/commands.ts';
import { endSession, consumeRecovery } from '../program-sessions/commands.ts';
import type { ProgramUser } from '../program-sessions/contract.ts';
import { requirePassword } from '../password/commands.ts';
import { programSession, programUser } from '../program-sessions/queries.ts';
import { updateProfile } from '../profile/commands.ts';
import { personOf } from '../queries.ts';
import { confirmFactor, reauthenticate } from '../reauthentication/commands.ts';
import { endOtherSessions } from '../session/commands.ts';
import { allowances } from '../tries/rules.ts';
import type { SignOutScope, userInputs } from './contract.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'accounts.confirmation_code_requested': { codeId: string };
  }
}

type Change = z.output<typeof userInputs.change>;

export function readUser({ ctx }: EndpointCall): Promise<ProgramUser> {
  return programUser(ctx, signedIn(ctx));
}

/**
 * Changes the person's name or password, and asks for another email; the current password alone confirms their identity.
 * Throws precondition `reauthentication_needed` for a password without the current one, an emailed code or a recovery
 * link, invalid `address_fixed` for a phone, and like `changePassword`, `reauthenticate`, `requestEmailChange` and
 * `updateProfile`.
 */
export async function changeUser(call: EndpointCall, input: Change): Promise<ProgramUser> {
  const { ctx, server } = call;
  const { email, password, current_password: current, nonce, data } = input;
  if (input.phone !== undefined) throw new AppError('invalid', 'address_fixed');
  // A new password ends a requested email.
  if (email !== undefined && password !== undefined) throw new AppError('invalid', 'email_and_password');
  if (password !== undefined) {
    // Recovery links ask for the factor at sign-in.
    if ((current ?? nonce) !== undefined && !(await confirmFactor(ctx)))
      throw new AppError('precondition', 'reauthentication_needed');
    if (current !== undefined)
      await changeOwnPassword(ctx, server, { password: current, newPassword: password });
    else if (nonce !== undefined) await changePasswordByCode(call, password, nonce);
    else await changePasswordByRecovery(call, password);
  } else if (email !== undefined) await changeEmail(call, email, current);
  else if (current !== undefined) await reauthenticate(ctx, server.appUrl, { password: current });
  if (data?.full_name !== undefined) await updateProfile(ctx, { fullName: data.full_name });
  return programUser(ctx, signedIn(ctx));
}

/** Programs may send an unchanged one along. */
async function changeEmail(
  { ctx, server }: EndpointCall,
  email: string,
  current: string | undefined,
): Promise<void> {
  if (email === (await personOf(ctx, signedIn(ctx).id)).email) return;
  if (current !== undefined && !(await confirmFactor(ctx)))
    throw new AppError('precondition', 'reauthentication_needed');
  const known = current === undefined ? undefined : await requirePassword(ctx, current);
  await requestEmailChange(ctx, server, { email }, known);
}

/** Emails the code that confirms a new password in this session. Throws rate_limited `too_many_tries`. */
export async function emailReauthentication(call: EndpointCall): Promise<object> {
  const { ctx, server } = call;
  const { id, sessionId } = signedIn(ctx);
  if (!(await server.tries.countMail(ctx, 'confirmation code', id, { perNetwork: null })))
    throw new AppError('rate_limited', 'too_many_tries');
  await transact(ctx, async (tx) => {
    const codeId = await awaitCode(tx, {
      address: server.tries.keyOf('confirmation code', sessionId),
      device: sessionDevice(call),
      network: null,
      userId: id,
    });
    await recordDone(tx, {
      action: 'confirmation_code_requested',
      subject: { kind: 'person', id },
    });
    await tx.emit(tx, 'accounts.confirmation_code_requested', { codeId });
  });
  return {};
}

async function changePasswordByCode(call: EndpointCall, password: string, nonce: string): Promise<void> {
  const { ctx, server } = call;
  const awaited = await codeAwaited(ctx, sessionDevice(call));
  const { id } = signedIn(ctx);
  const tried = server.tries.keyOf('confirmation codes', id);
  if (!awaited || awaited.user_id !== id || !(await countTry(ctx, awaited.id)))
    throw new AppError('precondition', 'code_expired');
  await server.tries.limit(ctx, tried, allowances.emailedCodes);
  if (!isRightCode(ctx, awaited, nonce)) {
    await recordRefused(ctx, {
      action: 'password_set',
      subject: { kind: 'person', id: awaited.user_id },
      details: { reason: 'wrong_code' },
    });
    throw new AppError('invalid', 'wrong_code');
  }
  await uncountAttempt(ctx.db, tried);
  await replacePassword(ctx, server, password, {
    requireStill: async (tx) => {
      if (!(await consumeCode(tx, awaited.id))) throw new AppError('precondition', 'code_expired');
    },
  });
}

/** As after an emailed link in the browser: other ways in are removed, and the author's words stay locked. */
async function changePasswordByRecovery({ ctx, server }: EndpointCall, password: string): Promise<void> {
  const { sessionId } = signedIn(ctx);
  const session = await programSession(ctx, sessionId);
  if (!session?.recovers_until) throw new AppError('precondition', 'reauthentication_needed');
  await replacePassword(ctx, server, password, {
    requireStill: (tx) => consumeRecovery(tx, sessionId),
    recovers: true,
  });
}

/** Programs' counterpart of the browser's cookie. */
function sessionDevice({ ctx, server }: EndpointCall): string {
  return createHmac('sha256', server.secret)
    .update(`program session ${signedIn(ctx).sessionId}`)
    .digest('base64url');
}

export async function programSignOut({ ctx }: EndpointCall, scope: SignOutScope): Promise<void> {
  const person = signedIn(ctx);
  await transact(ctx, async (tx) => {
    if (scope !== 'local') await endOtherSessions(tx);
    if (scope !== 'others') await endSession(tx, person);
  });
}
