import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import type { TxCtx } from '#/platform/context.ts';

/** Locks the person's own entry. Throws `not_found` (`journal_entry`) for any other. */
export async function requireOwnEntry(tx: TxCtx, self: Self, entryId: string): Promise<{ id: string }> {
  const entry = await tx.db
    .selectFrom('journal_entries')
    .select('id')
    .where('id', '=', entryId)
    .where('person_id', '=', self)
    .forUpdate()
    .executeTakeFirst();
  if (!entry) throw new AppError('not_found', 'journal_entry');
  return entry;
}
