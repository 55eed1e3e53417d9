import { AppError } from '#/kernel/errors.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { serves } from '#/features/booking/on-behalf/queries.ts';
import { selfOf } from '#/features/booking/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import type { SetSharingInput } from './contract.ts';

/** Says what one of one's own counsellors sees from now on; `not_found` for whom the person has never had a session with. */
export async function setSharing(ctx: Ctx, input: SetSharingInput): Promise<SetSharingInput> {
  const self = selfOf(ctx);
  const { providerId, profile, goals, progress } = input;
  return transact(ctx, async (tx) => {
    if (!(await serves(tx, providerId, self))) throw new AppError('not_found', 'counsellor');
    const chosen = { profile, goals, progress, changed_at: new Date(tx.now().epochMilliseconds) };
    await tx.db
      .insertInto('shares')
      .values({ client_id: self, provider_id: providerId, ...chosen })
      .onConflict((conflict) => conflict.columns(['client_id', 'provider_id']).doUpdateSet(chosen))
      .execute();
    await recordDone(tx, {
      action: 'care.sharing_set',
      category: 'service_management',
      subject: { kind: 'person', id: self },
      details: { providerId, profile, goals, progress },
    });
    await publish(tx, [`person:${self}`, `person:${providerId}`], { type: 'care.sharing_changed', id: self });
    return { providerId, profile, goals, progress };
  });
}
