import { sql, type Insertable, type Selectable } from 'kysely';
import type { MailKind } from '#/kernel/mail-kinds.ts';
import type { Ctx, TxCtx } from '../context.ts';
import { compiledOnce } from '../db/compiled-once.ts';
import { transact } from '../db/transact.ts';
import { reaction, type Reaction } from '../jobs/reactions.ts';
import { contentOf, noContent, sealContent, type MailContent } from './sealing.ts';
import type { MailAttachment, MailsTable } from './tables.ts';

declare module '../context.ts' {
  interface Events {
    /** An email is ready for delivery. */
    'mail.written': { mailId: string };
    /** Same, with priority. */
    'mail.urgent': { mailId: string };
  }
}

/** An email, sent once per key. */
export interface Mail {
  /** Identifies event and recipient; must not reveal content. */
  key: string;
  kind: MailKind;
  /** A single address. */
  to: string;
  /** Reply-To, if it differs from the sender. */
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  attachments?: readonly MailAttachment[];
  /** One-click unsubscribe (RFC 8058); omitted for essential emails. */
  unsubscribeUrl?: string;
  /** Such as sign-in links: takes priority. */
  urgent?: boolean;
  /** After this time it isn't sent, for example because its link expired. */
  expiresAt?: Temporal.Instant | undefined;
}

/** `id` is the same on every retry. */
interface OutgoingMail extends MailContent {
  id: string;
  senderName: string;
  to: string;
  replyTo: string | null;
  urgent: boolean;
  requestId: string;
}

export const deliveryQueue = 'mail.deliver';

/** Passes an email to the mail server. Errors are logged, so they must not contain addresses. */
export type Transport = (mail: OutgoingMail) => Promise<void>;

/** Permanent rejection by the mail server. */
export class MailRefused extends Error {
  override name = 'MailRefused';
  /** Reply code (RFC 5321, section 4.2.1), plus any enhanced code. */
  readonly fault: string;

  constructor(fault: string) {
    super(`the mail server refused the mail for good: ${fault}`);
    this.fault = fault;
  }
}

/**
 * Queues emails in a transaction, joining any open one; delivery starts after commit. Skips keys already
 * used. Without a mail server they stay unsent.
 */
export async function sendMail(ctx: Ctx, ...mails: readonly [Mail, ...Mail[]]): Promise<void> {
  // Erased accounts have .invalid addresses (RFC 2606, section 2).
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
    await askToDeliver(tx, await insertMails(tx.db, { rows }));
  });
}

const insertMails = compiledOnce((db, { rows }: { rows: readonly Insertable<MailsTable>[] }) =>
  db
    .insertInto('mails')
    .values(rows)
    .onConflict((on) => on.column('key').doNothing())
    .returning(['id', 'urgent']),
);

export async function askToDeliver(
  tx: TxCtx,
  mails: readonly { id: string; urgent: boolean }[],
): Promise<void> {
  await Promise.all(
    mails.map(({ id, urgent }) => tx.emit(tx, urgent ? 'mail.urgent' : 'mail.written', { mailId: id })),
  );
}

/**
 * Returns the delivery reactions; urgent emails have their own queue. Rejected and expired emails are kept for
 * administrators; sent ones keep only their key.
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

/** Claim duration in seconds, longer than any delivery: only a crash lets it expire. */
const claimSeconds = 120;

/**
 * Claims an email for this job, which prevents double sends without holding a connection during delivery. Returns null
 * if already done. Throws, and so retries, while another job has the claim: that job may have crashed.
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
  if (waiting) throw new Error('this email is already being sent');
  return null;
}

const waitsSince = sql<Date>`coalesce(resent_at, created_at)`;

/** Hours an email's own job retries, and hours until giving up. */
const tried = 3;
const worthSending = 72;

/** Requeues emails left unsent by a long mail server outage; abandons those past the limit. */
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

export async function countWaitingMails(
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

/** Prevents header injection through line breaks (RFC 5322, section 2.2). */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
