import type { Self } from '#/features/access/rules.ts';
import { photoPath } from '#/features/accounts/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { SharingView } from './contract.ts';

/** Lists counselors, latest session first. Excludes deleted accounts. */
export async function counsellorsOf(
  ctx: Ctx,
  self: Self,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ counsellors: SharingView[]; more: boolean }> {
  const rows = await ctx.db
    .selectFrom('appointments')
    .innerJoin('providers', 'providers.id', 'appointments.provider_id')
    .innerJoin('profiles', 'profiles.id', 'appointments.provider_id')
    .leftJoin('shares', (join) =>
      join.onRef('shares.provider_id', '=', 'appointments.provider_id').on('shares.client_id', '=', self),
    )
    .where('appointments.client_id', '=', self)
    .where('profiles.erased_at', 'is', null)
    .groupBy(['providers.id', 'profiles.id', 'shares.client_id', 'shares.provider_id'])
    .select(['providers.id', 'providers.title', 'full_name', 'photo_id'])
    .select(['shares.profile', 'shares.goals', 'shares.progress'])
    .orderBy(({ fn }) => fn.max('starts_at'), 'desc')
    .orderBy('providers.id')
    .limit(limit + 1)
    .offset(offset)
    .execute();
  return {
    counsellors: rows.slice(0, limit).map(({ id, title, full_name, photo_id, profile, goals, progress }) => ({
      counsellor: { id, name: full_name, title, photoUrl: photoPath(photo_id) },
      profile: profile ?? false,
      goals: goals ?? false,
      progress: progress ?? false,
    })),
    more: rows.length > limit,
  };
}
