import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';

/** Locks an account's second factor. Throws `not_found` (`second_factor`) if it has none. */
export async function requireFactor(tx: TxCtx, userId: string): Promise<void> {
  await tx.db
    .selectFrom('second_factors')
    .select('id')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'second_factor'));
}
