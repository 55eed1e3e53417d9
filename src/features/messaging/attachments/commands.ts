import { invalidField } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';

/**
 * Attaches the sender's unsent files to a message, in order. Throws invalid `attachment_missing` for `attachmentIds`.
 */
export async function attachTo(
  tx: TxCtx,
  {
    conversationId,
    messageId,
    senderId,
    ids,
  }: { conversationId: string; messageId: string; senderId: string; ids: readonly string[] },
): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const { numUpdatedRows } = await tx.db
      .updateTable('attachments')
      .set({ message_id: messageId, ordinal: index + 1 })
      .where('id', '=', id)
      .where('conversation_id', '=', conversationId)
      .where('uploaded_by', '=', senderId)
      .where('message_id', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw invalidField('attachmentIds', 'attachment_missing');
  }
}
