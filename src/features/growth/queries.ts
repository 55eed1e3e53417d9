import { type Self, selfOf } from '#/features/access/rules.ts';
import { requireUnlocked } from '#/features/accounts/address-change/queries.ts';
import { requireFlag } from '#/features/settings/flags/policies.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';

/** Returns the caller; throws `not_found` if growth is disabled. */
export async function growing(ctx: Ctx): Promise<Self> {
  const self = selfOf(ctx);
  await requireFlag(ctx, 'wellness_tracking');
  return self;
}

/** Returns the caller. Throws while an administrator's address change is unconfirmed: someone else may be signed in. */
export async function journaling(ctx: Ctx): Promise<Self> {
  const self = await growing(ctx);
  await requireUnlocked(ctx, self);
  return self;
}

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
