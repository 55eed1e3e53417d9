import type { Selectable } from 'kysely';
import type { Role } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import { authorize, type Self } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { requireGrowth } from '../progress/policies.ts';
import { mayAsk } from './queries.ts';
import { isAsked } from './rules.ts';
import type { PrayerRequestsTable } from './tables.ts';

/** A provider whom clients ask for prayer. */
export interface PrayerAudienceOf {
  id: Self;
  role: Role;
}

/** The acting provider: only they receive requests. */
export async function requireAsked(ctx: Ctx): Promise<PrayerAudienceOf> {
  const { actor } = ctx;
  authorize(actor, ['view_own_clients']);
  const id = await requireGrowth(ctx);
  if (actor.kind !== 'person') throw new AppError('forbidden', 'persons_only');
  return { id, role: actor.role };
}

/** Throws `not_found` (`specialist`) unless the client can ask this provider. */
export async function requireAskable(ctx: Ctx, self: Self, providerId: string): Promise<void> {
  if (!(await mayAsk(ctx, self, providerId))) throw new AppError('not_found', 'specialist');
}

/** Locks the client's own request. Throws `not_found` (`prayer`) for any other. */
export async function requireOwnPrayer(
  tx: TxCtx,
  self: Self,
  requestId: string,
): Promise<Selectable<PrayerRequestsTable>> {
  return tx.db
    .selectFrom('prayer_requests')
    .selectAll()
    .where('id', '=', requestId)
    .where('client_id', '=', self)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'prayer'));
}

/** Locks a request sent to this provider. Throws `not_found` (`prayer`) for any other. */
export async function requireReceivedPrayer(
  tx: TxCtx,
  by: PrayerAudienceOf,
  requestId: string,
): Promise<Selectable<PrayerRequestsTable>> {
  const row = await tx.db
    .selectFrom('prayer_requests')
    .selectAll()
    .where('id', '=', requestId)
    .forShare()
    .executeTakeFirst();
  if (!row || !isAsked({ ...row, providerId: row.provider_id }, by))
    throw new AppError('not_found', 'prayer');
  return row;
}
