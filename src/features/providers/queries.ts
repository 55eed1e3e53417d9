import { sql } from 'kysely';
import { photoPath } from '#/features/accounts/queries.ts';
import { offers } from '#/features/settings/flags/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { OwnListing, Specialist, SpecialistPage, ProviderStatus } from './contract.ts';
import { meanRating } from './rules.ts';
import { approvedCredentials, credentialsOf } from './credentials/queries.ts';
import { licenseEndOf } from './expiry/rules.ts';
import { townsOf } from './places/queries.ts';
import type { Practice } from './practice/policies.ts';
import { authorize } from '#/features/access/rules.ts';
import { namesOf } from '#/features/accounts/names/queries.ts';
import { requirePerson } from '#/features/accounts/policies.ts';

/** Returns listed providers by position, then name, up to `limit`, optionally filtered by service. */
export async function listSpecialists(
  ctx: Ctx,
  { serviceId, limit }: { serviceId?: string | undefined; limit: number },
): Promise<Specialist[]> {
  let rows = specialistRows(ctx)
    .where('providers.listed', '=', true)
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

/** Returns a listed provider; null for other IDs. */
export async function getSpecialist(ctx: Ctx, id: string): Promise<Specialist | null> {
  const row = await specialistRows(ctx)
    .where('providers.listed', '=', true)
    .where('providers.id', '=', id)
    .executeTakeFirst();
  return row ? specialistOf(row) : null;
}

/** Base query: providers, listed or not, with their active services, in one statement. */
export function specialistRows(ctx: Ctx) {
  return ctx.db
    .selectFrom('providers')
    .innerJoin('profiles', 'profiles.id', 'providers.id')
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
      'providers.session_lengths',
      'providers.time_zone',
      'providers.approves_first',
      'providers.rating_sum',
      'providers.rating_count',
    ])
    .select(({ ref }) => {
      const provider = { id: ref('providers.id'), kind: ref('providers.kind') };
      return [
        offers('video_sessions', provider).as('offers_video'),
        offers('direct_messaging', provider).as('takes_messages'),
      ];
    })
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

export function specialistOf(row: SpecialistRow): Specialist {
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
    sessionTypes: row.session_types.filter((type) => type !== 'online' || row.offers_video),
    sessionLengths: row.session_lengths,
    timeZone: row.time_zone,
    approvesFirst: row.approves_first,
    takesMessages: row.takes_messages,
    serviceIds: row.service_ids ?? [],
  };
}

export async function specialistsPerService(ctx: Ctx): Promise<{ serviceId: string; specialists: number }[]> {
  return ctx.db
    .selectFrom('provider_services')
    .select(({ fn }) => ['service_id as serviceId', fn.countAll<number>().as('specialists')])
    .groupBy('service_id')
    .orderBy('service_id')
    .execute();
}

/** A listed provider's page, or null. */
export async function specialistPage(ctx: Ctx, slug: string): Promise<SpecialistPage | null> {
  const row = await specialistRows(ctx)
    .where('providers.listed', '=', true)
    .where('providers.slug', '=', slug)
    .executeTakeFirst();
  if (!row) return null;
  const [credentials, towns] = await Promise.all([approvedCredentials(ctx, row.id), townsOf(ctx, row.id)]);
  return { ...specialistOf(row), credentials, towns };
}

/** Returns the provider's own listing, even if unlisted. */
export async function ownListing(ctx: Ctx, practice: Practice): Promise<OwnListing> {
  const row = await specialistRows(ctx)
    .select([
      'providers.phone',
      'providers.version',
      'providers.listed',
      'providers.licensed_until',
      'approval_revoked_reason',
    ])
    .where('providers.id', '=', practice)
    .executeTakeFirstOrThrow();
  const {
    rating: _rating,
    reviewCount: _count,
    approvesFirst: _first,
    takesMessages: _messages,
    ...shown
  } = specialistOf(row);
  const end = licenseEndOf(row.licensed_until, ctx.now().toString().slice(0, 10));
  // Includes those that the site has turned off.
  const sessionTypes = row.session_types;
  return {
    ...shown,
    sessionTypes,
    phone: row.phone ?? '',
    version: row.version,
    listed: row.listed,
    licenseEnd: end,
    revokedReason: row.approval_revoked_reason,
  };
}

export async function listedSlugs(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('providers')
    .select('slug')
    .where('listed', '=', true)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(({ slug }) => slug);
}

/** Returns a person's listing, licenses and latest application. Throws `not_found` (`person`). */
export async function providerStatus(ctx: Ctx, personId: string): Promise<ProviderStatus> {
  authorize(ctx.actor, ['manage_providers']);
  requirePerson((await namesOf(ctx, [personId]))[0]);
  const [listing, credentials, application] = await Promise.all([
    ctx.db
      .selectFrom('providers')
      .where('id', '=', personId)
      .select(['slug', 'title', 'listed', 'approval_revoked_at'])
      .executeTakeFirst(),
    credentialsOf(ctx, personId),
    ctx.db
      .selectFrom('provider_applications')
      .where('person_id', '=', personId)
      .select(['id', 'status', 'submitted_at'])
      .orderBy('submitted_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ]);
  return {
    listing: listing
      ? {
          slug: listing.slug,
          title: listing.title,
          listed: listing.listed,
          revokedAt: listing.approval_revoked_at?.toISOString() ?? null,
        }
      : null,
    credentials,
    application: application
      ? {
          id: application.id,
          status: application.status,
          submittedAt: application.submitted_at.toISOString(),
        }
      : null,
  };
}
