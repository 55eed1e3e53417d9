import type { Ctx } from '#/platform/context.ts';
import { setWeeklyHours } from './commands.ts';
import { defaultWeek } from './rules.ts';

/** Gives every demo specialist the hours that a provider begins with; who has places is at one before noon, at the other after. */
export async function seedHours(ctx: Ctx, providerIds: readonly string[]): Promise<void> {
  const places = await ctx.db
    .selectFrom('places')
    .select(['id', 'provider_id'])
    .where('provider_id', 'in', providerIds)
    .orderBy('position')
    .execute();
  for (const id of providerIds) {
    const own = places.filter(({ provider_id }) => provider_id === id);
    const week = defaultWeek.map((window) => {
      const place = window.from < '12:00' ? own[0] : own.at(-1);
      return place ? { ...window, placeId: place.id } : window;
    });
    await setWeeklyHours(ctx, id, week);
  }
}
