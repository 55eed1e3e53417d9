import { recordView } from '#/features/audit/commands.ts';
import { requireSharer } from '#/features/care/sharing/policies.ts';
import type { Ctx } from '#/platform/context.ts';
import type { GoalView } from '../goals/contract.ts';
import { goalsOf } from '../goals/queries.ts';
import type { ProgressView } from '../progress/contract.ts';
import { requireGrowth } from '../progress/policies.ts';
import { progressOf } from '../progress/queries.ts';

/** Lists a client's goals and logs the access. Throws `not_found` unless the client shares them with the caller. */
export async function viewSharedGoals(
  ctx: Ctx,
  { clientId, ...page }: { clientId: string; state: 'open' | 'achieved'; limit: number; offset: number },
): Promise<{ goals: GoalView[]; more: boolean }> {
  await requireGrowth(ctx);
  const goals = await goalsOf(ctx, await requireSharer(ctx, clientId, 'goals'), page);
  await logAccess(ctx, clientId, 'goals');
  return goals;
}

/** Returns a client's progress and logs the access. Throws `not_found` unless the client shares it with the caller. */
export async function viewSharedProgress(ctx: Ctx, clientId: string): Promise<ProgressView> {
  await requireGrowth(ctx);
  const progress = await progressOf(ctx, await requireSharer(ctx, clientId, 'progress'));
  await logAccess(ctx, clientId, 'progress');
  return progress;
}

function logAccess(ctx: Ctx, clientId: string, what: 'goals' | 'progress'): Promise<void> {
  return recordView(ctx, {
    action: `growth.shared_${what}_viewed`,
    subject: { kind: 'person', id: clientId },
  });
}
