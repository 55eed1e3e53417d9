import { AppError } from '#/kernel/errors.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { StoredFile } from '#/platform/files/files.ts';
import type { FileView, BucketChange, BucketInput, BucketView } from './contract.ts';
import { requireOwnDocument, requireOwner } from './policies.ts';
import { fileView, bucketView } from './queries.ts';
import { documents, documentsKept } from './rules.ts';
import { authorize } from '#/features/access/rules.ts';
import { requireFresh } from '#/features/accounts/commands.ts';
import { changesIn } from '#/features/audit/rules.ts';

/** Programs address documents by name, so theirs must be `distinct`: else conflict `name_taken`. */
interface Naming {
  distinct?: boolean;
}

/** Stores a document; throws conflict `too_many_documents` or storage errors. */
export async function storeDocument(
  ctx: Ctx,
  { name, body }: { name: string; body: ReadableStream<Uint8Array> },
  naming: Naming = {},
): Promise<FileView> {
  const ownerId = requireOwner(ctx);
  await requireRoom(ctx, ownerId);
  const file = await ctx.files.upload(ctx, { bucket: documents, ownerId, name, body }, (tx, stored) =>
    requireWithinLimit(tx, stored, 'stored', naming),
  );
  return fileView(file);
}

export async function replaceDocument(
  ctx: Ctx,
  fileId: string,
  body: ReadableStream<Uint8Array>,
): Promise<FileView> {
  const { id } = await requireOwnDocument(ctx, fileId);
  return fileView(await ctx.files.update(ctx, id, body, (tx) => record(tx, 'replaced', id)));
}

export async function renameDocument(
  ctx: Ctx,
  fileId: string,
  name: string,
  naming: Naming = {},
): Promise<FileView> {
  const ownerId = requireOwner(ctx);
  return transact(ctx, async (tx) => {
    await lockDocuments(tx, ownerId);
    const { id } = await requireOwnDocument(tx, fileId);
    const file = await tx.files.move(tx, id, { name });
    if (naming.distinct) await requireDistinctName(tx, file);
    await record(tx, 'renamed', id);
    return fileView(file);
  });
}

/** Copies a document; throws conflict `too_many_documents`. */
export async function copyDocument(
  ctx: Ctx,
  fileId: string,
  name: string | undefined,
  naming: Naming = {},
): Promise<FileView> {
  const { id, ownerId } = await requireOwnDocument(ctx, fileId);
  await requireRoom(ctx, ownerId!);
  const to = name === undefined ? {} : { name };
  return fileView(
    await ctx.files.copy(ctx, id, to, (tx, stored) => requireWithinLimit(tx, stored, 'copied', naming)),
  );
}

export async function removeDocument(ctx: Ctx, fileId: string): Promise<void> {
  const ownerId = requireOwner(ctx);
  await transact(ctx, async (tx) => {
    await lockDocuments(tx, ownerId);
    const { id } = await requireOwnDocument(tx, fileId);
    await tx.files.remove(tx, [id]);
    await record(tx, 'removed', id);
  });
}

/** A signed path that works without signing in. */
export async function linkFile(ctx: Ctx, fileId: string, seconds: number): Promise<{ path: string }> {
  const file = await requireOwnDocument(ctx, fileId);
  await transact(ctx, (tx) => record(tx, 'linked', file.id));
  return { path: ctx.files.link(ctx, file, seconds) };
}

/** Checks the limit again, under a lock. */
async function requireWithinLimit(
  tx: TxCtx,
  file: StoredFile,
  done: ActionAfter<'files.'>,
  naming: Naming,
): Promise<void> {
  await lockDocuments(tx, file.ownerId!);
  await requireRoom(tx, file.ownerId!, 0);
  if (naming.distinct) await requireDistinctName(tx, file);
  await record(tx, done, file.id);
}

export async function lockDocuments({ db }: TxCtx, ownerId: string): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', ownerId).forNoKeyUpdate().execute();
}

/** Throws conflict `name_taken`; call under the lock. */
async function requireDistinctName({ db }: TxCtx, { id, ownerId, name }: StoredFile): Promise<void> {
  const other = await db
    .selectFrom('files')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('bucket', '=', documents)
    .where('name', '=', name)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst();
  if (other) throw new AppError('conflict', 'name_taken');
}

async function requireRoom({ db }: Ctx, ownerId: string, more = 1): Promise<void> {
  const { count } = await db
    .selectFrom('files')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('bucket', '=', documents)
    .executeTakeFirstOrThrow();
  if (count + more > documentsKept) throw new AppError('conflict', 'too_many_documents');
}

async function record(tx: TxCtx, done: ActionAfter<'files.'>, id: string): Promise<void> {
  await recordDone(tx, { action: `files.${done}`, subject: { kind: 'file', id } });
}

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
