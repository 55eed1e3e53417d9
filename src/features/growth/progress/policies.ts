import { type Self, selfOf } from '#/features/access/rules.ts';
import { requireFlag } from '#/features/settings/flags/policies.ts';
import type { Ctx } from '#/platform/context.ts';

/** Returns the caller; throws `not_found` if growth is disabled. */
export async function requireGrowth(ctx: Ctx): Promise<Self> {
  const self = selfOf(ctx);
  await requireFlag(ctx, 'wellness_tracking');
  return self;
}
