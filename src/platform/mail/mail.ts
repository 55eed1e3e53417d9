import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { transact } from '../db/transact.ts';
import { reaction, type Reaction } from '../jobs/reactions.ts';
import type { MailAttachment } from './tables.ts';

declare module '#/platform/jobs/events.ts' {
  interface Events {
    /** A mail was written and waits to be handed to the mail server. */
    'mail.written': { mailId: string };
  }
}

/** A mail to be sent once under its key, however often it is asked for. */
export interface Mail {
  /** Names the event and the recipient, never what it is about. */
  key: string;
  /** One address. */
  to: string;
  /** Whom an answer goes to, where that isn't the sender. */
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  attachments?: readonly MailAttachment[];
  /** Where one press ends mails of this kind (RFC 8058); left out of those that nobody can do without. */
  unsubscribeUrl?: string;
}

/** A mail as the mail server gets it; `id` is the same however often it is tried. */
interface OutgoingMail {
  id: string;
  /** What the site is called. */
  senderName: string;
  to: string;
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
  attachments: readonly MailAttachment[];
  unsubscribeUrl: string | null;
  requestId: string;
}

/** The queue of the jobs that hand mails to the mail server. */
export const deliveryQueue = 'mail.deliver';

/** Hands a mail to the mail server. Its errors name no address, since they are logged. */
export type Transport = (mail: OutgoingMail) => Promise<void>;

/**
 * Writes mails in the open transaction, or in one of its own; they are sent once that has committed, and stay in the
 * tray where there is no mail server. A mail under a key that is there already is left out.
 */
export async function sendMail(ctx: Ctx, ...mails: readonly [Mail, ...Mail[]]): Promise<void> {
  // Nobody reads what is sent to such an address (RFC 2606, section 2): it stands for one that was erased.
  const wanted = mails.filter(({ to }) => !to.endsWith('.invalid'));
  if (wanted.length === 0) return;
  await transact(ctx, async (tx) => {
    const rows = wanted.map((mail) => ({
      id: tx.newId(),
      key: mail.key,
      recipient: mail.to,
      reply_to: mail.replyTo ?? null,
      subject: oneLine(mail.subject),
      text_body: mail.text,
      html_body: mail.html,
      attachments: JSON.stringify(mail.attachments ?? []),
      unsubscribe_url: mail.unsubscribeUrl ?? null,
      request_id: tx.requestId,
      created_at: new Date(tx.now().epochMilliseconds),
      sent_at: null,
    }));
    const written = await tx.db
      .insertInto('mails')
      .values(rows)
      .onConflict((on) => on.column('key').doNothing())
      .returning('id')
      .execute();
    await Promise.all(written.map(({ id }) => tx.emit(tx, 'mail.written', { mailId: id })));
  });
}

/**
 * The reaction that hands written mails to the mail server, under the name that the site has then. The row stays locked
 * while it is sent: a retry after a crash finds it unsent and sends it, one after success finds it sent and does nothing.
 * What was sent keeps its key alone.
 */
export function mailDelivery(transport: Transport, senderName: (ctx: Ctx) => Promise<string>): Reaction {
  return reaction({
    event: 'mail.written',
    name: deliveryQueue,
    handle: async (ctx, { mailId }) => {
      await ctx.db.transaction().execute(async (db) => {
        // The mail server may take its time; the connection isn't idle for nothing.
        await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(db);
        const mail = await db
          .selectFrom('mails')
          .selectAll()
          .where('id', '=', mailId)
          .where('sent_at', 'is', null)
          .forUpdate()
          .executeTakeFirst();
        if (!mail) return;
        await transport({
          id: mail.id,
          senderName: await senderName({ ...ctx, db }),
          to: mail.recipient,
          replyTo: mail.reply_to,
          subject: mail.subject,
          text: mail.text_body,
          html: mail.html_body,
          attachments: mail.attachments,
          unsubscribeUrl: mail.unsubscribe_url,
          requestId: mail.request_id,
        });
        await db
          .updateTable('mails')
          .set({
            sent_at: new Date(ctx.now().epochMilliseconds),
            recipient: '',
            reply_to: null,
            subject: '',
            text_body: '',
            html_body: '',
            attachments: '[]',
            unsubscribe_url: null,
          })
          .where('id', '=', mail.id)
          .execute();
      });
    },
  });
}

/** How long a mail's own jobs try, in hours, and how long it is worth sending at all. */
const tried = 3;
const worthSending = 72;

/** Asks again for the mails that a long failure of the mail server has left unsent. */
export async function retryUnsent(ctx: Ctx): Promise<void> {
  const hoursAgo = (hours: number) => new Date(ctx.now().subtract({ hours }).epochMilliseconds);
  await transact(ctx, async (tx) => {
    const unsent = await tx.db
      .selectFrom('mails')
      .select('id')
      .where('sent_at', 'is', null)
      .where('created_at', '<', hoursAgo(tried))
      .where('created_at', '>', hoursAgo(worthSending))
      .execute();
    await Promise.all(unsent.map(({ id }) => tx.emit(tx, 'mail.written', { mailId: id })));
  });
}

/** The mails that are worth sending and have waited for some minutes: how many, and since when the oldest. */
export async function mailsWaiting(
  ctx: Ctx,
  minutes: number,
): Promise<{ count: number; since: Date | null }> {
  const ago = (duration: Temporal.DurationLike) => new Date(ctx.now().subtract(duration).epochMilliseconds);
  return ctx.db
    .selectFrom('mails')
    .where('sent_at', 'is', null)
    .where('created_at', '<', ago({ minutes }))
    .where('created_at', '>', ago({ hours: worthSending }))
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<Date | null>('created_at').as('since')])
    .executeTakeFirstOrThrow();
}

/** A header's text: a line break in it would begin a header of its own (RFC 5322, section 2.2). */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
