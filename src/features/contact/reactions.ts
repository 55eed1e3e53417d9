import type { Delivery } from '#/features/notifications/channels/delivery.ts';
import { notification, reactionTo } from '#/features/notifications/letters/notification.ts';
import type { Reaction } from '#/platform/jobs/reactions.ts';
import { writtenColumns, writtenIn } from './queries.ts';
import { receiptLetter, supportLetter } from './rules.ts';

/** `appUrl` is the public URL without a trailing slash. */
export function contactReactions({ appUrl }: { appUrl: string }): readonly Reaction[] {
  return [reactionTo(contactNotification, appUrl)];
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
    const message = { id: messageId, ...writtenIn(tx, row) };
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
