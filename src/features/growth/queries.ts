import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';

/** Returns the person's time zone, or the site's if unset. */
export async function zoneOf(ctx: Ctx, person: string): Promise<string> {
  const profile = await ctx.db
    .selectFrom('profiles')
    .select('time_zone')
    .where('id', '=', person)
    .executeTakeFirst();
  return profile?.time_zone ?? (await siteSettings(ctx)).timezone;
}

export function momentOf(ctx: Ctx): Date {
  return new Date(ctx.now().epochMilliseconds);
}
