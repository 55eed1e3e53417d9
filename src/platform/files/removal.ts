import { sql } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '../context.ts';
import { sqlState } from '../db/outage.ts';
import { transact } from '../db/transact.ts';
import { reaction, type Reaction } from '../jobs/reactions.ts';
import { getBucket } from './buckets.ts';
import { isBackupRunning } from './backup-lock.ts';
import type { Objects } from './objects.ts';

declare module '../context.ts' {
  interface Events {
    'files.removed': { reason: 'removed' | 'replaced' };
  }
}

export function fileRemoval(): Reaction {
  return reaction({
    event: 'files.removed',
    name: 'files.delete-bytes',
    handle: (ctx) => ctx.files.deleteRemoved(ctx),
  });
}

/** Deletes file rows. A database trigger records their bytes for deletion after commit. */
export async function remove(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transact(ctx, async (tx) => {
    await refuseInUse(
      tx.db
        .deleteFrom('files')
        .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
        .execute(),
    );
    await tx.emit(tx, 'files.removed', { reason: 'removed' });
  });
}

export async function emptyBucket(ctx: Ctx, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await getBucket(tx, id);
    await refuseInUse(tx.db.deleteFrom('files').where('bucket', '=', id).execute());
    await tx.emit(tx, 'files.removed', { reason: 'removed' });
  });
}

async function refuseInUse<T>(removal: Promise<T>): Promise<T> {
  try {
    return await removal;
  } catch (error) {
    if (sqlState(error) === '23503') throw new AppError('conflict', 'file_in_use');
    throw error;
  }
}

/**
 * Deletes bytes without a row, continuing past failures, which stay recorded. While a backup holds the lock, leaves
 * everything for the next sweep.
 */
export async function deleteRemoved(objects: Objects, { db }: Ctx): Promise<void> {
  const failed: unknown[] = [];
  for (let after = '00000000-0000-0000-0000-000000000000', more = true; more;) {
    const found = await db
      .selectFrom('file_leftovers')
      .select('object')
      .where('object', '>', after)
      .orderBy('object')
      .limit(100)
      .execute();
    if (found.length > 0 && (await isBackupRunning({ db }))) return;
    const ends = await Promise.allSettled(found.map(({ object }) => objects.delete(object)));
    const erased = found
      .filter((_, index) => ends[index]!.status === 'fulfilled')
      .map(({ object }) => object);
    if (erased.length > 0) await db.deleteFrom('file_leftovers').where('object', 'in', erased).execute();
    failed.push(...ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : [])));
    after = found.at(-1)?.object ?? after;
    more = found.length === 100;
  }
  if (failed.length > 0) throw new AggregateError(failed, 'removed files could not be deleted from storage');
}
