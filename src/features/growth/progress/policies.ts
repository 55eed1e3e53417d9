import { AppError } from '#/kernel/errors.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { requireFlag } from '#/features/settings/flags/policies.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { countAttempt } from '#/platform/http/limits.ts';

/** Returns the caller; throws `not_found` if growth is disabled. */
export async function requireGrowth(ctx: Ctx): Promise<Self> {
  const self = selfOf(ctx);
  await requireFlag(ctx, 'wellness_tracking');
  return self;
}

/** Goals and journal entries per person: a person's archive is built in memory. */
const addedPerDay = 100;

/** Counts a new goal or journal entry; rollbacks don't count. Throws `rate_limited` (`too_many_entries`). */
export async function requireRoomToday(tx: TxCtx, self: Self): Promise<void> {
  if (!(await countAttempt(tx.db, `growth:${self}`, addedPerDay, 86_400, tx.now())))
    throw new AppError('rate_limited', 'too_many_entries');
}
