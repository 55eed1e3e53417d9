import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';
import type { OfferedIds } from '../openid/rules.ts';
import type { LinkedIdentity } from '../openid/queries.ts';

/** Throws `not_found` (`no_such_route`) where the site offers no wallets. */
export function requireWallets({ walletSignIn }: OfferedIds): void {
  if (!walletSignIn) throw new AppError('not_found', 'no_such_route');
}

/** Locks a person's own linked identity. Throws `not_found` (`identity`) for any other. */
export async function requireOwnIdentity(
  tx: TxCtx,
  personId: string,
  identityId: string,
): Promise<LinkedIdentity> {
  return tx.db
    .selectFrom('linked_identities')
    .selectAll()
    .where('id', '=', identityId)
    .where('user_id', '=', personId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'identity'));
}
