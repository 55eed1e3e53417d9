import { AppError } from '#/kernel/errors.ts';
import { isUuid } from '#/kernel/ids.ts';
import { can, type Self } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { documentRows } from './queries.ts';

/** Locks the person's own unsubmitted document. Throws `not_found` (`document`) for any other. */
export async function requireOwnUnsent(tx: TxCtx, self: Self, documentId: string): Promise<{ id: string }> {
  return tx.db
    .selectFrom('application_documents')
    .select('id')
    .where('id', '=', documentId)
    .where('person_id', '=', self)
    .where('application_id', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'document'));
}

/** Returns a document to its owner, and once submitted to administrators. Throws `not_found` (`document`) otherwise. */
export async function requireReadableDocument(ctx: Ctx, id: string) {
  const { actor } = ctx;
  const row = isUuid(id)
    ? await documentRows(ctx).where('application_documents.id', '=', id).executeTakeFirst()
    : undefined;
  if (actor.kind !== 'person' || !row) throw new AppError('not_found', 'document');
  const isOwn = row.person_id === actor.id;
  if (!isOwn && (!can(actor.role, 'manage_providers') || row.application_id === null))
    throw new AppError('not_found', 'document');
  return { ...row, isOwn };
}
