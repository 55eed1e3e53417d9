import { requireSharer } from '#/features/care/sharing/policies.ts';
import type { Ctx } from '#/platform/context.ts';
import type { GoalView } from '../goals/contract.ts';
import { goalsOf } from '../goals/queries.ts';
import type { ProgressView } from '../progress/contract.ts';
import { progressOf } from '../progress/queries.ts';
import { requireGrowing } from '../progress/policies.ts';

/** Lists shared goals; throws `not_found` unless currently shared with the caller. */
export async function sharedGoals(
  ctx: Ctx,
  { clientId, ...page }: { clientId: string; state: 'open' | 'achieved'; limit: number; offset: number },
): Promise<{ goals: GoalView[]; more: boolean }> {
  await requireGrowing(ctx);
  return goalsOf(ctx, await requireSharer(ctx, clientId, 'goals'), page);
}

/** Returns shared progress; throws `not_found` unless currently shared with the caller. */
export async function sharedProgress(ctx: Ctx, clientId: string): Promise<ProgressView> {
  await requireGrowing(ctx);
  return progressOf(ctx, await requireSharer(ctx, clientId, 'progress'));
}
