import { recordView } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { findNames } from './queries.ts';

/** The people whom words find, for an administrator; that they looked is noted, and never for whom. */
export async function lookForNames(
  ctx: Ctx,
  input: Parameters<typeof findNames>[1],
): ReturnType<typeof findNames> {
  await recordView(ctx, { action: 'users_listed', category: 'user_management' });
  return findNames(ctx, input);
}
