import { AppError } from '#/kernel/errors.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { serves } from '#/features/appointments/on-behalf/queries.ts';
import type { Ctx } from '#/platform/context.ts';

declare const minted: unique symbol;

/** Current or past client of the caller. Only `requireServed` creates one. */
type ServedClientId = string & { readonly [minted]: 'client' };

export interface Served {
  providerId: Self;
  clientId: ServedClientId;
}

/** Verifies that the caller serves or served this client; throws `not_found` (`client`) otherwise. */
export async function requireServed(ctx: Ctx, clientId: string): Promise<Served> {
  const providerId = selfOf(ctx);
  if (!(await serves(ctx, providerId, clientId))) throw new AppError('not_found', 'client');
  return { providerId, clientId: clientId as ServedClientId };
}
