import { AppError } from '#/kernel/errors.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { PersonalPart } from '#/platform/personal.ts';
import { closeSockets, publish } from '#/platform/realtime/publish.ts';
import { signedIn } from '../commands.ts';
import { requirePassword, requireSamePassword } from '../password/commands.ts';
import { endOtherSessions } from '../session/commands.ts';
import { graceDays } from './rules.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'accounts.deletion_requested': { userId: string };
    'accounts.deletion_undone': { userId: string };
    /** Deferred job at the end of the grace period; `eraseAccount` rechecks whether deletion still applies. */
    'accounts.deletion_due': { userId: string };
  }
}

/**
 * Schedules account deletion after the grace period and signs out other devices. Repeated requests keep the date.
 * Throws like `requirePassword` and `requireSamePassword`, or `precondition` (`last_administrator`).
 */
export async function requestDeletion(
  ctx: Ctx,
  adminEmails: readonly string[],
  { password }: { password: string },
): Promise<{ deleteAfter: string }> {
  const { id, role } = signedIn(ctx);
  const known = await requirePassword(ctx, password);
  return transact(ctx, async (tx) => {
    if (role === 'super_admin') await requireOtherAdministrator(tx, adminEmails, id);
    const before = await lockProfile(tx, id);
    await requireSamePassword(tx, known);
    if (before.delete_after) return { deleteAfter: before.delete_after.toISOString() };
    const end = tx.now().add({ hours: 24 * graceDays });
    const deleteAfter = new Date(end.epochMilliseconds);
    await tx.db.updateTable('profiles').set({ delete_after: deleteAfter }).where('id', '=', id).execute();
    await endOtherSessions(tx);
    await record(tx, 'deletion_requested', id);
    await tx.emit(tx, 'accounts.deletion_requested', { userId: id });
    await tx.emit(tx, 'accounts.deletion_due', { userId: id }, { startAfter: end });
    await notifyScreens(tx, id);
    return { deleteAfter: deleteAfter.toISOString() };
  });
}

/** Cancels account deletion. Throws `precondition` (`deletion_over`) after the grace period. */
export async function cancelDeletion(ctx: Ctx): Promise<{ deleteAfter: null }> {
  const { id } = signedIn(ctx);
  return transact(ctx, async (tx) => {
    const { delete_after } = await lockProfile(tx, id);
    if (!delete_after) return { deleteAfter: null };
    if (delete_after.getTime() <= tx.now().epochMilliseconds)
      throw new AppError('precondition', 'deletion_over');
    await tx.db.updateTable('profiles').set({ delete_after: null }).where('id', '=', id).execute();
    await record(tx, 'deletion_undone', id);
    await tx.emit(tx, 'accounts.deletion_undone', { userId: id });
    await notifyScreens(tx, id);
    return { deleteAfter: null };
  });
}

/**
 * Hours until a second erasure, which removes rows written by requests still running during the first. No request lasts
 * over an hour.
 */
const onceMoreAfterHours = 2;

/**
 * Erases an account after its grace period, all parts in one transaction. Idempotent: a second run erases late writes,
 * and canceled deletions are skipped.
 */
export async function eraseAccount(ctx: Ctx, userId: string, parts: readonly PersonalPart[]): Promise<void> {
  await transact(ctx, async (tx) => {
    const due = await tx.db
      .selectFrom('profiles')
      .select('erased_at')
      .where('id', '=', userId)
      .where(({ or, eb }) =>
        or([eb('delete_after', '<=', new Date(tx.now().epochMilliseconds)), eb('erased_at', 'is not', null)]),
      )
      .forUpdate()
      .executeTakeFirst();
    if (!due) return;
    for (const part of parts) await part.erase(tx, userId);
    await closeSockets(tx, `person:${userId}`);
    if (due.erased_at) return;
    await record(tx, 'account_erased', userId);
    const startAfter = tx.now().add({ hours: onceMoreAfterHours });
    await tx.emit(tx, 'accounts.deletion_due', { userId }, { startAfter });
  });
}

/** Reschedules deletions whose job was lost; runs hourly. */
export async function askForDueDeletions(ctx: Ctx): Promise<void> {
  const hourAgo = new Date(ctx.now().subtract({ hours: 1 }).epochMilliseconds);
  await transact(ctx, async (tx) => {
    const due = await tx.db
      .selectFrom('profiles')
      .select('id')
      .where('delete_after', '<=', hourAgo)
      .execute();
    await Promise.all(due.map(({ id }) => tx.emit(tx, 'accounts.deletion_due', { userId: id })));
  });
}

/**
 * Throws `precondition` (`last_administrator`) unless another administrator remains. Suspended administrators, pending
 * deletions and unconfigured addresses don't count.
 */
export async function requireOtherAdministrator(
  tx: TxCtx,
  adminEmails: readonly string[],
  userId: string,
): Promise<void> {
  // Consistent lock order, so two administrators leaving at once can't each count the other.
  const administrators = await tx.db
    .selectFrom('profiles')
    .innerJoin('users', 'users.id', 'profiles.id')
    .select(['profiles.id', 'delete_after', 'suspended_at', 'email'])
    .where('role', '=', 'super_admin')
    .orderBy('profiles.id')
    .forUpdate('profiles')
    .execute();
  const others = administrators.filter(({ id, email }) => id !== userId && adminEmails.includes(email));
  if (!others.some((one) => !one.delete_after && !one.suspended_at))
    throw new AppError('precondition', 'last_administrator');
}

async function lockProfile(tx: TxCtx, userId: string): Promise<{ delete_after: Date | null }> {
  return tx.db
    .selectFrom('profiles')
    .select('delete_after')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

async function record(tx: TxCtx, action: Action, userId: string): Promise<void> {
  await recordDone(tx, { action, subject: { kind: 'person', id: userId } });
}

async function notifyScreens(tx: TxCtx, userId: string): Promise<void> {
  await publish(tx, [`person:${userId}`], { type: 'account.changed', id: userId });
}
