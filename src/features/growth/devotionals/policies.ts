import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { Devotional, DevotionalEntry } from './contract.ts';
import { devotionalEntry, devotionalOf } from './queries.ts';

/** Returns a day's devotional with both neighbors. Throws `not_found` (`devotional`) for invalid days. */
export async function requireDevotional(ctx: Ctx, day: string): Promise<Devotional> {
  const found = await devotionalOf(ctx, day);
  if (!found) throw new AppError('not_found', 'devotional');
  return found;
}

/** Returns a day's devotional for editing. Throws `not_found` (`devotional`) for invalid days. */
export async function requireDevotionalEntry(ctx: Ctx, day: string): Promise<DevotionalEntry> {
  const found = await devotionalEntry(ctx, day);
  if (!found) throw new AppError('not_found', 'devotional');
  return found;
}

/** Locks a day's devotional. Throws `not_found` (`devotional`) for invalid days. */
export async function requireLockedDevotional(tx: TxCtx, day: string) {
  return tx.db
    .selectFrom('devotionals')
    .select(['version', 'title', 'reference', 'text', 'thought', 'prayer'])
    .where('day', '=', day)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'devotional'));
}
