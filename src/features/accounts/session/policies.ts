import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';

/** Locks a person's own session. Throws `not_found` (`device`) for any other. */
export async function requireOwnSession(
  tx: TxCtx,
  personId: string,
  sessionId: string,
): Promise<{ id: string; device_id: string | null }> {
  const session = await tx.db
    .selectFrom('sessions')
    .select(['id', 'device_id'])
    .where('id', '=', sessionId)
    .where('user_id', '=', personId)
    .forUpdate()
    .executeTakeFirst();
  if (!session) throw new AppError('not_found', 'device');
  return session;
}
