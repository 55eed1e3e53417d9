import { recordView } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { sharedGoals, sharedProgress } from './queries.ts';

/** Returns a client's shared goals and logs the access. */
export async function lookAtGoals(
  ctx: Ctx,
  input: Parameters<typeof sharedGoals>[1],
): ReturnType<typeof sharedGoals> {
  const goals = await sharedGoals(ctx, input);
  await recordLook(ctx, input.clientId, 'goals');
  return goals;
}

/** Returns a client's shared progress and logs the access. */
export async function lookAtProgress(ctx: Ctx, clientId: string): ReturnType<typeof sharedProgress> {
  const progress = await sharedProgress(ctx, clientId);
  await recordLook(ctx, clientId, 'progress');
  return progress;
}

function recordLook(ctx: Ctx, clientId: string, what: 'goals' | 'progress'): Promise<void> {
  return recordView(ctx, {
    action: `growth.shared_${what}_viewed`,
    category: 'security',
    subject: { kind: 'person', id: clientId },
  });
}
