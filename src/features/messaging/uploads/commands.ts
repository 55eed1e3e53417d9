import { sql } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import { authorize, type Self } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { Bytes } from '#/platform/files/files.ts';
import { cleaned } from '#/platform/files/image.ts';
import { nameWithExtension, hasExtensionOf, nameOf } from '#/platform/files/names.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { refusalOfIssues } from '#/platform/http/validation.ts';
import { requireMessaging } from '../membership/policies.ts';
import { requireConversation } from '../policies.ts';
import { attachmentQuery, type Attachment } from '../attachments/contract.ts';
import { attachmentView, sealedName } from '../attachments/queries.ts';
import { maxUnsent, unsentHours } from '../rules.ts';

const bucket = 'attachments';
const text = 'text/plain';
/** Files per person; window in seconds. The day's keeps anyone from filling the disk. */
const limits = { minute: { max: 30, seconds: 60 }, day: { max: 300, seconds: 86_400 } };

/**
 * Stores a file for a later message. Throws not_found `conversation`, precondition `conversation_closed`, rate_limited
 * `too_many_files`, conflict `too_much_unsent`, or invalid for a bad `name` or `file`.
 */
export async function uploadAttachment(
  ctx: Ctx,
  { query, body }: { query: URLSearchParams; body: Bytes },
): Promise<Attachment> {
  authorize(ctx.actor, ['send_messages']);
  const self = await requireMessaging(ctx);
  const { conversationId, ...asked } = queryOf(query);
  const { closed } = await requireConversation(ctx, self, conversationId);
  if (closed) throw new AppError('precondition', 'conversation_closed', { data: { closed } });
  const name = nameOf(asked.name);
  for (const [span, { max, seconds }] of Object.entries(limits)) {
    if (!(await countAttempt(ctx.db, `attachments-${span}:${self}`, max, seconds, ctx.now())))
      throw new AppError('rate_limited', 'too_many_files');
  }
  await requireRoom(ctx, self);
  const { maxBytes, contentTypes } = await ctx.files.buckets.get(ctx, bucket);
  // Any bytes can pass as text, so require a text file extension.
  const types = contentTypes.filter((type) => type !== text || hasExtensionOf(name, text));
  const file = await cleaned({ ownerId: self, body }, { maxBytes, contentTypes: types });
  const { contentType, width, height } = file;
  let stored: Attachment | undefined;
  // The real name is encrypted elsewhere.
  const kept = { bucket, ownerId: null, name: 'attachment', body: file.body };
  await ctx.files.upload(ctx, kept, async (tx, { id, size }) => {
    await tx.db.selectFrom('users').select('id').where('id', '=', self).forNoKeyUpdate().execute();
    await requireRoom(tx, self, size);
    const sealed = sealedName.seal(tx.keyring, id, nameWithExtension(name, contentType));
    const row = { id, name: sealed, width, height };
    await tx.db
      .insertInto('attachments')
      .values({
        ...row,
        conversation_id: conversationId,
        uploaded_by: self,
        message_id: null,
        ordinal: null,
        uploaded_at: new Date(tx.now().epochMilliseconds),
      })
      .execute();
    await recordDone(tx, { action: 'messages.file_uploaded', subject: { kind: 'attachment', id } });
    stored = attachmentView(tx, { ...row, content_type: contentType, size });
  });
  return stored!;
}

function queryOf(query: URLSearchParams) {
  const asked = Object.fromEntries(query);
  const parsed = attachmentQuery.safeParse(asked);
  if (!parsed.success) throw refusalOfIssues(parsed.error.issues, asked);
  return parsed.data;
}

/** Checked before the upload to fail early, and again under a lock. */
async function requireRoom({ db }: Ctx, self: Self, more = 1): Promise<void> {
  const { bytes } = await db
    .selectFrom('attachments')
    .innerJoin('files', 'files.id', 'attachments.id')
    .select(sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes'))
    .where('uploaded_by', '=', self)
    .where('message_id', 'is', null)
    .executeTakeFirstOrThrow();
  if (bytes + more > maxUnsent) throw new AppError('conflict', 'too_much_unsent');
}

/** Hourly: deletes uploads unsent for a day. */
export async function deleteUnsentUploads(ctx: Ctx): Promise<void> {
  const dayAgo = new Date(ctx.now().subtract({ hours: unsentHours }).epochMilliseconds);
  await transact(ctx, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('attachments')
      .where('message_id', 'is', null)
      .where('uploaded_at', '<', dayAgo)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await tx.emit(tx, 'files.removed', { reason: 'removed' });
  });
}
