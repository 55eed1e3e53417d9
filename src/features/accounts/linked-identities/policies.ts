import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';
import type { LinkedIdentity } from '../openid/queries.ts';

/** Locks a person's own linked identity. Throws `not_found` (`identity`) for any other. */
export async function requireOwnIdentity(
  tx: TxCtx,
  personId: string,
  identityId: string,
): Promise<LinkedIdentity> {
  const identity = await tx.db
    .selectFrom('linked_identities')
    .selectAll()
    .where('id', '=', identityId)
    .where('user_id', '=', personId)
    .forUpdate()
    .executeTakeFirst();
  if (!identity) throw new AppError('not_found', 'identity');
  return identity;
}
