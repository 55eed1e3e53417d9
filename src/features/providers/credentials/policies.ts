import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';
import type { Practice } from '../practice/policies.ts';

/** Locks the provider's own pending or rejected credential. Throws `not_found` (`credential`) for any other. */
export async function requireOwnUnapproved(
  tx: TxCtx,
  practice: Practice,
  credentialId: string,
): Promise<{ id: string }> {
  return tx.db
    .selectFrom('provider_credentials')
    .select('id')
    .where('id', '=', credentialId)
    .where('provider_id', '=', practice)
    .where('state', 'in', ['pending', 'rejected'])
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'credential'));
}

/** Locks a pending credential. Throws `not_found` (`credential`), or conflict `decided`. */
export async function requirePendingCredential(tx: TxCtx, credentialId: string) {
  const row = await tx.db
    .selectFrom('provider_credentials')
    .select(['provider_id', 'state', 'replaces'])
    .where('id', '=', credentialId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'credential'));
  if (row.state !== 'pending') throw new AppError('conflict', 'decided');
  return row;
}
