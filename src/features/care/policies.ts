import { type Self, selfOf } from '#/features/access/rules.ts';
import { requireServes } from '#/features/appointments/on-behalf/policies.ts';
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
  await requireServes(ctx, providerId, clientId);
  return { providerId, clientId: clientId as ServedClientId };
}
