import { AppError, invalidField } from '#/kernel/errors.ts';
import { eachOnce } from '#/kernel/text.ts';
import { authorize } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { changedParts } from '#/features/audit/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { clearPageCache, publish } from '#/platform/realtime/publish.ts';
import type { ListingInput, OwnListing } from './contract.ts';
import { type Practice, requirePractice } from './practice/policies.ts';
import { ownListing } from './queries.ts';

/**
 * Saves the provider's own listing, public at once. Throws conflict `changed` for an outdated version, invalid
 * `unknown_service` for inactive services.
 */
export async function saveListing(ctx: Ctx, input: ListingInput): Promise<OwnListing> {
  authorize(ctx.actor, ['manage_own_profile']);
  const practice = await requirePractice(ctx);
  return transact(ctx, async (tx) => {
    const { version } = await tx.db
      .selectFrom('providers')
      .select('version')
      .where('id', '=', practice)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    if (version !== input.version) throw new AppError('conflict', 'changed');
    const before = await ownListing(tx, practice);
    await tx.db
      .updateTable('providers')
      .set({
        title: input.title,
        specialties: eachOnce(input.specialties),
        experience: input.experience,
        location: input.location,
        bio: input.bio,
        education: eachOnce(input.education),
        approach: input.approach,
        languages: eachOnce(input.languages),
        traditions: eachOnce(input.traditions),
        faith_part: input.faithPart,
        session_types: [...new Set(input.sessionTypes)],
        phone: input.phone || null,
        version: version + 1,
      })
      .where('id', '=', practice)
      .execute();
    await offerOnly(tx, practice, [...new Set(input.serviceIds)]);
    const after = await ownListing(tx, practice);
    await recordDone(tx, {
      action: 'provider.listing_changed',
      subject: { kind: 'provider', id: practice },
      details: { changed: changedParts(before, { ...after, version: before.version }), version: version + 1 },
    });
    await tx.emit(tx, 'providers.listing_changed', { providerId: practice });
    await publish(tx, [`person:${practice}`], { type: 'providers.listing_changed', id: practice });
    await clearPageCache(tx);
    return after;
  });
}

/** Replaces the active services a provider offers; links to inactive services stay. */
async function offerOnly(tx: TxCtx, practice: Practice, wanted: readonly string[]): Promise<void> {
  const active = await tx.db
    .selectFrom('services')
    .select('id')
    .where('active', '=', true)
    .forKeyShare()
    .execute();
  const known = active.map(({ id }) => id);
  if (wanted.some((id) => !known.includes(id))) throw invalidField('serviceIds', 'unknown_service');
  await tx.db
    .deleteFrom('provider_services')
    .where('provider_id', '=', practice)
    .where('service_id', 'in', known)
    .where('service_id', 'not in', wanted)
    .execute();
  await tx.db
    .insertInto('provider_services')
    .values(wanted.map((service_id) => ({ provider_id: practice, service_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
