import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';

/** Returns a query's result about a person. Throws `not_found` (`person`) if there is none. */
export function requirePerson<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError('not_found', 'person');
  return row;
}

/** Locks an account's second factor. Throws `not_found` (`second_factor`) if it has none. */
export async function requireFactor(tx: TxCtx, userId: string): Promise<void> {
  await tx.db
    .selectFrom('second_factors')
    .select('id')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'second_factor'));
}

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

/** Locks a person's own session. Throws `not_found` (`device`) for any other. */
export async function requireOwnSession(
  tx: TxCtx,
  personId: string,
  sessionId: string,
): Promise<{ id: string; device_id: string | null }> {
  return tx.db
    .selectFrom('sessions')
    .select(['id', 'device_id'])
    .where('id', '=', sessionId)
    .where('user_id', '=', personId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'device'));
}
