import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import { contactOf, type KnownContact } from '#/features/appointments/on-behalf/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Wait, WaitOffer } from './tables.ts';

/** Returns a waiting list entry; throws `not_found` if it's another client's. */
export async function requireOwnWait(ctx: Ctx, client: Self, waitId: string): Promise<Wait> {
  return ctx.db
    .selectFrom('waits')
    .selectAll()
    .where('id', '=', waitId)
    .where('client_id', '=', client)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'wait'));
}

/** Throws `not_found` for another client's offer. */
export async function requireOwnOffer(
  ctx: Ctx,
  client: Self,
  offerId: string,
): Promise<{ offer: WaitOffer; wait: Wait }> {
  const offer = await ctx.db
    .selectFrom('wait_offers')
    .selectAll('wait_offers')
    .where('wait_offers.id', '=', offerId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('waits')
          .select('waits.id')
          .whereRef('waits.id', '=', 'wait_id')
          .where('client_id', '=', client),
      ),
    )
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'offer'));
  return { offer, wait: await requireOwnWait(ctx, client, offer.wait_id) };
}

/** Returns the contact details that this provider may see. Throws `not_found` (`offer`) for an erased account. */
export async function requireContact(
  ctx: Ctx,
  pair: { clientId: string; providerId: string },
): Promise<KnownContact> {
  const known = await contactOf(ctx, pair);
  if (!known) throw new AppError('not_found', 'offer');
  return known;
}
