import { topicsOf } from '#/features/access/rules.ts';
import type { Delivery } from '#/features/notifications/channels/delivery.ts';
import { notification, reactionTo } from '#/features/notifications/letters/notification.ts';
import type { Reaction } from '#/platform/jobs/reactions.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { sealed, writtenColumns, decryptMessage } from './queries.ts';
import { answerLetter, receiptLetter, supportLetter } from './rules.ts';

/** `appUrl` has no trailing slash. */
export function contactReactions({ appUrl }: { appUrl: string }): readonly Reaction[] {
  return [reactionTo(contactNotification, appUrl), reactionTo(answerNotification, appUrl)];
}

const contactNotification = notification({
  event: 'contact.received',
  name: 'contact.mails',
  sentWhenOff: 'a message that we promised to answer must arrive',
  // Nothing for erased messages.
  async deliveries(tx, { messageId, receipt }, { site }) {
    const row = await tx.db
      .selectFrom('contact_messages')
      .select(writtenColumns)
      .where('id', '=', messageId)
      .executeTakeFirst();
    if (!row) return [];
    const message = { id: messageId, ...decryptMessage(tx, row) };
    const deliveries: Delivery[] = [
      {
        key: `${messageId}:support`,
        kind: 'contact_message',
        to: { email: site.supportEmail },
        letter: supportLetter(message, site),
        replyTo: message.email,
      },
    ];
    if (receipt)
      deliveries.push({
        key: `${messageId}:receipt`,
        kind: 'contact_receipt',
        to: { email: message.email },
        letter: receiptLetter(site),
      });
    return deliveries;
  },
});

const answerNotification = notification({
  event: 'contact.answered',
  name: 'contact.answer',
  sentWhenOff: 'an administrator wrote it for this person',
  async deliveries(tx, { answerId }, { site }) {
    // Nothing for undone answers; the update locks against undoing it now.
    const answer = await tx.db
      .updateTable('contact_answers')
      .set({ mailed_at: new Date(tx.now().epochMilliseconds) })
      .where('id', '=', answerId)
      .where('mailed_at', 'is', null)
      .returning(['message_id', 'sealed_text'])
      .executeTakeFirst();
    if (!answer) return [];
    const row = await tx.db
      .selectFrom('contact_messages')
      .select(writtenColumns)
      .where('id', '=', answer.message_id)
      .executeTakeFirstOrThrow();
    const { name, email } = decryptMessage(tx, row);
    const text = sealed.answer.open(tx.keyring, answerId, answer.sealed_text);
    await publish(tx, topicsOf('access_admin_panel'), { type: 'contact.changed', id: answer.message_id });
    return [
      {
        key: `${answerId}:answer`,
        kind: 'contact_answer',
        to: { email },
        letter: answerLetter({ name, text }, site),
        replyTo: site.supportEmail,
      },
    ];
  },
});
