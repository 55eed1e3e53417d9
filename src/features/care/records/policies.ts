import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import type { TxCtx } from '#/platform/context.ts';
import type { StoredRecord } from './queries.ts';

/** Locks the provider's own record of a client. Throws `not_found` (`client`) for any other. */
export async function requireOwnRecord(tx: TxCtx, providerId: Self, clientId: string): Promise<StoredRecord> {
  const row = await tx.db
    .selectFrom('client_records')
    .selectAll()
    .where('person_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'client');
  return row;
}

/** Returns the caller's listing. Throws `not_found` (`specialist`) for people without one. */
export async function requireOwnListing(tx: TxCtx, providerId: Self): Promise<{ timeZone: string }> {
  return tx.db
    .selectFrom('providers')
    .select('time_zone as timeZone')
    .where('id', '=', providerId)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'specialist'));
}
