import type { Ctx } from '../context.ts';
import type { MailAttachment } from './tables.ts';

/** A mail to be sent once under its key, however often it is asked for. */
export interface Mail {
  key: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  attachments?: readonly MailAttachment[];
}

/** Hands a mail to the mail server. */
export type Transport = (mail: Mail & { requestId: string }) => Promise<void>;

/** Sends mail, or keeps it in the tray where there is no mail server. */
export type SendMail = (ctx: Ctx, mail: Mail) => Promise<void>;

/**
 * Makes the function that sends mails. The row comes first and the row's lock is held while sending: a
 * retry after a crash finds it unsent and sends it, one after success finds it sent and does nothing.
 * What was sent keeps no text.
 */
export function mailSender(transport: Transport | null): SendMail {
  return async (ctx, mail) => {
    const row = {
      id: ctx.newId(),
      key: mail.key,
      recipient: mail.to,
      subject: mail.subject,
      text_body: mail.text,
      html_body: mail.html,
      attachments: JSON.stringify(mail.attachments ?? []),
      request_id: ctx.requestId,
      created_at: new Date(ctx.now().epochMilliseconds),
      sent_at: null,
    };
    await ctx.db.insertInto('mails').values(row).onConflict((on) => on.column('key').doNothing()).execute();
    if (!transport) return;
    await ctx.db.transaction().execute(async (db) => {
      const unsent = await db
        .selectFrom('mails')
        .select('id')
        .where('key', '=', mail.key)
        .where('sent_at', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      if (!unsent) return;
      await transport({ ...mail, requestId: ctx.requestId });
      await db
        .updateTable('mails')
        .set({ sent_at: new Date(ctx.now().epochMilliseconds), subject: '', text_body: '', html_body: '', attachments: '[]' })
        .where('id', '=', unsent.id)
        .execute();
    });
  };
}
