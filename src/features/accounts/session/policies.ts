import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';

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
