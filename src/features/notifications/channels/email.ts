import type { TxCtx } from '#/platform/context.ts';
import { mailDeliveries, sendMail } from '#/platform/mail/mail.ts';
import { senderName } from '../queries.ts';
import { setLetter, type MailSite } from '../rules.ts';
import type { Channel, Delivery } from './delivery.ts';

export async function sendEmails(tx: TxCtx, deliveries: readonly Delivery[], site: MailSite): Promise<void> {
  const [first, ...rest] = deliveries.map(({ letter, to, ...delivery }) => ({
    ...delivery,
    to: to.email,
    ...setLetter(letter, site),
  }));
  if (first) await sendMail(tx, first, ...rest);
}

/** Without a mail server, emails stay in the tray. */
export const email: Channel = {
  queue: sendEmails,
  reactions: ({ transport }) => (transport ? mailDeliveries(transport, senderName) : []),
};
