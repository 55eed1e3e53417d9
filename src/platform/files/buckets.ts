import type { Selectable } from 'kysely';
import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '../context.ts';
import { sqlState } from '../db/outage.ts';
import { transact } from '../db/transact.ts';
import type { Bucket } from './files.ts';
import type { BucketsTable } from './tables.ts';

/** Built-in: can't be deleted or change visibility. */
const needed: ReadonlySet<string> = new Set([
  'photos',
  'resources',
  'documents',
  'exports',
  'attachments',
  'applications',
]);

export async function listBuckets({ db }: Ctx): Promise<Bucket[]> {
  return (await db.selectFrom('buckets').selectAll().orderBy('id').execute()).map(bucketOf);
}

/** Throws not_found `bucket`. */
export async function getBucket({ db }: Ctx, id: string): Promise<Bucket> {
  const row = await db.selectFrom('buckets').selectAll().where('id', '=', id).executeTakeFirst();
  return bucketOf(row ?? noBucket());
}

/** Creates a bucket; throws conflict `bucket_exists`, or invalid `not_an_option` if a check constraint fails. */
export async function createBucket({ db }: Ctx, bucket: Omit<Bucket, 'sealed'>): Promise<void> {
  const made = await refuseUnknownOption(
    db
      .insertInto('buckets')
      .values({ id: bucket.id, ...columnsOf(bucket) } as BucketsTable & { sealed: undefined })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst(),
  );
  if (!made) throw new AppError('conflict', 'bucket_exists');
}

export async function updateBucket(
  ctx: Ctx,
  id: string,
  change: Partial<Omit<Bucket, 'id' | 'sealed'>>,
): Promise<void> {
  if (change.readableBy && needed.has(id)) {
    const { readableBy } = await getBucket(ctx, id);
    if (readableBy !== change.readableBy) throw new AppError('conflict', 'bucket_needed');
  }
  const columns = columnsOf(change);
  if (Object.keys(columns).length === 0) return;
  const { numUpdatedRows } = await refuseUnknownOption(
    ctx.db.updateTable('buckets').set(columns).where('id', '=', id).executeTakeFirst(),
  );
  if (numUpdatedRows === 0n) noBucket();
}

/** Deletes an empty bucket; throws conflict `bucket_not_empty`, or `bucket_needed` for built-in ones. */
export async function removeBucket(ctx: Ctx, id: string): Promise<void> {
  await transact(ctx, async ({ db }) => {
    const row = await db
      .selectFrom('buckets')
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) noBucket();
    if (needed.has(id)) throw new AppError('conflict', 'bucket_needed');
    const file = await db
      .selectFrom('files')
      .select('id')
      .where('bucket', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (file) throw new AppError('conflict', 'bucket_not_empty');
    await db.deleteFrom('buckets').where('id', '=', id).execute();
  });
}

/** Locks a bucket against deletion for the rest of the transaction; throws not_found `bucket`. */
export async function lockBucket({ db }: TxCtx, id: string): Promise<void> {
  const row = await db
    .selectFrom('buckets')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  if (!row) noBucket();
}

function bucketOf(row: Selectable<BucketsTable>): Bucket {
  return {
    id: row.id,
    readableBy: row.readable_by,
    maxBytes: row.max_bytes,
    contentTypes: row.content_types,
    sealed: row.sealed,
  };
}

function columnsOf(change: Partial<Omit<Bucket, 'sealed'>>): Partial<Omit<BucketsTable, 'id' | 'sealed'>> {
  return {
    ...(change.readableBy && { readable_by: change.readableBy }),
    ...(change.maxBytes !== undefined && { max_bytes: change.maxBytes }),
    ...(change.contentTypes && { content_types: [...change.contentTypes] }),
  };
}

async function refuseUnknownOption<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (sqlState(error) === '23514') throw invalidField('bucket', 'not_an_option');
    throw error;
  }
}

function noBucket(): never {
  throw new AppError('not_found', 'bucket');
}
