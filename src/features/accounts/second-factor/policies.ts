import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';

/** Locks an account's second factor. Throws `not_found` (`second_factor`) if it has none. */
export async function requireFactor(tx: TxCtx, userId: string): Promise<void> {
  const factor = await tx.db
    .selectFrom('second_factors')
    .select('id')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (!factor) throw new AppError('not_found', 'second_factor');
}
