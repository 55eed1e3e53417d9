import { AppError } from '#/kernel/errors.ts';
import { isUuid } from '#/kernel/ids.ts';
import type { Ctx } from '#/platform/context.ts';
import type { StoredFile } from '#/platform/files/files.ts';
import { nameOf } from '#/platform/files/names.ts';
import { bucketId } from '../contract.ts';
import { requireOwner, requireOwnFile } from '../policies.ts';

/** A file's location, as a program gives it. */
export interface FileLocation {
  bucket: string;
  /** The file's name, or id. */
  path: string;
}

/** Throws `not_found` (`bucket`) for an invalid bucket name. */
export function requireBucketName(bucket: string): void {
  if (!bucketId.safeParse(bucket).success) throw new AppError('not_found', 'bucket');
}

/** Throws `not_found` (`file`) unless the bucket holds the file of this id. The caller checks who may read it. */
export async function requireFileIn(ctx: Ctx, bucket: string, fileId: string): Promise<void> {
  const file = await ctx.files.info(ctx, fileId);
  if (file.bucket !== bucket) throw new AppError('not_found', 'file');
}

/** Returns the caller's file at this path. Throws invalid on field `name`, conflict `name_shared` if several have it. */
export async function ownFileAt(ctx: Ctx, { bucket, path }: FileLocation): Promise<StoredFile | null> {
  const ownerId = requireOwner(ctx);
  const name = nameOf(path);
  const found = await ctx.db
    .selectFrom('files')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('bucket', '=', bucket)
    .where((is) => is.or([is('name', '=', name), ...(isUuid(path) ? [is('id', '=', path)] : [])]))
    .limit(2)
    .execute();
  if (found.length > 1) throw new AppError('conflict', 'name_shared');
  return found[0] ? requireOwnFile(ctx, found[0].id) : null;
}

/** Throws like `ownFileAt`, and `not_found` (`file`). */
export async function requireOwnFileAt(ctx: Ctx, location: FileLocation): Promise<StoredFile> {
  const file = await ownFileAt(ctx, location);
  if (!file) throw new AppError('not_found', 'file');
  return file;
}
