import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { ContactState, OpenedMessage } from './contract.ts';
import { decryptNote, openedMessage } from './queries.ts';

/** Returns a message. Throws `not_found` (`contact_message`) for unknown ids. */
export async function requireMessage(ctx: Ctx, messageId: string): Promise<OpenedMessage> {
  const message = await openedMessage(ctx, messageId);
  if (!message) throw new AppError('not_found', 'contact_message');
  return message;
}

/** Locks a message. Throws `not_found` (`contact_message`) for unknown ids. */
export async function requireLockedMessage(
  tx: TxCtx,
  messageId: string,
): Promise<{ state: ContactState; note: string }> {
  const row = await tx.db
    .selectFrom('contact_messages')
    .select(['id', 'state', 'note', 'sealed_note'])
    .where('id', '=', messageId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'contact_message'));
  return { state: row.state, note: decryptNote(tx, row) };
}

/** Locks an answer's message, then the answer. Throws `not_found` (`contact_answer`) for unknown ids. */
export async function requireLockedAnswer(
  tx: TxCtx,
  answerId: string,
): Promise<{ messageId: string; state: ContactState; before: ContactState | null; mailed: boolean }> {
  const answers = tx.db.selectFrom('contact_answers').where('id', '=', answerId);
  const found = await answers.select('message_id').executeTakeFirst();
  const message = found && (await requireLockedMessage(tx, found.message_id));
  const row = await answers
    .select(['message_id', 'state_before', 'mailed_at'])
    .forUpdate()
    .executeTakeFirst();
  if (!message || !row) throw new AppError('not_found', 'contact_answer');
  return {
    messageId: row.message_id,
    state: message.state,
    before: row.state_before,
    mailed: row.mailed_at !== null,
  };
}
