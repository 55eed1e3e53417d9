import { recordView } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { findNames } from './queries.ts';

/** Searches people for an administrator. Logs the search, never its words. */
export async function searchNames(
  ctx: Ctx,
  input: Parameters<typeof findNames>[1],
): ReturnType<typeof findNames> {
  await recordView(ctx, { action: 'users_listed' });
  return findNames(ctx, input);
}
