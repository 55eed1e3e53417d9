import { renderSVG } from 'uqr';
import type { z } from 'zod';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { lockAccount, signedIn } from '../commands.ts';
import type { EndpointCall } from '../identity/commands.ts';
import { accessMinutes } from '../program-keys/rules.ts';
import { raiseSession } from '../program-sessions/commands.ts';
import type { ProgramAnswer } from '../program-sessions/contract.ts';
import { programFactors, programSession } from '../program-sessions/queries.ts';
import { isRecent } from '../program-sessions/rules.ts';
import { finishSignIn } from '../program-sign-in/commands.ts';
import {
  beginDemandedFactor,
  beginProven,
  confirmSecondFactor,
  removeProven,
  requireCode,
} from '../second-factor/commands.ts';
import type { WaitingSignIn } from '../waiting-sign-ins/commands.ts';
import type { EnrolledFactor, factorInputs } from './contract.ts';
import { requireOwnFactor } from './policies.ts';

/** The person whose factor it is, signed in or about to be. */
export interface FactorOwner {
  id: string;
  waiting: WaitingSignIn | null;
}

/**
 * Begins two-factor setup. Throws precondition `reauthentication_needed` unless the session began with the password
 * within minutes, and like `beginSecondFactor`.
 */
export async function enrollFactor(ctx: Ctx, { id: userId, waiting }: FactorOwner): Promise<EnrolledFactor> {
  const { secret, address } = waiting
    ? await beginDemandedFactor(ctx, userId)
    : await whileRecent(ctx, { code: false }, beginProven);
  const { id } = (await programFactors(ctx, userId))[0]!;
  return { id, type: 'totp', totp: { qr_code: renderSVG(address), secret, uri: address } };
}

/** Stores nothing: an app's code works once and for seconds anyway. */
export async function challengeFactor(
  ctx: Ctx,
  { id: userId }: FactorOwner,
  factorId: string,
): Promise<{ id: string; type: 'totp'; expires_at: number }> {
  await requireOwnFactor(ctx, userId, factorId);
  const expiresAt = ctx.now().add({ minutes: accessMinutes });
  return { id: ctx.newId(), type: 'totp', expires_at: Math.floor(expiresAt.epochMilliseconds / 1000) };
}

/** Verifies a code: finishes a waiting sign-in, confirms a new factor or raises the session. */
export async function verifyFactor(
  call: EndpointCall,
  { id: userId, waiting }: FactorOwner,
  factorId: string,
  { code }: z.output<typeof factorInputs.verify>,
): Promise<ProgramAnswer> {
  const { ctx } = call;
  const { status } = await requireOwnFactor(ctx, userId, factorId);
  if (waiting) return finishSignIn(call, waiting, code);
  if (status === 'verified') await requireCode(ctx, code);
  else await confirmSecondFactor(ctx, { code });
  return raiseSession(call, signedIn(ctx));
}

/**
 * Removes the factor. Throws precondition `reauthentication_needed` unless the session's password and code were both
 * entered within minutes, as the browser asks for both, and like `removeSecondFactor`.
 */
export async function unenrollFactor(ctx: Ctx, factorId: string): Promise<{ id: string }> {
  const { status } = await requireOwnFactor(ctx, signedIn(ctx).id, factorId);
  await whileRecent(ctx, { code: status === 'verified' }, removeProven);
  return { id: factorId };
}

/** Holds the account meanwhile, so its recovery, which ends the session, isn't overtaken. */
async function whileRecent<T>(
  ctx: Ctx,
  { code }: { code: boolean },
  work: (tx: TxCtx) => Promise<T>,
): Promise<T> {
  const { id, sessionId } = signedIn(ctx);
  return transact(ctx, async (tx) => {
    await lockAccount(tx, id);
    const session = await programSession(tx, sessionId);
    const recent =
      session?.method === 'password' &&
      isRecent(session.created_at, tx.now()) &&
      (!code || isRecent(session.factor_at, tx.now()));
    if (!recent) throw new AppError('precondition', 'reauthentication_needed');
    return work(tx);
  });
}
