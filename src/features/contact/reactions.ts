import { setLetter } from '#/features/notifications/rules.ts';
import { mailSettings } from '#/features/notifications/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { receiptLetter, supportLetter } from './letter/rules.ts';
import { writtenColumns, writtenIn } from './sealing/queries.ts';

/** `appUrl` is the public URL without a trailing slash. */
export function contactReactions({ appUrl }: { appUrl: string }): readonly Reaction[] {
  return [
    reaction({
      event: 'contact.received',
      name: 'contact.mails',
      handle: (ctx, event) => mailMessage(ctx, event, appUrl),
    }),
  ];
}

/** Ignores notification settings, because both emails are essential. Skips erased messages. */
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
    const { site } = await mailSettings(tx, appUrl);
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
