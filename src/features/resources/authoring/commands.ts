import { AppError, invalidField } from '#/kernel/errors.ts';
import { authorize, topicsOf, selfOf } from '#/features/access/rules.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { changedParts } from '#/features/audit/rules.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { reencodeImage } from '#/platform/files/image.ts';
import { clearPageCache, publish } from '#/platform/realtime/publish.ts';
import type { AuthoredResource, DraftInput, ResourceStatus } from '../library/contract.ts';
import { requireOwnFor } from '../library/policies.ts';
import { attachedFile, coverName } from '../library/queries.ts';
import { fileMismatch, submissionProblems } from '../library/rules.ts';
import { removeWords, addWords } from '../search/commands.ts';
import { resourceColumns, type Resource } from '../library/tables.ts';
import { authoredOf } from './queries.ts';

/** Stored cover size in pixels. */
const coverShape = { width: 800, height: 450 };

/** Saves a new draft, once per id, or an edit to an existing one. Throws conflict `changed_meanwhile` for an outdated version. */
export async function saveDraft(ctx: Ctx, input: DraftInput): Promise<AuthoredResource> {
  authorize(ctx.actor, ['create_content']);
  const self = selfOf(ctx);
  const { resourceId, version, durationMinutes, url, ...words } = input;
  const values = { ...words, duration_minutes: durationMinutes ?? null, url: url ?? null };
  return transact(ctx, async (tx) => {
    const at = new Date(tx.now().epochMilliseconds);
    const id = resourceId ?? tx.newId();
    const created =
      (resourceId === undefined || version === undefined) &&
      (await tx.db
        .insertInto('resources')
        .values({ ...values, id, created_by: self, created_at: at, updated_at: at })
        .onConflict((found) => found.column('id').doNothing())
        .returning(resourceColumns)
        .executeTakeFirst());
    if (created) {
      await logAction(tx, created, 'created');
      return authoredOf(tx, created);
    }
    const before = await requireOwnFor(tx, 'edit', id);
    if (before.version !== (version ?? 1)) throw new AppError('conflict', 'changed_meanwhile');
    const row = await change(tx, before, { ...values, version: before.version + 1 });
    await logAction(tx, row, 'saved', { changed: changedParts(before, values) });
    return authoredOf(tx, row);
  });
}

/** Submits a draft. Throws `invalid` with missing fields. */
export async function submitResource(ctx: Ctx, id: string): Promise<AuthoredResource> {
  authorize(ctx.actor, ['create_content']);
  return transact(ctx, async (tx) => {
    const before = await requireOwnFor(tx, 'submit', id);
    requireWhole(before);
    const row = await change(tx, before, {
      status: 'submitted',
      reject_reason: null,
      submitted_at: new Date(tx.now().epochMilliseconds),
    });
    await logAction(tx, row, 'submitted');
    return authoredOf(tx, row);
  });
}

/** Publishes the moderator's own draft without review. */
export async function publishOwn(ctx: Ctx, id: string): Promise<AuthoredResource> {
  authorize(ctx.actor, ['moderate_content']);
  return transact(ctx, async (tx) => {
    const before = await requireOwnFor(tx, 'publish', id);
    requireWhole(before);
    const row = await makePublic(tx, before);
    await logAction(tx, row, 'published');
    return authoredOf(tx, row);
  });
}

/** Turns a resource back into a draft. */
export async function withdrawResource(ctx: Ctx, id: string): Promise<AuthoredResource> {
  authorize(ctx.actor, ['create_content']);
  return transact(ctx, async (tx) => {
    const before = await requireOwnFor(tx, 'withdraw', id);
    const row = await makePrivate(tx, before, 'draft', null);
    await logAction(tx, row, 'withdrawn');
    return authoredOf(tx, row);
  });
}

/** Deletes resource and files; published ones require `confirmed`. */
export async function removeResource(ctx: Ctx, id: string, confirmed: boolean): Promise<{ removed: true }> {
  authorize(ctx.actor, ['create_content']);
  return transact(ctx, async (tx) => {
    const row = await requireOwnFor(tx, 'remove', id);
    if (row.status === 'published' && !confirmed) throw new AppError('precondition', 'confirm_removal');
    await removeRow(tx, row);
    await logAction(tx, row, 'removed');
    return { removed: true };
  });
}

export async function attachFile(
  ctx: Ctx,
  { resourceId, name, body }: { resourceId: string; name: string; body: ReadableStream<Uint8Array> },
): Promise<AuthoredResource> {
  authorize(ctx.actor, ['create_content']);
  await transact(ctx, (tx) => requireOwnFor(tx, 'edit', resourceId));
  return stored((along) =>
    ctx.files.upload(ctx, { bucket: 'resources', ownerId: null, name, body }, async (tx, file) => {
      const before = await requireOwnFor(tx, 'edit', resourceId);
      const reason = fileMismatch(before.type, file.contentType);
      if (reason) throw invalidField('file', reason);
      const row = await change(tx, before, {
        file_id: file.id,
        file_name: file.name,
        file_type: file.contentType,
        file_size: file.size,
        form: 'file',
        version: before.version + 1,
      });
      if (before.file_id) await tx.files.remove(tx, [before.file_id]);
      await along(tx, row);
    }),
  );
}

