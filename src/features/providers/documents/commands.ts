import { AppError } from '#/kernel/errors.ts';
import { authorize, selfOf, type Self } from '#/features/access/rules.ts';
import { recordDone, recordView } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { Bytes } from '#/platform/files/files.ts';
import { cleaned } from '#/platform/files/image.ts';
import { nameWithExtension, nameOf } from '#/platform/files/names.ts';
import { answerFile } from '#/platform/files/serve.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { refusalOfIssues } from '#/platform/http/validation.ts';
import { documentQuery, type ApplicationDocument } from './contract.ts';
import { maxDocuments, unsentHours } from './rules.ts';
import { requireOwnUnsent, requireReadableDocument } from './policies.ts';
import { documentView, sealedDocumentName, unsentDocuments } from './queries.ts';

const bucket = 'applications';
const perMinute = 20;

/**
 * Stores a document for the actor's next application. Throws conflict `documents_full`, rate_limited `too_many_files`,
 * or invalid for `name` or `file`.
 */
export async function uploadDocument(
  ctx: Ctx,
  { query, body }: { query: URLSearchParams; body: Bytes },
): Promise<ApplicationDocument> {
  authorize(ctx.actor, 'signed_in');
  const self = selfOf(ctx);
  const name = nameOf(nameIn(query));
  if (!(await countAttempt(ctx.db, `documents:${self}`, perMinute, 60, ctx.now())))
    throw new AppError('rate_limited', 'too_many_files');
  await requireRoom(ctx, self);
  const { contentType, body: bytes } = await cleaned(
    { ownerId: self, body },
    await ctx.files.buckets.get(ctx, bucket),
  );
  // The real name is encrypted in `application_documents`; ownership comes from the application.
  const kept = { bucket, ownerId: null, name: 'document', body: bytes };
  const { id } = await ctx.files.upload(ctx, kept, async (tx, file) => {
    await lockPerson(tx, self);
    await requireRoom(tx, self);
    await tx.db
      .insertInto('application_documents')
      .values({
        id: file.id,
        person_id: self,
        application_id: null,
        name: sealedDocumentName.seal(tx.keyring, file.id, nameWithExtension(name, contentType)),
        uploaded_at: new Date(tx.now().epochMilliseconds),
      })
      .execute();
    await recordDone(tx, {
      action: 'provider.document_uploaded',
      subject: { kind: 'document', id: file.id },
    });
  });
  return (await unsentDocuments(ctx)).find((one) => one.id === id)!;
}

function nameIn(query: URLSearchParams): string {
  const asked = Object.fromEntries(query);
  const parsed = documentQuery.safeParse(asked);
  if (!parsed.success) throw refusalOfIssues(parsed.error.issues, asked);
  return parsed.data.name;
}

/** Checked before reading the upload, and again under a lock afterwards. */
async function requireRoom({ db }: Ctx, self: Self): Promise<void> {
  const { waiting } = await db
    .selectFrom('application_documents')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('person_id', '=', self)
    .where('application_id', 'is', null)
    .executeTakeFirstOrThrow();
  if (waiting >= maxDocuments) throw new AppError('conflict', 'documents_full');
}

/** Runs uploads and submissions in turn. */
export async function lockPerson({ db }: TxCtx, self: Self): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', self).forNoKeyUpdate().execute();
}

/** Deletes the actor's own unsubmitted document. */
export async function removeDocument(ctx: Ctx, documentId: string): Promise<{ id: string }> {
  authorize(ctx.actor, 'signed_in');
  const self = selfOf(ctx);
  return transact(ctx, async (tx) => {
    const { id } = await requireOwnUnsent(tx, self, documentId);
    await tx.db.deleteFrom('application_documents').where('id', '=', id).execute();
    await tx.emit(tx, 'files.removed', { reason: 'removed' });
    await recordDone(tx, { action: 'provider.document_removed', subject: { kind: 'document', id } });
    return { id };
  });
}

/** Deletes unsubmitted documents after a day. Runs hourly. */
export async function deleteUnsentDocuments(ctx: Ctx): Promise<void> {
  const dayAgo = new Date(ctx.now().subtract({ hours: unsentHours }).epochMilliseconds);
  await transact(ctx, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('application_documents')
      .where('application_id', 'is', null)
      .where('uploaded_at', '<', dayAgo)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await tx.emit(tx, 'files.removed', { reason: 'removed' });
  });
}

/**
 * Serves a document (GET or HEAD) to its owner and to administrators, whose views are audited; 404 for everyone else.
 * `no-store`, since computers may be shared.
 */
export async function answerDocument(ctx: Ctx, request: Request, id: string): Promise<Response> {
  const row = await requireReadableDocument(ctx, id);
  if (!row.isOwn) {
    await recordView(ctx, {
      action: 'provider.document_viewed',
      subject: { kind: 'document', id },
      details: { applicationId: row.application_id },
    });
  }
  const { name, contentType } = documentView(ctx, row);
  const file = await ctx.files.info(ctx, id);
  return answerFile(ctx, request, { ...file, name, contentType }, { 'cache-control': 'private, no-store' });
}
