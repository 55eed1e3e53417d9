import { sql, type Selectable } from 'kysely';
import type { MailKind } from '#/kernel/mail-kinds.ts';
import type { Ctx, TxCtx } from '../context.ts';
import { transact } from '../db/transact.ts';
import { reaction, type Reaction } from '../jobs/reactions.ts';
import { contentOf, noContent, sealContent, type MailContent } from './sealing.ts';
import type { MailAttachment, MailsTable } from './tables.ts';

declare module '#/platform/jobs/events.ts' {
  interface Events {
    /** A mail was written and waits to be handed to the mail server. */
    'mail.written': { mailId: string };
    /** The same for a mail that goes before others. */
    'mail.urgent': { mailId: string };
  }
}

/** A mail to be sent once under its key, however often it is asked for. */
export interface Mail {
  /** Names the event and the recipient, never what it is about. */
  key: string;
  kind: MailKind;
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
  /** Somebody waits for it to get in: it goes before others. */
  urgent?: boolean;
  /** From when on it is of no use, such as when its link has expired. */
  expiresAt?: Temporal.Instant | undefined;
}

/** A mail as the mail server gets it; `id` is the same however often it is tried. */
interface OutgoingMail extends MailContent {
  id: string;
  /** What the site is called. */
  senderName: string;
  to: string;
  replyTo: string | null;
  urgent: boolean;
  requestId: string;
}

/** The queue of the jobs that hand mails to the mail server. */
export const deliveryQueue = 'mail.deliver';

/** Hands a mail to the mail server. Its errors name no address, since they are logged. */
export type Transport = (mail: OutgoingMail) => Promise<void>;

/** The mail server's last word: it will never take this mail, however often it is tried. */
export class MailRefused extends Error {
  override name = 'MailRefused';
  /** The reply's code (RFC 5321, section 4.2.1), with its enhanced code if it gave one. */
  readonly fault: string;

  constructor(fault: string) {
    super(`the mail server refused the mail for good: ${fault}`);
    this.fault = fault;
  }
}

/**
 * Writes mails in the open transaction, or in one of its own; they are sent once that has committed, and stay in the
 * tray where there is no mail server. A mail under a key that is there already is left out.
 */
export async function sendMail(ctx: Ctx, ...mails: readonly [Mail, ...Mail[]]): Promise<void> {
  // Nobody reads what is sent to such an address (RFC 2606, section 2): it stands for one that was erased.
  const wanted = mails.filter(({ to }) => !to.endsWith('.invalid'));
  if (wanted.length === 0) return;
  await transact(ctx, async (tx) => {
    const rows = wanted.map((mail) => {
      const { attachments = [], unsubscribeUrl = null } = mail;
      const id = tx.newId();
      return {
        id,
        key: mail.key,
        kind: mail.kind,
        recipient: mail.to,
        reply_to: mail.replyTo ?? null,
        ...sealContent(tx, id, { ...mail, subject: oneLine(mail.subject), attachments, unsubscribeUrl }),
        urgent: mail.urgent ?? false,
        expires_at: mail.expiresAt ? new Date(mail.expiresAt.epochMilliseconds) : null,
        request_id: tx.requestId,
        created_at: new Date(tx.now().epochMilliseconds),
        sent_at: null,
      };
    });
    const written = await tx.db
      .insertInto('mails')
      .values(rows)
      .onConflict((on) => on.column('key').doNothing())
      .returning(['id', 'urgent'])
      .execute();
    await askToDeliver(tx, written);
  });
}

/** Asks for the delivery of written mails, each in its own lane. */
export async function askToDeliver(
  tx: TxCtx,
  mails: readonly { id: string; urgent: boolean }[],
): Promise<void> {
  await Promise.all(
    mails.map(({ id, urgent }) => tx.emit(tx, urgent ? 'mail.urgent' : 'mail.written', { mailId: id })),
  );
}

/**
 * The reactions that hand emails to the mail server, under the site's name at that time; urgent ones have a queue of
 * their own. An email that is refused for good or has expired is kept for an administrator; of a sent one only its key
 * stays.
 */
