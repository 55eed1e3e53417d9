import { authorize } from '#/features/access/rules.ts';
import { requireFresh } from '#/features/accounts/commands.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { changesIn } from '#/features/audit/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { BucketChange, BucketInput, BucketView } from '../contract.ts';
import { bucketView } from '../queries.ts';

/** Creates a bucket; throws conflict `bucket_exists`. */
export async function createBucket(ctx: Ctx, bucket: BucketInput): Promise<BucketView> {
  await manage(ctx, 'created', bucket.id, (tx) => tx.files.buckets.create(tx, bucket));
  return bucket;
}

/** Changes a bucket; throws conflict `bucket_needed` for built-in ones. */
export async function updateBucket(ctx: Ctx, { bucketId, ...change }: BucketChange): Promise<BucketView> {
  const { readableBy, maxBytes, contentTypes } = change;
  return manage(ctx, 'changed', bucketId, async (tx, note) => {
    const before = bucketView(await tx.files.buckets.get(tx, bucketId));
    await tx.files.buckets.update(tx, bucketId, {
      ...(readableBy && { readableBy }),
      ...(maxBytes !== undefined && { maxBytes }),
      ...(contentTypes && { contentTypes }),
    });
    const after = bucketView(await tx.files.buckets.get(tx, bucketId));
    note(changesIn(loggedFields(before), loggedFields(after)));
    return after;
  });
}

function loggedFields({ readableBy, maxBytes, contentTypes }: BucketView) {
  return { readableBy, maxBytes, contentTypes };
}

/** Deletes a bucket's files; throws conflict `file_in_use` if referenced. */
export async function emptyBucket(ctx: Ctx, bucketId: string): Promise<void> {
  authorize(ctx.actor, ['manage_settings']);
  await requireFresh(ctx);
  await manage(ctx, 'emptied', bucketId, (tx) => tx.files.buckets.empty(tx, bucketId));
}

/** Deletes an empty bucket; throws conflict `bucket_not_empty` or `bucket_needed`. */
export async function removeBucket(ctx: Ctx, bucketId: string): Promise<void> {
  await manage(ctx, 'removed', bucketId, (tx) => tx.files.buckets.remove(tx, bucketId));
}

async function manage<T>(
  ctx: Ctx,
  done: ActionAfter<'buckets.'>,
  bucket: string,
  work: (tx: TxCtx, note: (changes: Record<string, string>) => void) => Promise<T>,
): Promise<T> {
  authorize(ctx.actor, ['manage_settings']);
  return transact(ctx, async (tx) => {
    let changes: Record<string, string> = {};
    const result = await work(tx, (noted) => (changes = noted));
    await recordDone(tx, { action: `buckets.${done}`, details: { bucket, ...changes } });
    return result;
  });
}
