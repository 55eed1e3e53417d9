import { authorize } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { askToDeliver } from '#/platform/mail/mail.ts';
import { classifyFault } from './rules.ts';
import { requireUndelivered, type Undelivered, undeliveredColumns } from '../policies.ts';

const batch = 500;

/** Requeues an undelivered email. Throws precondition `mail_expired`. */
export async function sendAgain(ctx: Ctx, mailId: string): Promise<{ mailId: string }> {
  authorize(ctx.actor, ['manage_settings']);
  return transact(ctx, async (tx) => {
    const mail = await requireUndelivered(tx, mailId);
    if (mail.expires_at && mail.expires_at.getTime() <= tx.now().epochMilliseconds)
      throw new AppError('precondition', 'mail_expired');
    await requeue(tx, [mail]);
    await record(tx, 'sent_again', mail);
    return { mailId };
  });
}

/** Requeues undelivered emails; counts expired ones. */
export async function sendAllAgain(ctx: Ctx): Promise<{ sent: number; expired: number }> {
  authorize(ctx.actor, ['manage_settings']);
  const now = new Date(ctx.now().epochMilliseconds);
  let sent = 0;
  for (;;) {
    const taken = await transact(ctx, async (tx) => {
      const mails = await tx.db
        .selectFrom('mails')
        .select(undeliveredColumns)
        .where('failed_at', '<=', now)
        .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
        .orderBy('failed_at')
        .orderBy('id')
        .limit(batch)
        .forUpdate()
        .execute();
      await requeue(tx, mails);
      for (const mail of mails) await record(tx, 'sent_again', mail);
      return mails.length;
    });
    sent += taken;
    if (taken < batch) break;
  }
  const { expired } = await ctx.db
    .selectFrom('mails')
    .where('failed_at', 'is not', null)
    .where('expires_at', '<=', now)
    .select(({ fn }) => fn.countAll<number>().as('expired'))
    .executeTakeFirstOrThrow();
  return { sent, expired };
}

export async function dismiss(ctx: Ctx, mailId: string): Promise<{ mailId: string }> {
  authorize(ctx.actor, ['manage_settings']);
  return transact(ctx, async (tx) => {
    const mail = await requireUndelivered(tx, mailId);
    await tx.db.deleteFrom('mails').where('id', '=', mailId).execute();
    await record(tx, 'dismissed', mail);
    return { mailId };
  });
}

async function requeue(tx: TxCtx, mails: readonly Undelivered[]): Promise<void> {
  if (mails.length === 0) return;
  await tx.db
    .updateTable('mails')
    .set({ failed_at: null, fault: null, resent_at: new Date(tx.now().epochMilliseconds) })
    .where(
      'id',
      'in',
      mails.map(({ id }) => id),
    )
    .execute();
  await askToDeliver(tx, mails);
}

/** Logs kind and fault only, never the recipient. */
async function record(
  tx: TxCtx,
  done: 'sent_again' | 'dismissed',
  { id, kind, fault }: Undelivered,
): Promise<void> {
  await recordDone(tx, {
    action: `mail.${done}`,
    subject: { kind: 'mail', id },
    details: { kind, fault: classifyFault(fault!) },
  });
}
