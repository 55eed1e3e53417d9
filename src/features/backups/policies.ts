import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';
import { isKept } from './queries.ts';

/** Locks a backup that an administrator can delete. Throws `not_found` (`backup`) for scheduled and deleted ones. */
export async function requireKeptBackup(tx: TxCtx, id: string): Promise<{ id: string }> {
  return tx.db
    .selectFrom('backups')
    .select('id')
    .where('id', '=', id)
    .where(isKept)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'backup'));
}
