import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { OpenedMail } from './contract.ts';
import { mailInTray } from './queries.ts';

/** Throws `not_found` (`no_such_route`) outside demo mode, as for an unknown address. */
export function requireMailTray(isOpen: boolean): void {
  if (!isOpen) throw new AppError('not_found', 'no_such_route');
}

/** Returns an email in the tray. Throws `not_found` (`mail`) for other IDs. */
export async function requireTrayMail(ctx: Ctx, id: string): Promise<OpenedMail> {
  const mail = await mailInTray(ctx, id);
  if (!mail) throw new AppError('not_found', 'mail');
  return mail;
}

export const undeliveredColumns = ['id', 'kind', 'urgent', 'fault', 'expires_at'] as const;
export type Undelivered = Awaited<ReturnType<typeof requireUndelivered>>;

/** Locks an undelivered email. Throws `not_found`. */
export async function requireUndelivered(tx: TxCtx, mailId: string) {
  return tx.db
    .selectFrom('mails')
    .select(undeliveredColumns)
    .where('id', '=', mailId)
    .where('failed_at', 'is not', null)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'mail'));
}
