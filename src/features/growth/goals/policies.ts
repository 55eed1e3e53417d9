import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';

/** Hours in which deleted goals can be restored. */
const keptHours = 24;

/** Locks the person's own goal: concurrent edits would mix steps. Throws `not_found` (`goal`) if deleted or foreign. */
export async function requireOwnGoal(
  tx: TxCtx,
  self: Self,
  goalId: string,
): Promise<{ id: string; version: number }> {
  return tx.db
    .selectFrom('goals')
    .select(['id', 'version'])
    .where('id', '=', goalId)
    .where('person_id', '=', self)
    .where('archived_at', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'goal'));
}

/** Returns a step of a goal that the caller has locked. Throws `not_found` (`goal`) for other goals' steps. */
export async function requireStepOf(
  tx: TxCtx,
  goal: { id: string },
  stepId: string,
): Promise<{ id: string }> {
  return tx.db
    .selectFrom('goal_steps')
    .select('id')
    .where('id', '=', stepId)
    .where('goal_id', '=', goal.id)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'goal'));
}

/** Locks the person's own goal, deleted a day ago at most or not at all. Throws `not_found` (`goal`) for any other. */
export async function requireRestorableGoal(
  tx: TxCtx,
  self: Self,
  goalId: string,
): Promise<{ archived_at: Date | null }> {
  const goal = await tx.db
    .selectFrom('goals')
    .select('archived_at')
    .where('id', '=', goalId)
    .where('person_id', '=', self)
    .forUpdate()
    .executeTakeFirst();
  if (!goal || (goal.archived_at && goal.archived_at < restorableSince(tx)))
    throw new AppError('not_found', 'goal');
  return goal;
}

/** Goals deleted before this can't be restored. */
export function restorableSince(ctx: Ctx): Date {
  return new Date(ctx.now().subtract({ hours: keptHours }).epochMilliseconds);
}
