import { isProvider, type Role } from '#/kernel/actor.ts';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { authorize } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { deleteApiToken } from '../api-tokens/commands.ts';
import { endLinks, signedIn } from '../commands.ts';
import { requireOtherAdministrator } from '../deletion/commands.ts';
import {
  endSessions,
  lockPeople,
  offersOf,
  recordAccount,
  notifyAdministrators,
  type AccountEffects,
} from '../users/commands.ts';
import type { ListedUser, SessionPlan } from '../users/contract.ts';
import { accountOf, listedUser } from '../users/queries.ts';
import type { SuspensionReason } from '../users/rules.ts';

/**
 * Changes an account's role, ends sign-in sessions and notifies the person. Throws `conflict` (`changed_meanwhile`),
 * `precondition` (`yourself`, `last_administrator`, `role_not_offered`, `sessions_to_come`), `not_found` (`person`).
 */
export async function changeRole(
  ctx: Ctx,
  effects: AccountEffects,
  { userId, from, to }: { userId: string; from: Role; to: Role },
): Promise<ListedUser> {
  authorize(ctx.actor, ['manage_roles']);
  return transact(ctx, async (tx) => {
    await effects.lockSessions(tx, userId);
    await lockPeople(tx, userId);
    const before = await accountOf(tx, userId);
    if (before.role === to) return listedUser(tx, userId);
    if (before.role !== from) throw new AppError('conflict', 'changed_meanwhile');
    await requireDispensable(tx, effects, before);
    if (!(await offersOf(tx, effects, before)).includes(to))
      throw new AppError('precondition', 'role_not_offered');
    if (isProvider(from) && !isProvider(to) && (await effects.comingSessions(tx, userId)) > 0)
      throw new AppError('precondition', 'sessions_to_come');
    const granted = to === 'super_admin' && {
      administration_granted_at: new Date(tx.now().epochMilliseconds),
    };
    await tx.db
      .updateTable('profiles')
      .set({ role: to, ...granted })
      .where('id', '=', userId)
      .execute();
    await effects.followListing(tx, userId);
    await recordAccount(tx, userId, 'role_changed', { role: `${from} → ${to}` });
    await endSessions(tx, userId);
    await effects.tellOfAccount(tx, userId, 'role_changed');
    await notifyAdministrators(tx, userId);
    return listedUser(tx, userId);
  });
}

/**
 * Suspends an account: ends sign-in sessions, hides a specialist's listing and applies the plan to their sessions.
 * Throws `precondition` (`yourself`, `last_administrator`), `conflict` (`sessions_changed`, `reassign_taken`),
 * `not_found` (`person`).
 */
export async function suspendUser(
  ctx: Ctx,
  effects: AccountEffects,
  { userId, reason, sessions = [] }: { userId: string; reason: SuspensionReason; sessions?: SessionPlan },
): Promise<ListedUser> {
  authorize(ctx.actor, ['manage_users']);
  return transact(ctx, async (tx) => {
    await effects.lockSessions(tx, userId, sessions);
    await lockPeople(tx, userId);
    const before = await accountOf(tx, userId);
    if (before.status === 'suspended') return listedUser(tx, userId);
    await requireDispensable(tx, effects, before);
    await effects.settleSessions(tx, userId, sessions);
    await tx.db
      .updateTable('profiles')
      .set({ suspended_at: new Date(tx.now().epochMilliseconds) })
      .where('id', '=', userId)
      .execute();
    await effects.followListing(tx, userId);
    await endSessions(tx, userId);
    await endLinks(tx, userId);
    await recordAccount(tx, userId, 'user_suspended', { reason });
    await effects.tellOfAccount(tx, userId, 'suspended');
    await notifyAdministrators(tx, userId);
    return listedUser(tx, userId);
  });
}

/** Lifts a suspension and restores a specialist's listing. Throws `not_found` (`person`). */
export async function reactivateUser(ctx: Ctx, effects: AccountEffects, userId: string): Promise<ListedUser> {
  authorize(ctx.actor, ['manage_users']);
  return transact(ctx, async (tx) => {
    await lockPeople(tx, userId);
    const before = await accountOf(tx, userId);
    if (before.status !== 'suspended') return listedUser(tx, userId);
    await tx.db.updateTable('profiles').set({ suspended_at: null }).where('id', '=', userId).execute();
    await effects.followListing(tx, userId);
    await recordAccount(tx, userId, 'user_reactivated');
    await effects.tellOfAccount(tx, userId, 'restored');
    await notifyAdministrators(tx, userId);
    return listedUser(tx, userId);
  });
}

/**
 * Deletes an account without grace period: sign-in sessions end immediately, erasure runs as a job. Throws `invalid`
 * (`other_address`) if the typed email differs, `precondition` (`yourself`, `last_administrator`), `not_found`
 * (`person`).
 */
export async function removeUser(
  ctx: Ctx,
  effects: AccountEffects,
  { userId, email }: { userId: string; email: string },
): Promise<{ removed: true }> {
  authorize(ctx.actor, ['manage_users']);
  return transact(ctx, async (tx) => {
    await lockPeople(tx, userId);
    const before = await accountOf(tx, userId);
    if (before.email !== email.toLowerCase()) throw invalidField('email', 'other_address');
    await requireDispensable(tx, effects, before);
    await tx.db
      .updateTable('profiles')
      .set({ delete_after: new Date(tx.now().epochMilliseconds) })
      .where('id', '=', userId)
      .execute();
    await effects.followListing(tx, userId);
    await endSessions(tx, userId);
    await endLinks(tx, userId);
    await recordAccount(tx, userId, 'user_deleted');
    await effects.tellOfAccount(tx, userId, 'deleted');
    await tx.emit(tx, 'accounts.deletion_due', { userId });
    await notifyAdministrators(tx, userId);
    return { removed: true };
  });
}

/** Revokes one of an account's API tokens. Throws `not_found` (`person`, `api_token`). */
export async function revokeUserToken(
  ctx: Ctx,
  { userId, tokenId, reason }: { userId: string; tokenId: string; reason: SuspensionReason },
): Promise<ListedUser> {
  authorize(ctx.actor, ['manage_users']);
  return transact(ctx, async (tx) => {
    await lockPeople(tx, userId);
    await accountOf(tx, userId);
    await deleteApiToken(tx, userId, tokenId, { reason });
    await notifyAdministrators(tx, userId);
    return listedUser(tx, userId);
  });
}

/** Refuses one's own account and the last administrator. */
async function requireDispensable(
  tx: TxCtx,
  { adminEmails }: AccountEffects,
  { id, role }: { id: string; role: Role },
): Promise<void> {
  if (id === signedIn(tx).id) throw new AppError('precondition', 'yourself');
  if (role === 'super_admin') await requireOtherAdministrator(tx, adminEmails, id);
}
