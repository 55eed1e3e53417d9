import { Readable } from 'node:stream';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { isUuid } from '#/kernel/ids.ts';
import { newId } from '../clock.ts';
import type { Ctx, TxCtx } from '../context.ts';
import { containsPattern } from '../db/like.ts';
import { transact } from '../db/transact.ts';
import { createBucket, getBucket, lockBucket, listBuckets, removeBucket, updateBucket } from './buckets.ts';
import { check } from './bytes.ts';
import type { Disk } from './disk.ts';
import { UnreadableBytes, type Bucket, type Bytes, type Files, type StoredFile } from './files.ts';
import { openLinkOf, signedPath } from './links.ts';
import { nameOf } from './names.ts';
import { openObjects, type Objects, type WrittenObject } from './objects.ts';
import { deleteRemoved, emptyBucket, remove } from './removal.ts';
import { newFileKey, opened, sealed, sealedFileKey, sealedRange } from './seal.ts';
import type { FilesTable } from './tables.ts';

export function openFiles({ disk, secret }: { disk: Disk; secret: string }): Files {
  const objects = openObjects(disk);
  return {
    upload: (ctx, file, along) => upload(objects, ctx, file, along),
    update: (ctx, id, body, along) => update(objects, ctx, id, body, along),
    move: (ctx, id, to) => move(ctx, id, to),
    copy: (ctx, id, to, along) => copy(objects, ctx, id, to, along),
    info: async (ctx, id) => fileOf(await rowOf(ctx, id)),
    list,
    read: (ctx, id, range) => read(objects, ctx, id, range),
    link: ({ actor, now }, file, seconds) => {
      if (actor.kind !== 'person') throw new AppError('unauthenticated', 'sign_in_required');
      const made = now();
      return signedPath(secret, file, { personId: actor.id, made, until: made.add({ seconds }) });
    },
    openLinkOf: (ctx, id, query) => openLinkOf(secret, id, query, ctx.now()),
    remove,
    buckets: {
      list: listBuckets,
      get: getBucket,
      create: createBucket,
      update: updateBucket,
      empty: emptyBucket,
      remove: removeBucket,
    },
    deleteRemoved: (ctx) => deleteRemoved(objects, ctx),
    sweep: async (ctx) => {
      await objects.sweep(ctx);
      await deleteRemoved(objects, ctx);
    },
    ready: throttled(() => canWrite(disk)),
  };
}

type OnStored = ((tx: TxCtx, file: StoredFile) => Promise<void>) | undefined;

async function upload(
  objects: Objects,
  ctx: Ctx,
  file: { bucket: string; ownerId: string | null; name: string; body: Bytes },
  along: OnStored,
): Promise<StoredFile> {
  const name = nameOf(file.name);
  const bucket = await getBucket(ctx, file.bucket);
  const { contentType, chunks, size } = await check(file.body, bucket);
  const storedBytes = await writeObject(objects, ctx, bucket, chunks);
  return storeRow(objects, ctx, storedBytes, async (tx) => {
    const row = {
      bucket: bucket.id,
      owner_id: file.ownerId,
      name,
      content_type: contentType,
      size: size(),
    };
    return insertRow(tx, row, storedBytes, along);
  });
}

type StoredObject = WrittenObject & { key: Buffer | null };

async function writeObject(
  objects: Objects,
  ctx: Ctx,
  bucket: Bucket,
  chunks: AsyncIterable<Uint8Array>,
): Promise<StoredObject> {
  const key = bucket.sealed ? newFileKey() : null;
  return { ...(await objects.write(ctx, key ? sealed(key, chunks) : chunks)), key };
}

