import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';

export const undeliveredColumns = ['id', 'kind', 'urgent', 'fault', 'expires_at'] as const;
export type Undelivered = Awaited<ReturnType<typeof requireUndelivered>>;

/** Locks an undelivered email. Throws `not_found` for other IDs. */
export async function requireUndelivered(tx: TxCtx, mailId: string) {
  const mail = await tx.db
    .selectFrom('mails')
    .select(undeliveredColumns)
    .where('id', '=', mailId)
    .where('failed_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (!mail) throw new AppError('not_found', 'mail');
  return mail;
}
