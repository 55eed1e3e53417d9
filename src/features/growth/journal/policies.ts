import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { requireUnlocked } from '#/features/accounts/queries.ts';
import { requireGrowth } from '../progress/policies.ts';

/** Returns the caller. Throws while an administrator's address change is unconfirmed: someone else may be signed in. */
export async function requireJournaling(ctx: Ctx): Promise<Self> {
  const self = await requireGrowth(ctx);
  await requireUnlocked(ctx, self);
  return self;
}

/** Locks the person's own entry. Throws `not_found` (`journal_entry`) for any other. */
export async function requireOwnEntry(
  tx: TxCtx,
  self: Self,
  entryId: string,
): Promise<{ id: string; version: number }> {
  return tx.db
    .selectFrom('journal_entries')
    .select(['id', 'version'])
    .where('id', '=', entryId)
    .where('person_id', '=', self)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'journal_entry'));
}
