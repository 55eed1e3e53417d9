import type { Ctx } from '#/platform/context.ts';
import type { OwnListing, SpecialistPage } from '../contract.ts';
import { approvedCredentials } from '../credentials/queries.ts';
import { licenceEndOf } from '../expiry/rules.ts';
import { openTowns } from '../places/queries.ts';
import type { Practice } from '../policies.ts';
import { specialistOf, specialistRows } from '../queries.ts';

/** Returns a listed provider's page. Null for other slugs. */
export async function specialistPage(ctx: Ctx, slug: string): Promise<SpecialistPage | null> {
  const row = await specialistRows(ctx)
    .where('providers.listed', '=', true)
    .where('providers.slug', '=', slug)
    .executeTakeFirst();
  if (!row) return null;
  const [credentials, towns] = await Promise.all([approvedCredentials(ctx, row.id), openTowns(ctx, row.id)]);
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
  const end = licenceEndOf(row.licensed_until, ctx.now().toString().slice(0, 10));
  // Unfiltered: providers keep session types the site has turned off.
  const sessionTypes = row.session_types;
  return {
    ...shown,
    sessionTypes,
    phone: row.phone ?? '',
    version: row.version,
    listed: row.listed,
    licenceEnd: end,
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
