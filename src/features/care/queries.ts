import { AppError } from '#/kernel/errors.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { serves } from '#/features/booking/on-behalf/queries.ts';
import type { Ctx } from '#/platform/context.ts';

declare const minted: unique symbol;

/** The id of somebody whom the provider who acts serves or has served. Only `servedBy` makes one. */
type ServedClientId = string & { readonly [minted]: 'client' };

/** A provider, and one of their clients. */
export interface Served {
  providerId: Self;
  clientId: ServedClientId;
}

/** Finds out that the person who acts serves this client, or has; anybody else's answers `not_found`, like one that isn't there. */
export async function servedBy(ctx: Ctx, clientId: string): Promise<Served> {
  const providerId = selfOf(ctx);
  if (!(await serves(ctx, providerId, clientId))) throw new AppError('not_found', 'client');
  return { providerId, clientId: clientId as ServedClientId };
}
