import { isProvider, roles } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import type { EndingLicense } from './contract.ts';
import { flaggedUntil, licenseEndOf } from './rules.ts';

/** Providers whom only an expired license would hide. */
export function servingProviders({ db }: Pick<Ctx, 'db'>) {
  return db
    .selectFrom('providers')
    .innerJoin('profiles', 'profiles.id', 'providers.id')
    .where('role', 'in', roles.filter(isProvider))
    .where('suspended_at', 'is', null)
    .where('delete_after', 'is', null)
    .where('approval_revoked_at', 'is', null);
}

/** Returns providers with an expiring or expired license, earliest end first. */
export async function endingLicenses(
  ctx: Ctx,
  { offset, limit }: { offset: number; limit: number },
): Promise<EndingLicense[]> {
  const today = ctx.now().toString().slice(0, 10);
  const rows = await servingProviders(ctx)
    .select(['providers.id', 'slug', 'full_name as name', 'title', 'licensed_until'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('provider_credentials')
          .select('provider_credentials.id')
          .whereRef('provider_id', '=', 'providers.id')
          .where('state', '=', 'pending'),
      ).as('renewing'),
    )
    .where('licensed_until', '<=', flaggedUntil(today))
    .orderBy('licensed_until')
    .orderBy('providers.id')
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ licensed_until, renewing, ...row }) => ({
    ...row,
    ...licenseEndOf(licensed_until, today)!,
    renewing: Boolean(renewing),
  }));
}

/** Counts providers whose license or ordination has expired, or is about to. */
export async function countEndingLicenses(ctx: Ctx): Promise<{ ended: number; ending: number }> {
  const today = ctx.now().toString().slice(0, 10);
  return servingProviders(ctx)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('licensed_until', '<', today).as('ended'),
      fn.countAll<number>().filterWhere('licensed_until', '>=', today).as('ending'),
    ])
    .where('licensed_until', '<=', flaggedUntil(today))
    .executeTakeFirstOrThrow();
}
