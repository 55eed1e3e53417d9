import type { Ctx } from '#/platform/context.ts';
import { sealedColumn } from '#/platform/sealed-column.ts';
import { answerFile } from '#/platform/files/serve.ts';
import type { Attachment } from './contract.ts';
import { requireReadableAttachment } from './policies.ts';

/** File names can be as sensitive as messages. */
export const sealedName = sealedColumn('attachments', 'name');

interface AttachmentRow {
  id: string;
  name: string;
  width: number | null;
  height: number | null;
  content_type: string;
  size: number;
}

const columns = [
  'attachments.id',
  'attachments.name',
  'width',
  'height',
  'files.content_type',
  'files.size',
] as const;

export function attachmentView({ keyring }: Ctx, row: AttachmentRow): Attachment {
  return {
    id: row.id,
    name: sealedName.open(keyring, row.id, row.name),
    contentType: row.content_type,
    size: row.size,
    width: row.width,
    height: row.height,
    path: `/api/conversations/attachments/${row.id}`,
  };
}

/** Returns attachments by message, in order. Callers must check read access first. */
export async function attachmentsOf(
  ctx: Ctx,
  messageIds: readonly string[],
): Promise<Map<string, Attachment[]>> {
  if (messageIds.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('attachments')
    .innerJoin('files', 'files.id', 'attachments.id')
    .select([...columns, 'message_id'])
    .where('message_id', 'in', [...messageIds])
    .orderBy('message_id')
    .orderBy('ordinal')
    .execute();
  return Map.groupBy(rows, ({ message_id }) => message_id!)
    .entries()
    .reduce(
      (views, [id, own]) =>
        views.set(
          id,
          own.map((row) => attachmentView(ctx, row)),
        ),
      new Map<string, Attachment[]>(),
    );
}

/**
 * Serves GET and HEAD, with ranges; throws `not_found` for non-participants. Browsers never cache it, since computers
 * may be shared.
 */
export async function answerAttachment(ctx: Ctx, request: Request, id: string): Promise<Response> {
  const row = await requireReadableAttachment(ctx, id);
  const name = sealedName.open(ctx.keyring, row.id, row.name);
  const file = await ctx.files.info(ctx, id);
  return answerFile(
    ctx,
    request,
    { ...file, name, contentType: row.content_type },
    { 'cache-control': 'private, no-store' },
  );
}
