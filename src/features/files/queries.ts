import type { Ctx } from '#/platform/context.ts';
import type { Bucket, StoredFile } from '#/platform/files/files.ts';
import { pathOf } from '#/platform/files/links.ts';
import type { BucketView, FileView } from './contract.ts';

export async function filesOf(
  ctx: Ctx,
  personId: string,
  { bucket, ...page }: { bucket: string; search?: string | undefined; limit: number; offset: number },
): Promise<FileView[]> {
  const { search, limit, offset } = page;
  const wanted = { ownerId: personId, limit, offset, ...(search ? { search } : {}) };
  return (await ctx.files.list(ctx, bucket, wanted)).map(fileView);
}

export function fileView(file: StoredFile): FileView {
  const { id, bucket, name, contentType, size, createdAt, updatedAt } = file;
  return {
    id,
    bucket,
    name,
    contentType,
    size,
    createdAt: createdAt.toString(),
    updatedAt: updatedAt.toString(),
    path: pathOf(file),
  };
}

export function bucketView({ id, readableBy, maxBytes, contentTypes }: Bucket): BucketView {
  return { id, readableBy, maxBytes, contentTypes: [...contentTypes] };
}
