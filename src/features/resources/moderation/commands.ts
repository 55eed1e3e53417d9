import { AppError } from '#/kernel/errors.ts';
import { authorize } from '#/features/access/rules.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { clearPageCache } from '#/platform/realtime/publish.ts';
import { makePrivate, makePublic } from '../authoring/commands.ts';
import type { ResourceDetail } from '../library/contract.ts';
import { requireModerated, requirePublished } from '../library/policies.ts';

export type ResourceDecision = 'published' | 'rejected' | 'unpublished';

declare module '#/platform/context.ts' {
  interface Events {
    'resources.decided': { resourceId: string; decision: ResourceDecision };
  }
}

/** Publishes the submitted version; throws `conflict` with `changed` if the author has edited it since. */
export async function approveResource(ctx: Ctx, id: string, version: number): Promise<{ published: true }> {
  authorize(ctx.actor, ['moderate_content']);
  return transact(ctx, async (tx) => {
    const row = await requireModerated(tx, id, 'submitted');
    if (row.version !== version) throw new AppError('conflict', 'changed');
    await makePublic(tx, row);
    await notifyScreens(tx, id, 'published');
    return { published: true };
  });
}

/** Rejects a resource; the author sees the reason. */
export async function rejectResource(ctx: Ctx, id: string, reason: string): Promise<{ rejected: true }> {
  authorize(ctx.actor, ['moderate_content']);
  return transact(ctx, async (tx) => {
    await makePrivate(tx, await requireModerated(tx, id, 'submitted'), 'rejected', reason);
    await notifyScreens(tx, id, 'rejected');
    return { rejected: true };
  });
}

/** Unpublishes a resource; the author sees the reason and can resubmit. */
export async function unpublishResource(
  ctx: Ctx,
  id: string,
  reason: string,
): Promise<{ unpublished: true }> {
  authorize(ctx.actor, ['moderate_content']);
  return transact(ctx, async (tx) => {
    await makePrivate(tx, await requireModerated(tx, id, 'published'), 'rejected', reason);
    await notifyScreens(tx, id, 'unpublished');
    return { unpublished: true };
  });
}

/** Features a published resource or stops featuring it. */
export async function featureResource(ctx: Ctx, id: string, featured: boolean): Promise<ResourceDetail> {
  authorize(ctx.actor, ['moderate_content']);
  return transact(ctx, async (tx) => {
    await requireModerated(tx, id, 'published');
    await tx.db.updateTable('resources').set({ featured }).where('id', '=', id).execute();
    await record(tx, id, featured ? 'featured' : 'unfeatured');
    await clearPageCache(tx);
    return requirePublished(tx, id);
  });
}

async function notifyScreens(tx: TxCtx, id: string, decision: ResourceDecision): Promise<void> {
  await record(tx, id, decision);
  await tx.emit(tx, 'resources.decided', { resourceId: id, decision });
}

async function record(tx: TxCtx, id: string, what: ActionAfter<'resource.'>): Promise<void> {
  await recordDone(tx, { action: `resource.${what}`, subject: { kind: 'resource', id } });
}
