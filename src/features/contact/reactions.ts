import { setLetter } from '#/features/notifications/letter/rules.ts';
import { mailSite } from '#/features/notifications/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { receiptLetter, supportLetter } from './letter/rules.ts';
import { writtenColumns, writtenIn } from './sealing/queries.ts';

/** What answers the contact form by mail; `appUrl` is the address that people see, without a trailing slash. */
export function contactReactions({ appUrl }: { appUrl: string }): readonly Reaction[] {
  return [
    reaction({
      event: 'contact.received',
      name: 'contact.mails',
      handle: (ctx, event) => mailMessage(ctx, event, appUrl),
    }),
  ];
}

/**
 * Mails a message to the operator and the receipt to its sender, whatever the site's settings say of notifications: both
 * are what the form is for. Nothing if it was erased meanwhile.
 */
async function mailMessage(
  ctx: Ctx,
  { messageId, receipt }: { messageId: string; receipt: boolean },
  appUrl: string,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const row = await tx.db
      .selectFrom('contact_messages')
      .select(writtenColumns)
      .where('id', '=', messageId)
      .executeTakeFirst();
    if (!row) return;
    const matter = { id: messageId, ...writtenIn(tx, row) };
    const site = await mailSite(tx, appUrl);
    await sendMail(tx, {
      key: `${messageId}:support`,
      kind: 'contact_message',
      to: site.supportEmail,
      replyTo: matter.email,
      ...setLetter(supportLetter(matter, site), site),
    });
    if (!receipt) return;
    await sendMail(tx, {
      key: `${messageId}:receipt`,
      kind: 'contact_receipt',
      to: matter.email,
      ...setLetter(receiptLetter(site), site),
    });
  });
}
