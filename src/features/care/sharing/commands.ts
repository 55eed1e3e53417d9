import { selfOf } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { changesIn } from '#/features/audit/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import type { SharedPart } from '../clients/contract.ts';
import { sharingNothing } from '../clients/queries.ts';
import type { SetSharingInput } from './contract.ts';
import { requireCounsellor } from './policies.ts';

/** Sets what a counselor can see; throws `not_found` without a shared session. */
export async function setSharing(
  ctx: Ctx,
  { providerId, ...wish }: SetSharingInput,
): Promise<{ providerId: string } & Record<SharedPart, boolean>> {
  const self = selfOf(ctx);
  return transact(ctx, async (tx) => {
    await requireCounsellor(tx, self, providerId);
    const given = Object.entries(wish).filter(([, on]) => on !== undefined);
    const chosen = {
      ...(Object.fromEntries(given) as Partial<Record<SharedPart, boolean>>),
      changed_at: new Date(tx.now().epochMilliseconds),
    };
    const before = await tx.db
      .selectFrom('shares')
      .select(['profile', 'goals', 'progress'])
      .where('client_id', '=', self)
      .where('provider_id', '=', providerId)
      .forUpdate()
      .executeTakeFirst();
    const shared = await tx.db
      .insertInto('shares')
      .values({ client_id: self, provider_id: providerId, ...sharingNothing, ...chosen })
      .onConflict((conflict) => conflict.columns(['client_id', 'provider_id']).doUpdateSet(chosen))
      .returning(['profile', 'goals', 'progress'])
      .executeTakeFirstOrThrow();
    await recordDone(tx, {
      action: 'care.sharing_set',
      subject: { kind: 'person', id: self },
      details: { providerId, ...changesIn(before ?? sharingNothing, shared) },
    });
    await publish(tx, [`person:${self}`, `person:${providerId}`], { type: 'care.sharing_changed', id: self });
    return { providerId, ...shared };
  });
}