async function copy(
  objects: Objects,
  ctx: Ctx,
  id: string,
  to: { bucket?: string; name?: string; ownerId?: string | null },
  along: OnStored,
): Promise<StoredFile> {
  const from = await rowOf(ctx, id);
  const bucket = await getBucket(ctx, to.bucket ?? from.bucket);
  requireAllowed(from, bucket);
  const key = keyOf(ctx, from);
  const name = nameOf(to.name ?? from.name);
  const written = await objects.copy(ctx, from.object).catch(async (error: unknown) => {
    // Retries if the file was replaced meanwhile.
    if ((await rowOf(ctx, id)).object !== from.object) return null;
    throw new UnreadableBytes(`file ${id} can’t be copied`, { cause: error });
  });
  if (!written) return copy(objects, ctx, id, to, along);
  const owner = to.ownerId === undefined ? from.owner_id : to.ownerId;
  const { content_type, size } = from;
  return storeRow(objects, ctx, written, (tx) =>
    insertRow(
      tx,
      { bucket: bucket.id, owner_id: owner, name, content_type, size },
      { ...written, key },
      along,
    ),
  );
}

async function insertRow(
  tx: TxCtx,
  row: Pick<FilesTable, 'bucket' | 'owner_id' | 'name' | 'content_type' | 'size'>,
  { object, key }: StoredObject,
  along: OnStored,
): Promise<StoredFile> {
  await lockBucket(tx, row.bucket);
  const at = new Date(tx.now().epochMilliseconds);
  const id = tx.newId();
  const stored = await tx.db
    .insertInto('files')
    .values({ id, ...row, object, sealed_key: sealedKey(tx, id, key), created_at: at, updated_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
  const file = fileOf(stored);
  await along?.(tx, file);
  return file;
}

/**
 * Writes the row for new bytes. Deletes the bytes if the row certainly failed. If the outcome is unknown (broken
 * connection, the caller's transaction), leaves the mark for the sweep.
 */
async function storeRow(
  objects: Objects,
  ctx: Ctx,
  written: WrittenObject,
  write: (tx: TxCtx) => Promise<StoredFile>,
): Promise<StoredFile> {
  if (ctx.db.isTransaction) return transact(ctx, write);
  let decided = false;
  try {
    const file = await transact(ctx, async (tx) => {
      decided = false;
      const row = await write(tx);
      decided = true;
      return row;
    });
    await objects.keep(written).catch(() => undefined);
    return file;
  } catch (error) {
    if (!decided) await objects.discard(written).catch(() => undefined);
    throw error;
  }
}

async function update(
  objects: Objects,
  ctx: Ctx,
  id: string,
  body: Bytes,
  along: OnStored,
): Promise<StoredFile> {
  const from = await rowOf(ctx, id);
  const bucket = await getBucket(ctx, from.bucket);
  const { contentType, chunks, size } = await check(body, bucket);
  const storedBytes = await writeObject(objects, ctx, bucket, chunks);
  return storeRow(objects, ctx, storedBytes, async (tx) => {
    const sealed_key = sealedKey(tx, id, storedBytes.key);
    const row = { content_type: contentType, size: size(), object: storedBytes.object, sealed_key };
    const file = await change(tx, id, row);
    await along?.(tx, file);
    return file;
  });
}

async function move(ctx: Ctx, id: string, to: { bucket?: string; name?: string }): Promise<StoredFile> {
  return transact(ctx, async (tx) => {
    const from = await rowOf(tx, id);
    const bucket = to.bucket ?? from.bucket;
    if (bucket !== from.bucket) {
      await lockBucket(tx, bucket);
      requireAllowed(from, await getBucket(tx, bucket));
    }
    return change(tx, id, { bucket, name: nameOf(to.name ?? from.name) });
  });
}

async function change(tx: TxCtx, id: string, columns: Partial<FilesTable>): Promise<StoredFile> {
  const row = await tx.db
    .updateTable('files')
    .set({ ...columns, updated_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (columns.object) await tx.emit(tx, 'files.removed', { reason: 'replaced' });
  return fileOf(row ?? noFile());
}

async function read(
  objects: Objects,
  ctx: Ctx,
  id: string,
  range: { start: number; end: number } | undefined,
): Promise<ReadableStream<Uint8Array>> {
  // The content may be replaced between both reads.
  let seen = '';
  for (;;) {
    const row = await rowOf(ctx, id);
    const { object, size } = row;
    if (object === seen) throw new UnreadableBytes(`the bytes of file ${id} are missing`);
    const key = keyOf(ctx, row);
    const part = range ?? { start: 0, end: size - 1 };
    const bytes = await objects.read(object, key ? sealedRange(part) : range).catch((cause: unknown) => {
      throw new UnreadableBytes(`the bytes of file ${id} can’t be read`, { cause });
    });
    const plain = bytes && key ? Readable.from(opened(key, bytes, { size, range: part })) : bytes;
    if (plain) return Readable.toWeb(plain) as ReadableStream<Uint8Array>;
    seen = object;
  }
}

async function list(
  { db }: Ctx,
  bucket: string,
  { ownerId, search, limit = 100, offset = 0 }: Parameters<Files['list']>[2] = {},
): Promise<StoredFile[]> {
  // PostgreSQL text can't contain NUL.
  if (search?.includes('\0')) return [];
  const rows = await db
    .selectFrom('files')
    .selectAll()
    .where('bucket', '=', bucket)
    .$if(ownerId !== undefined, (query) => query.where('owner_id', '=', ownerId!))
    .$if(Boolean(search), (query) => query.where('name', 'ilike', containsPattern(search!)))
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(fileOf);
}

/** Caches the disk check, in milliseconds. */
const probedMs = 5_000;

function throttled(ask: () => Promise<boolean>): () => Promise<boolean> {
  let answer: Promise<boolean> | null = null;
  let until = Infinity;
  return () => {
    if (!answer || performance.now() >= until) {
      until = Infinity;
      answer = ask().finally(() => (until = performance.now() + probedMs));
    }
    return answer;
  };
}

async function canWrite(disk: Disk): Promise<boolean> {
  // Unique per process, so parallel probes don't delete each other's file.
  const probe = `probe/${newId()}`;
  try {
    await disk.put(probe, Readable.from([Buffer.from('ready')]));
    const stream = await disk.read(probe);
    const bytes = stream ? await stream.toArray() : [];
    await disk.delete(probe);
    return Buffer.concat(bytes as Buffer[]).toString() === 'ready';
  } catch {
    return false;
  }
}

async function rowOf({ db }: Ctx, id: string): Promise<FilesTable> {
  if (!isUuid(id)) noFile();
  const row = await db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? noFile();
}

function noFile(): never {
  throw new AppError('not_found', 'file');
}

function requireAllowed({ content_type, size, sealed_key }: FilesTable, bucket: Bucket): void {
  const { contentTypes, maxBytes } = bucket;
  if (bucket.sealed !== (sealed_key !== null)) throw new AppError('conflict', 'bucket_sealed');
  if (!contentTypes.includes(content_type)) throw invalidField('file', 'file_type');
  if (size > maxBytes) throw invalidField('file', 'file_too_large');
}

function sealedKey({ keyring }: Ctx, id: string, key: Buffer | null): string | null {
  return key && sealedFileKey.seal(keyring, id, key.toString('base64url'));
}

function keyOf({ keyring }: Ctx, { id, sealed_key }: FilesTable): Buffer | null {
  const key = sealedFileKey.openIfAny(keyring, id, sealed_key);
  return key === null ? null : Buffer.from(key, 'base64url');
}

function fileOf(row: FilesTable): StoredFile {
  return {
    id: row.id,
    bucket: row.bucket,
    ownerId: row.owner_id,
    name: row.name,
    contentType: row.content_type,
    size: row.size,
    version: row.object,
    createdAt: row.created_at.toTemporalInstant(),
    updatedAt: row.updated_at.toTemporalInstant(),
  };
}
