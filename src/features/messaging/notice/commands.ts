import { flagsFor } from '#/features/settings/flags/queries.ts';
import type { TxCtx } from '#/platform/context.ts';
import { unreadMinutes } from '../commands.ts';

/**
 * Claims the unread-message email due for a message. Returns null if everything is read, an email already went out
 * since the last read, or messaging is off for the recipient. Messages unread for less than ten minutes are
 * rescheduled.
 */
export async function takeUnreadNotice(tx: TxCtx, messageId: string): Promise<{ personId: string } | null> {
  const { db } = tx;
  const row = await db
    .selectFrom('messages')
    .innerJoin('conversations as c', 'c.id', 'messages.conversation_id')
    .select(['c.id', 'c.client_id', 'c.provider_id', 'messages.from_client'])
    .select(['c.client_unread', 'c.provider_unread', 'c.client_read_seq', 'c.provider_read_seq'])
    .where('messages.id', '=', messageId)
    // Locks the conversation, so a concurrent read finishes first.
    .forNoKeyUpdate(['c'])
    .executeTakeFirst();
  if (!row) return null;
  const side = row.from_client ? 'provider' : 'client';
  if (row[`${side}_unread`] === 0) return null;
  const oldest = await db
    .selectFrom('messages')
    .select(['id', 'sent_at'])
    .where('conversation_id', '=', row.id)
    .where('seq', '>', row[`${side}_read_seq`])
    .where('from_client', '=', row.from_client)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirstOrThrow();
  const due = Temporal.Instant.fromEpochMilliseconds(oldest.sent_at.getTime()).add({
    minutes: unreadMinutes,
  });
  // If the oldest unread message is already due, its own event has fired.
  if (oldest.id !== messageId && Temporal.Instant.compare(due, tx.now()) > 0) {
    await tx.emit(tx, 'messages.sent', { messageId: oldest.id }, { startAfter: due });
    return null;
  }
  const personId = row[`${side}_id`];
  const { role } = await db
    .selectFrom('profiles')
    .select('role')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  if (!(await flagsFor(tx, { id: personId, role })).includes('direct_messaging')) return null;
  const taken = await db
    .insertInto('message_mails')
    .values({ person_id: personId, mailed_at: new Date(tx.now().epochMilliseconds) })
    .onConflict((on) => on.column('person_id').doNothing())
    .returning('person_id')
    .executeTakeFirst();
  return taken ? { personId } : null;
}