export function mailDeliveries(
  transport: Transport,
  senderName: (ctx: Ctx) => Promise<string>,
): readonly [Reaction, Reaction] {
  const handle = (ctx: Ctx, { mailId }: { mailId: string }) => deliver(ctx, mailId, transport, senderName);
  return [
    reaction({ event: 'mail.written', name: deliveryQueue, atOnce: true, handle }),
    reaction({ event: 'mail.urgent', name: 'mail.deliver-urgent', atOnce: true, handle }),
  ];
}

async function deliver(
  ctx: Ctx,
  mailId: string,
  transport: Transport,
  senderName: (ctx: Ctx) => Promise<string>,
): Promise<void> {
  const mail = await claim(ctx, mailId);
  if (!mail) return;
  const note = (changes: Partial<Pick<MailsTable, 'sent_at' | 'failed_at' | 'fault'>>) =>
    ctx.db
      .updateTable('mails')
      .set({ ...changes, claimed_until: null })
      .where('id', '=', mailId);
  const now = () => new Date(ctx.now().epochMilliseconds);
  if (mail.expires_at && mail.expires_at <= now())
    return void (await note({ failed_at: now(), fault: 'expired' }).execute());
  try {
    await transport({
      id: mail.id,
      senderName: await senderName(ctx),
      to: mail.recipient,
      replyTo: mail.reply_to,
      ...contentOf(ctx, mail),
      urgent: mail.urgent,
      requestId: mail.request_id,
    });
  } catch (error) {
    const refused = error instanceof MailRefused;
    await note(refused ? { failed_at: now(), fault: error.fault } : {}).execute();
    if (refused) return;
    throw error;
  }
  await note({ sent_at: now() })
    .set({ recipient: '', reply_to: null, ...noContent })
    .execute();
}

/** For how many seconds a mail is one job's: longer than handing it over takes, so that a crash is all that leaves it. */
const claimSeconds = 120;

/**
 * Takes a mail for this job, so that it is sent once and no connection waits for the mail server; null if there is nothing
 * left to send. Throws while another job has it, to be tried again: that one may have crashed.
 */
async function claim(ctx: Ctx, mailId: string): Promise<Selectable<MailsTable> | null> {
  const now = ctx.now();
  const at = new Date(now.epochMilliseconds);
  const claimed = await ctx.db
    .updateTable('mails')
    .set({ claimed_until: new Date(now.add({ seconds: claimSeconds }).epochMilliseconds) })
    .where('id', '=', mailId)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', at)]))
    .returningAll()
    .executeTakeFirst();
  if (claimed) return claimed;
  const waiting = await ctx.db
    .selectFrom('mails')
    .select('id')
    .where('id', '=', mailId)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirst();
  if (waiting) throw new Error('another job is sending this mail');
  return null;
}

/** Since when a mail waits: since it was written, or since an administrator had it sent again. */
const waitsSince = sql<Date>`coalesce(resent_at, created_at)`;

/** How long a mail's own jobs try, in hours, and how long it is worth sending at all. */
const tried = 3;
const worthSending = 72;

/** Asks again for the mails that a long failure of the mail server has left unsent, and gives up on the oldest. */
export async function retryUnsent(ctx: Ctx): Promise<void> {
  const hoursAgo = (hours: number) => new Date(ctx.now().subtract({ hours }).epochMilliseconds);
  await transact(ctx, async (tx) => {
    await tx.db
      .updateTable('mails')
      .set({ failed_at: new Date(ctx.now().epochMilliseconds), fault: 'no_answer' })
      .where('sent_at', 'is', null)
      .where('failed_at', 'is', null)
      .where(waitsSince, '<=', hoursAgo(worthSending))
      .execute();
    const unsent = await tx.db
      .selectFrom('mails')
      .select(['id', 'urgent'])
      .where('sent_at', 'is', null)
      .where('failed_at', 'is', null)
      .where(waitsSince, '<', hoursAgo(tried))
      .execute();
    await askToDeliver(tx, unsent);
  });
}

/** The mails that have waited for some minutes: how many, and since when the oldest. */
export async function mailsWaiting(
  ctx: Ctx,
  minutes: number,
): Promise<{ count: number; since: Date | null }> {
  return ctx.db
    .selectFrom('mails')
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where(waitsSince, '<', new Date(ctx.now().subtract({ minutes }).epochMilliseconds))
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<Date | null>(waitsSince).as('since')])
    .executeTakeFirstOrThrow();
}

/** A header's text: a line break in it would begin a header of its own (RFC 5322, section 2.2). */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
