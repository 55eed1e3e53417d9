import type { TxCtx } from '#/platform/context.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter, type MailSite } from '../rules.ts';
import type { Delivery } from './delivery.ts';

export async function sendEmails(tx: TxCtx, deliveries: readonly Delivery[], site: MailSite): Promise<void> {
  const [first, ...rest] = deliveries.map(({ letter, to, ...delivery }) => ({
    ...delivery,
    to: to.email,
    ...setLetter(letter, site),
  }));
  if (first) await sendMail(tx, first, ...rest);
}
