import { AppError } from '#/kernel/errors.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { StoredFile } from '#/platform/files/files.ts';
import type { FileView } from './contract.ts';
import { requireOwnDocument, requireOwner } from './policies.ts';
import { fileView } from './queries.ts';
import { documents, documentsKept } from './rules.ts';

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
  return transact(ctx, async (tx) => {
    const { id } = await requireOwnDocument(tx, fileId);
    const file = await tx.files.move(tx, id, { name });
    if (naming.distinct) {
      await lockDocuments(tx, file.ownerId!);
      await requireDistinctName(tx, file);
    }
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
  await transact(ctx, async (tx) => {
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

async function lockDocuments({ db }: TxCtx, ownerId: string): Promise<void> {
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
