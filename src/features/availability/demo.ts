import type { Ctx } from '#/platform/context.ts';
import { setWeeklyHours } from './commands.ts';
import { defaultWeek } from './rules.ts';

/** Gives every demo specialist the hours that a provider begins with. */
export async function seedHours(ctx: Ctx, providerIds: readonly string[]): Promise<void> {
  for (const id of providerIds) await setWeeklyHours(ctx, id, defaultWeek);
}
