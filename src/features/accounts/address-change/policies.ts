import type { Selectable } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';
import { lockDays } from '../rules.ts';
import type { AddressChangesTable } from '../tables.ts';

export type Change = Selectable<AddressChangesTable>;

/** Returns an email change by its link token. Throws `not_found` (`address_change`) for unknown and expired ones. */
export async function requireChange({ db, now }: Ctx, token: string): Promise<Change> {
  const over = now().subtract({ hours: 24 * lockDays });
  return db
    .selectFrom('address_changes')
    .selectAll()
    .where('token', '=', digest(token))
    .where('changed_at', '>', new Date(over.epochMilliseconds))
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'address_change'));
}

/** Locks the account, then rereads the change: of two concurrent clicks, the second finds nothing. */
export async function requireLockedChange(tx: TxCtx, token: string): Promise<Change> {
  const { user_id } = await requireChange(tx, token);
  for (const table of ['profiles', 'users'] as const)
    await tx.db.selectFrom(table).where('id', '=', user_id).select('id').forNoKeyUpdate().execute();
  return requireChange(tx, token);
}
