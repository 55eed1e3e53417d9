import { recordView } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { sharedGoals, sharedProgress } from './queries.ts';

/** The goals that a client shares, for the provider who acts; that they looked is noted. */
export async function lookAtGoals(
  ctx: Ctx,
  input: Parameters<typeof sharedGoals>[1],
): ReturnType<typeof sharedGoals> {
  const goals = await sharedGoals(ctx, input);
  await recordLook(ctx, input.clientId, 'goals');
  return goals;
}

/** The progress that a client shares, for the provider who acts; that they looked is noted. */
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
