import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { StoredFile } from '#/platform/files/files.ts';
import { documents } from './rules.ts';

/** The caller's id. Throws `unauthenticated`. */
export function requireOwner({ actor }: Ctx): string {
  if (actor.kind !== 'person') throw new AppError('unauthenticated', 'sign_in_required');
  return actor.id;
}

/** Returns the caller's own file. Throws `not_found` (`file`) for any other. */
export async function requireOwnFile(ctx: Ctx, fileId: string): Promise<StoredFile> {
  const personId = requireOwner(ctx);
  const file = await ctx.files.info(ctx, fileId);
  if (file.ownerId !== personId) throw new AppError('not_found', 'file');
  return file;
}

/** Returns the caller's own document. Throws conflict `not_a_document` for files that belong to other features. */
export async function requireOwnDocument(ctx: Ctx, fileId: string): Promise<StoredFile> {
  const file = await requireOwnFile(ctx, fileId);
  if (file.bucket !== documents) throw new AppError('conflict', 'not_a_document');
  return file;
}
