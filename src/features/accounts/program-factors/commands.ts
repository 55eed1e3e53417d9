import { renderSVG } from 'uqr';
import type { z } from 'zod';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { lockAccount, requireFresh, requireFullyFresh, signedIn } from '../commands.ts';
import type { EndpointCall } from '../identity/commands.ts';
import { accessMinutes } from '../program-keys/rules.ts';
import { renewSession } from '../program-sessions/commands.ts';
import type { ProgramAnswer, ProgramUser } from '../program-sessions/contract.ts';
import { programFactors } from '../program-sessions/queries.ts';
import { finishSignIn } from '../program-sign-in/commands.ts';
import {
  beginDemandedFactor,
  beginProven,
  confirmSecondFactor,
  removeProven,
  requireCode,
} from '../second-factor/commands.ts';
import type { WaitingSignIn } from '../waiting-sign-ins/commands.ts';
import type { EnrolledFactor, factorInputs } from '../program-user/contract.ts';
import { requireOwnFactor } from './policies.ts';

/** The factor's owner, signed in or signing in. */
export interface FactorOwner {
  id: string;
  waiting: WaitingSignIn | null;
}

/** Begins two-factor setup. Throws like `requireFresh` and `beginSecondFactor`. */
export async function enrollFactor(ctx: Ctx, owner: FactorOwner): Promise<EnrolledFactor> {
  return transact(ctx, async (tx) => {
    // Locked, so this can't overtake a recovery of the account that ends the session.
    await lockAccount(tx, owner.id);
    if (!owner.waiting) await requireFresh(tx);
    const own = await programFactors(tx, owner.id);
    if (own.some(isOfBrowser)) throw new AppError('conflict', 'second_factor_active');
    const { secret, address } = owner.waiting
      ? (await beginDemandedFactor(tx, owner.id, null)).setUp
      : await beginProven(tx);
    const { id } = (await programFactors(tx, owner.id))[0]!;
    return { id, type: 'totp', totp: { qr_code: renderSVG(address), secret, uri: address } };
  });
}

/** Stores nothing: an app's code works once and for seconds anyway. */
export async function challengeFactor(
  ctx: Ctx,
  { id: userId }: FactorOwner,
  factorId: string,
): Promise<{ id: string; type: 'totp'; expires_at: number }> {
  await requireOwnApp(ctx, userId, factorId);
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
  const { status } = await requireOwnApp(ctx, userId, factorId);
  if (waiting) return finishSignIn(call, waiting, code);
  if (status === 'verified') await requireCode(ctx, code);
  else await confirmSecondFactor(ctx, { code });
  return renewSession(call, signedIn(ctx), { verified: true });
}

/** Removes the factor. Throws like `requireFullyFresh` and `removeSecondFactor`. */
export async function unenrollFactor(ctx: Ctx, factorId: string): Promise<{ id: string }> {
  const { id } = signedIn(ctx);
  await transact(ctx, async (tx) => {
    await lockAccount(tx, id);
    await requireOwnFactor(tx, id, factorId, { locked: true });
    await requireFullyFresh(tx);
    await removeProven(tx);
  });
  return { id: factorId };
}

/** Also throws precondition `second_factor_in_browser` for passkeys. */
async function requireOwnApp(
  ctx: Ctx,
  userId: string,
  factorId: string,
): Promise<ProgramUser['factors'][number]> {
  const factor = await requireOwnFactor(ctx, userId, factorId);
  if (isOfBrowser(factor)) throw new AppError('precondition', 'second_factor_in_browser');
  return factor;
}

function isOfBrowser({ factor_type }: ProgramUser['factors'][number]): boolean {
  return factor_type === 'webauthn';
}
