import { authorize } from '#/features/access/rules.ts';
import { namesOf } from '#/features/accounts/names/queries.ts';
import { requirePerson } from '#/features/accounts/policies.ts';
import type { Ctx } from '#/platform/context.ts';
import { credentialsOf } from '../credentials/queries.ts';
import type { ProviderStatus } from './contract.ts';

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
