import { setLetter } from '#/features/notifications/letter/rules.ts';
import { mailSite } from '#/features/notifications/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { receiptLetter, supportLetter } from './letter/rules.ts';

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
    const matter = await tx.db
      .selectFrom('contact_messages')
      .select(['id', 'name', 'email', 'subject', 'message'])
      .where('id', '=', messageId)
      .executeTakeFirst();
    if (!matter) return;
    const site = await mailSite(tx, appUrl);
    await sendMail(tx, {
      key: `${messageId}:support`,
      to: site.supportEmail,
      replyTo: matter.email,
      ...setLetter(supportLetter(matter, site), site),
    });
    if (!receipt) return;
    await sendMail(tx, {
      key: `${messageId}:receipt`,
      to: matter.email,
      ...setLetter(receiptLetter(site), site),
    });
  });
}
