import { type Self, selfOf } from '#/features/access/rules.ts';
import { requireUnlocked } from '#/features/accounts/address-change/queries.ts';
import { requireFlag } from '#/features/settings/flags/queries.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';

/** Who acts, as the scope of everything here; `not_found` where growth is switched off for them. */
export async function growing(ctx: Ctx): Promise<Self> {
  const self = selfOf(ctx);
  await requireFlag(ctx, 'wellness_tracking');
  return self;
}

/** Who acts, as the scope of their own journal; refused while nobody can be sure that it is them. */
export async function journaling(ctx: Ctx): Promise<Self> {
  const self = await growing(ctx);
  await requireUnlocked(ctx, self);
  return self;
}

/** The zone in which a person's days are counted: their own, or the site's until they have one. */
export async function zoneOf(ctx: Ctx, person: string): Promise<string> {
  const profile = await ctx.db
    .selectFrom('profiles')
    .select('time_zone')
    .where('id', '=', person)
    .executeTakeFirst();
  return profile?.time_zone ?? (await siteSettings(ctx)).timezone;
}

/** The moment of a write. */
export function momentOf(ctx: Ctx): Date {
  return new Date(ctx.now().epochMilliseconds);
}
