import { type Self, selfOf } from '#/features/access/rules.ts';
import { requireServes } from '#/features/appointments/on-behalf/policies.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { AppError } from '#/kernel/errors.ts';
import type { StoredRecord } from './tables.ts';

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

/** Locks the provider's own record of a client. Throws `not_found` (`client`) for any other. */
export async function requireOwnRecord(tx: TxCtx, providerId: Self, clientId: string): Promise<StoredRecord> {
  return tx.db
    .selectFrom('client_records')
    .selectAll()
    .where('person_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'client'));
}

/** Returns the caller's listing. Throws `not_found` (`specialist`) for people without one. */
export async function requireOwnListing(tx: TxCtx, providerId: Self): Promise<{ timeZone: string }> {
  return tx.db
    .selectFrom('providers')
    .select('time_zone as timeZone')
    .where('id', '=', providerId)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'specialist'));
}