/** Stores a draft's cover, cropped and re-encoded to strip metadata and hidden content. */
export async function attachCover(
  ctx: Ctx,
  { resourceId, body }: { resourceId: string; body: ReadableStream<Uint8Array> },
): Promise<AuthoredResource> {
  authorize(ctx.actor, ['create_content']);
  await transact(ctx, (tx) => requireOwnFor(tx, 'edit', resourceId));
  const picture = await reencodeImage({ ownerId: selfOf(ctx), body }, coverShape);
  const file = { bucket: 'photos', ownerId: null, name: coverName, body: picture };
  return stored((along) =>
    ctx.files.upload(ctx, file, async (tx, { id }) => {
      const before = await requireOwnFor(tx, 'edit', resourceId);
      const row = await change(tx, before, { cover_id: id, version: before.version + 1 });
      if (before.cover_id) await tx.files.remove(tx, [before.cover_id]);
      await along(tx, row);
    }),
  );
}

async function stored(
  upload: (along: (tx: TxCtx, row: Resource) => Promise<void>) => Promise<unknown>,
): Promise<AuthoredResource> {
  let changed: AuthoredResource | undefined;
  await upload(async (tx, row) => {
    await logAction(tx, row, 'file_attached');
    changed = authoredOf(tx, row);
  });
  return changed!;
}

async function removeRow(tx: TxCtx, row: Resource): Promise<void> {
  await tx.db.deleteFrom('resources').where('id', '=', row.id).execute();
  const files = [row.file_id, row.cover_id].filter((id) => id !== null);
  if (files.length > 0) await tx.files.remove(tx, files);
  await notifyAuthor(tx, row);
  if (row.status === 'submitted') await notifyModerators(tx, row.id);
  if (row.status !== 'published') return;
  await removeWords(tx, textOf(row));
  await clearPageCache(tx);
}

/** Publishes a resource as of now. */
export async function makePublic(tx: TxCtx, before: Resource): Promise<Resource> {
  const row = await change(tx, before, {
    status: 'published',
    reject_reason: null,
    published_at: new Date(tx.now().epochMilliseconds),
  });
  await addWords(tx, textOf(row));
  await clearPageCache(tx);
  return row;
}

/** Returns a resource to its author, unpublished. */
export async function makePrivate(
  tx: TxCtx,
  before: Resource,
  status: Exclude<ResourceStatus, 'published'>,
  reason: string | null,
): Promise<Resource> {
  const row = await change(tx, before, {
    status,
    reject_reason: reason,
    featured: false,
    submitted_at: null,
    published_at: null,
  });
  if (before.status === 'published') {
    await removeWords(tx, textOf(row));
    await clearPageCache(tx);
  }
  return row;
}

/** Text indexed for search while published. */
function textOf({
  title,
  author,
  description,
  body,
}: Pick<Resource, 'title' | 'author' | 'description' | 'body'>): string {
  return `${title}\n${author}\n${description}\n${body}`;
}

async function change(tx: TxCtx, { id, status }: Resource, values: Partial<Resource>): Promise<Resource> {
  const row = await tx.db
    .updateTable('resources')
    .set({ ...values, updated_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', id)
    .returning(resourceColumns)
    .executeTakeFirstOrThrow();
  await notifyAuthor(tx, row);
  if (status === 'submitted' || row.status === 'submitted') await notifyModerators(tx, id);
  return row;
}

async function notifyAuthor(tx: TxCtx, { id, created_by }: Resource): Promise<void> {
  if (created_by) await publish(tx, [`person:${created_by}`], { type: 'resources.changed', id });
}

/** Their list of submitted resources changed. */
async function notifyModerators(tx: TxCtx, id: string): Promise<void> {
  await publish(tx, topicsOf('moderate_content'), { type: 'resources.waiting', id });
}

function requireWhole(row: Resource): void {
  const fields = submissionProblems({ ...row, file: attachedFile(row) });
  if (fields.length > 0) throw new AppError('invalid', 'fields', { fields });
}

async function logAction(
  tx: TxCtx,
  { id }: Resource,
  what: ActionAfter<'resource.'>,
  details: Record<string, string> = {},
): Promise<void> {
  await recordDone(tx, { action: `resource.${what}`, subject: { kind: 'resource', id }, details });
}

/** Detaches an author from their resources: deletes unpublished ones, and credits published ones to the site. */
export async function detachAuthor(tx: TxCtx, authorId: string): Promise<void> {
  const authored = await tx.db
    .selectFrom('resources')
    .select(resourceColumns)
    .where('created_by', '=', authorId)
    .orderBy('id')
    .forUpdate()
    .execute();
  const { site_name: author } = await siteSettings(tx);
  if (authored.some(({ status }) => status === 'published')) await clearPageCache(tx);
  for (const row of authored) {
    if (row.status !== 'published') {
      await removeRow(tx, row);
      continue;
    }
    await removeWords(tx, textOf(row));
    await tx.db
      .updateTable('resources')
      .set({ created_by: null, author, updated_at: new Date(tx.now().epochMilliseconds) })
      .where('id', '=', row.id)
      .execute();
    await addWords(tx, textOf({ ...row, author }));
  }
}
