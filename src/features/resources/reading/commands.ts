import { AppError } from '#/kernel/errors.ts';
import { authorize, selfOf } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import type { ResourceContent, ResourceDetail } from '../library/contract.ts';
import { requireLockedPublished, requirePublished } from '../library/policies.ts';
import { resourceColumns } from '../library/tables.ts';
import { contentOf } from './queries.ts';

/** "Get": counts it, adds the resource to My Resources and returns its content. */
export async function getResource(ctx: Ctx, id: string): Promise<ResourceContent> {
  authorize(ctx.actor, ['view_content']);
  const self = selfOf(ctx);
  return transact(ctx, async (tx) => {
    await requireLockedPublished(tx, id);
    const row = await tx.db
      .updateTable('resources')
      .set(({ eb }) => ({ download_count: eb('download_count', '+', 1) }))
      .where('id', '=', id)
      .returning(resourceColumns)
      .executeTakeFirstOrThrow();
    const at = new Date(tx.now().epochMilliseconds);
    await tx.db
      .insertInto('resource_gets')
      .values({ person_id: self, resource_id: id, first_at: at, last_at: at })
      .onConflict((conflict) =>
        conflict
          .columns(['person_id', 'resource_id'])
          .doUpdateSet(({ eb }) => ({ last_at: at, times: eb('resource_gets.times', '+', 1) })),
      )
      .execute();
    await notifySelf(tx, self, id);
    return contentOf(tx, row);
  });
}

/** Adds or removes a favorite. Only published resources can be added. */
export async function setFavourite(
  ctx: Ctx,
  id: string,
  favourite: boolean,
): Promise<{ favourite: boolean }> {
  authorize(ctx.actor, ['view_content']);
  const self = selfOf(ctx);
  return transact(ctx, async (tx) => {
    if (favourite) {
      await requireLockedPublished(tx, id);
      await tx.db
        .insertInto('resource_favourites')
        .values({ person_id: self, resource_id: id, created_at: new Date(tx.now().epochMilliseconds) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    } else {
      await tx.db
        .deleteFrom('resource_favourites')
        .where('person_id', '=', self)
        .where('resource_id', '=', id)
        .execute();
    }
    await notifySelf(tx, self, id);
    return { favourite };
  });
}

/** Rates a resource from 1 to 5, replacing an earlier rating. Requires "Get" first; authors can't rate their own. */
export async function rateResource(ctx: Ctx, id: string, rating: number): Promise<ResourceDetail> {
  authorize(ctx.actor, ['view_content']);
  const self = selfOf(ctx);
  return transact(ctx, async (tx) => {
    const row = await requireLockedPublished(tx, id);
    if (row.created_by === self) throw new AppError('forbidden', 'own_resource');
    await tx.db
      .selectFrom('resource_gets')
      .select('times')
      .where('person_id', '=', self)
      .where('resource_id', '=', id)
      .executeTakeFirstOrThrow(() => new AppError('precondition', 'not_got'));
    await deleteRating(tx, self, id);
    await tx.db
      .insertInto('resource_ratings')
      .values({
        person_id: self,
        resource_id: id,
        rating,
        rated_at: new Date(tx.now().epochMilliseconds),
      })
      .execute();
    await tx.db
      .updateTable('resources')
      .set(({ eb }) => ({
        rating_sum: eb('rating_sum', '+', rating),
        rating_count: eb('rating_count', '+', 1),
      }))
      .where('id', '=', id)
      .execute();
    return requirePublished(tx, id);
  });
}

/** Deletes a person's rating and subtracts it from the totals. Callers must hold the resource's row lock. */
export async function deleteRating(tx: TxCtx, personId: string, id: string): Promise<void> {
  const before = await tx.db
    .deleteFrom('resource_ratings')
    .where('person_id', '=', personId)
    .where('resource_id', '=', id)
    .returning('rating')
    .executeTakeFirst();
  if (!before) return;
  await tx.db
    .updateTable('resources')
    .set(({ eb }) => ({
      rating_sum: eb('rating_sum', '-', before.rating),
      rating_count: eb('rating_count', '-', 1),
    }))
    .where('id', '=', id)
    .execute();
}

async function notifySelf(tx: TxCtx, self: string, id: string): Promise<void> {
  await publish(tx, [`person:${self}`], { type: 'resources.changed', id });
}
