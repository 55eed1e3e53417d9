import { sql } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import { photoPath } from '#/features/accounts/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Specialist } from './contract.ts';
import { meanRating } from './rules.ts';

/** The listed specialists by position, then name; at most `limit`, of one service if it is named. */
export async function listSpecialists(
  ctx: Ctx,
  { serviceId, limit }: { serviceId?: string | undefined; limit: number },
): Promise<Specialist[]> {
  let rows = specialistRows(ctx)
    .orderBy('providers.position')
    .orderBy('full_name')
    .orderBy('providers.id')
    .limit(limit);
  if (serviceId !== undefined) {
    rows = rows.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('provider_services')
          .select('service_id')
          .whereRef('provider_id', '=', 'providers.id')
          .where('service_id', '=', serviceId),
      ),
    );
  }
  return (await rows.execute()).map(specialistOf);
}

/** One listed specialist; `not_found` for any other id. */
export async function getSpecialist(ctx: Ctx, id: string): Promise<Specialist> {
  const row = await specialistRows(ctx).where('providers.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', 'specialist');
  return specialistOf(row);
}

/** The listed specialists, each with the active services that they offer, in one statement. */
function specialistRows(ctx: Ctx) {
  return ctx.db
    .selectFrom('providers')
    .innerJoin('profiles', 'profiles.id', 'providers.id')
    .where('providers.listed', '=', true)
    .select([
      'providers.id',
      'providers.slug',
      'profiles.full_name',
      'profiles.photo_id',
      'providers.kind',
      'providers.title',
      'providers.specialties',
      'providers.experience',
      'providers.location',
      'providers.bio',
      'providers.education',
      'providers.approach',
      'providers.languages',
      'providers.traditions',
      'providers.faith_part',
      'providers.session_types',
      'providers.time_zone',
      'providers.approves_first',
      'providers.rating_sum',
      'providers.rating_count',
    ])
    .select(({ selectFrom }) =>
      selectFrom('provider_services')
        .innerJoin('services', 'services.id', 'provider_services.service_id')
        .whereRef('provider_services.provider_id', '=', 'providers.id')
        .where('services.active', '=', true)
        .select(
          sql<string[]>`coalesce(array_agg(services.id order by services.position, services.id), '{}')`.as(
            'ids',
          ),
        )
        .as('service_ids'),
    );
}

type SpecialistRow = Awaited<ReturnType<ReturnType<typeof specialistRows>['executeTakeFirstOrThrow']>>;

function specialistOf(row: SpecialistRow): Specialist {
  return {
    id: row.id,
    slug: row.slug,
    name: row.full_name,
    photoUrl: photoPath(row.photo_id),
    kind: row.kind,
    title: row.title,
    specialties: row.specialties,
    experience: row.experience,
    location: row.location,
    rating: meanRating(row.rating_sum, row.rating_count),
    reviewCount: row.rating_count,
    bio: row.bio,
    education: row.education,
    approach: row.approach,
    languages: row.languages,
    traditions: row.traditions,
    faithPart: row.faith_part,
    sessionTypes: row.session_types,
    timeZone: row.time_zone,
    approvesFirst: row.approves_first,
    serviceIds: row.service_ids ?? [],
  };
}
