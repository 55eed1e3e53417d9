import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';

/** Locks a person's token. Throws `not_found` (`api_token`) for anyone else's. */
export async function requireApiToken(tx: TxCtx, personId: string, tokenId: string): Promise<{ id: string }> {
  return tx.db
    .selectFrom('api_tokens')
    .select('id')
    .where('id', '=', tokenId)
    .where('user_id', '=', personId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'api_token'));
}
