import { AppError } from '#/kernel/errors.ts';
import { isUuid } from '#/kernel/ids.ts';
import type { Ctx } from '#/platform/context.ts';
import { requireMessaging } from '../membership/policies.ts';

/**
 * Returns an attachment that was sent in the caller's conversation, or that they uploaded and haven't sent. Throws
 * `not_found` (`attachment`) for any other, and for guests.
 */
export async function requireReadableAttachment(
  ctx: Ctx,
  id: string,
): Promise<{ id: string; name: string; content_type: string }> {
  if (ctx.actor.kind !== 'person') throw new AppError('not_found', 'attachment');
  const self = await requireMessaging(ctx);
  const row = isUuid(id)
    ? await ctx.db
        .selectFrom('attachments')
        .innerJoin('files', 'files.id', 'attachments.id')
        .innerJoin('conversations as c', 'c.id', 'conversation_id')
        .select(['attachments.id', 'attachments.name', 'files.content_type'])
        .where('attachments.id', '=', id)
        .where(({ and, or, eb }) =>
          and([
            or([eb('c.client_id', '=', self), eb('c.provider_id', '=', self)]),
            or([eb('message_id', 'is not', null), eb('uploaded_by', '=', self)]),
          ]),
        )
        .executeTakeFirst()
    : undefined;
  if (!row) throw new AppError('not_found', 'attachment');
  return row;
}
