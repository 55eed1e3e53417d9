import { isProvider, type Role } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import { requireKnownZone } from '#/kernel/zone-clock.ts';
import { authorize, topicsOf } from '#/features/access/rules.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone, recordView, type AuditedAction } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { csvLines } from '#/platform/csv.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { clearPageCache, publish } from '#/platform/realtime/publish.ts';
import { apiTokensOf } from '../api-tokens/queries.ts';
import { deleteSessions, requireFresh, signedIn } from '../commands.ts';
import { changeProfile, withoutUndefined } from '../profile/commands.ts';
import { changeAddress, type Readdressed } from '../address-change/commands.ts';
import { blockedUntil } from '../queries.ts';
import { discardExports } from '../export/commands.ts';
import { devicesOf } from '../session/queries.ts';
import type {
  EditInput,
  ExportInput,
  ListedUser,
  ListInput,
  OpenedUser,
  Cursor,
  SessionPlan,
} from './contract.ts';
import type { AccountChange } from '../rules.ts';
import { accountOf, countUsers, usersPage } from './queries.ts';
import { exportedAtOnce, offeredRoles } from './rules.ts';

/** Callbacks into other features when an account changes; composed in `app`. */
export interface AccountEffects {
  /** Addresses allowed to administer the site, once verified. */
  adminEmails: readonly string[];
  hasListing(ctx: Ctx, userId: string): Promise<boolean>;
  comingSessions(ctx: Ctx, userId: string): Promise<number>;
  /**
   * Locks bookings of the person and planned replacements until the transaction ends. Call before taking other locks.
   */
  lockSessions(tx: TxCtx, userId: string, plan?: SessionPlan): Promise<void>;
  /**
   * Applies the plan to a specialist's sessions. Throws `conflict` (`sessions_changed`) if they differ from the plan.
   */
  settleSessions(tx: TxCtx, userId: string, plan: SessionPlan): Promise<void>;
  /** Hides or restores a specialist's listing as their access changes, in the same transaction. */
  followListing(tx: TxCtx, userId: string): Promise<void>;
  tellAddresses(
    tx: TxCtx,
    userId: string,
    addresses: { from: string; to: string },
    outcome: Readdressed,
  ): Promise<void>;
  /** Gives contact details but no reasons. */
  tellOfAccount(tx: TxCtx, userId: string, change: AccountChange): Promise<void>;
}

/** Returns one page of accounts with a match count. Logs that a search happened, never its terms. */
export async function listUsers(
  ctx: Ctx,
  input: ListInput,
): Promise<{ users: ListedUser[]; beyond: Cursor | null; found: { count: number; more: boolean } }> {
  authorize(ctx.actor, ['manage_users']);
  await recordView(ctx, { action: 'users_listed' });
  const [page, found] = await Promise.all([usersPage(ctx, input, input), countUsers(ctx, input)]);
  return { ...page, found };
}

/** Opens an account, logged as access to personal data. Throws `not_found` (`person`). */
export async function openUser(ctx: Ctx, effects: AccountEffects, userId: string): Promise<OpenedUser> {
  authorize(ctx.actor, ['manage_users']);
  const opened = await openedOf(ctx, effects, userId);
  await recordView(ctx, { action: 'user_viewed', subject: { kind: 'person', id: userId } });
  // API tokens don’t see sessions and devices.
  const scoped = 'scopes' in ctx.actor && ctx.actor.scopes !== undefined;
  return scoped ? { ...opened, devices: [], apiTokens: [] } : opened;
}

/**
 * Edits an account's name, email and time zone. A new email ends sign-in sessions and notifies both addresses; the
 * former one can undo it before sign-in reopens. Throws `conflict` (`changed_meanwhile`, `address_taken`),
 * `precondition` (`administrator_address`), `invalid` (`unknown_zone`, `practice_zone`), `not_found` (`person`).
 */
export async function editUser(ctx: Ctx, effects: AccountEffects, input: EditInput): Promise<OpenedUser> {
  authorize(ctx.actor, ['manage_users']);
  requireKnownZone(input.timeZone);
  const { userId, fullName, email } = input;
  try {
    return await transact(ctx, async (tx) => {
      await lockPeople(tx, userId);
      const before = await accountOf(tx, userId);
      const timeZone = input.timeZone ?? before.timeZone;
      const changed = withoutUndefined({
        name: before.name === fullName ? undefined : fullName,
        email: before.email === email ? undefined : email,
        timeZone: before.timeZone === timeZone ? undefined : timeZone,
      });
      if (Object.keys(changed).length === 0) return openedOf(tx, effects, userId);
      if (before.version !== input.version) throw new AppError('conflict', 'changed_meanwhile');
      // Portal access requires a configured email, so a new address would lock the administrator out.
      if (changed.email !== undefined && before.role === 'super_admin')
        throw new AppError('precondition', 'administrator_address');
      await changeProfile(tx, userId, { full_name: fullName, time_zone: timeZone });
      await tx.db
        .updateTable('users')
        .set({ name: fullName, updated_at: new Date(tx.now().epochMilliseconds) })
        .where('id', '=', userId)
        .execute();
      await recordAccount(tx, userId, 'user_edited', { changed: Object.keys(changed).join(' ') });
      if (changed.email !== undefined) {
        const outcome = await changeAddress(tx, { userId, to: email });
        await discardExports(tx, userId);
        await effects.tellAddresses(tx, userId, { from: before.email, to: email }, outcome);
        if (outcome.kind !== 'given_back')
          await tx.emit(
            tx,
            'accounts.verification_requested',
            { userId, next: '/home' },
            outcome.kind === 'held' ? { startAfter: outcome.until } : {},
          );
      }
      await publish(tx, [`person:${userId}`], { type: 'accounts.profile_changed', id: userId });
      if (isProvider(before.role)) await clearPageCache(tx);
      await notifyAdministrators(tx, userId);
      return openedOf(tx, effects, userId);
    });
  } catch (error) {
    if (sqlState(error) === '23505')
      throw new AppError('conflict', 'address_taken', {
        fields: [{ field: 'email', reason: 'address_taken' }],
      });
    throw error;
  }
}

/** Exports one chunk of accounts as CSV, logged; only the first chunk has a header row. */
export async function exportUsers(
  ctx: Ctx,
  input: ExportInput,
): Promise<{ text: string; rows: number; beyond: Cursor | null }> {
  authorize(ctx.actor, ['manage_users']);
  await requireFresh(ctx);
  const { search, role, status } = input;
  return transact(ctx, async (tx) => {
    const { users, beyond } = await usersPage(tx, input, {
      beyond: input.beyond,
      order: 'joined',
      descending: false,
      limit: exportedAtOnce,
    });
    await recordDone(tx, {
      action: 'users_exported',
      details: {
        rows: users.length,
        part: input.beyond ? 'further' : 'first',
        searched: search !== '',
        role: role ?? null,
        status: status ?? null,
      },
    });
    const lines = users.map((user) => [
      user.id,
      user.name,
      user.email,
      user.role,
      user.status,
      user.joinedAt,
      user.lastActiveAt,
    ]);
    const heading = ['id', 'name', 'email', 'role', 'status', 'joinDate', 'lastActive'];
    return { text: csvLines(input.beyond ? lines : [heading, ...lines]), rows: users.length, beyond };
  });
}

/**
 * Locks administrators and the affected person in a fixed order, serializing account changes. Rechecks the actor's
 * permission, which an earlier change may have revoked, and their reauthentication.
 */
export async function lockPeople(tx: TxCtx, userId: string): Promise<void> {
  const actor = signedIn(tx);
  const administrators = await tx.db
    .selectFrom('profiles')
    .where('role', '=', 'super_admin')
    .select(['id', 'suspended_at', 'delete_after'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const self = administrators.find(({ id }) => id === actor.id);
  const deleted = self?.delete_after && self.delete_after.getTime() <= tx.now().epochMilliseconds;
  if (!self || self.suspended_at || deleted) throw new AppError('forbidden', 'capability_missing');
  await requireFresh(tx);
  for (const table of ['profiles', 'users'] as const)
    await tx.db.selectFrom(table).where('id', '=', userId).select('id').forNoKeyUpdate().execute();
}

export async function offersOf(
  ctx: Ctx,
  { adminEmails, hasListing }: AccountEffects,
  account: { id: string; role: Role; email: string; emailVerified: boolean },
): Promise<Role[]> {
  return offeredRoles({
    role: account.role,
    hasListing: await hasListing(ctx, account.id),
    adminAddress: account.emailVerified && adminEmails.includes(account.email),
  });
}

async function openedOf(ctx: Ctx, effects: AccountEffects, userId: string): Promise<OpenedUser> {
  const account = await accountOf(ctx, userId);
  return {
    ...account,
    offeredRoles: await offersOf(ctx, effects, account),
    hasListing: await effects.hasListing(ctx, userId),
    comingSessions: await effects.comingSessions(ctx, userId),
    apiTokens: await apiTokensOf(ctx, userId),
    heldUntil: (await blockedUntil(ctx, userId))?.toString() ?? null,
    devices: (await devicesOf(ctx, { personId: userId, currentSession: null })).map(
      ({ id, browser, system, kind, signedInAt, lastUsedAt }) => ({
        id,
        browser,
        system,
        kind,
        signedInAt,
        lastUsedAt,
      }),
    ),
  };
}

/** Signs an account out everywhere, and revokes its API tokens. */
export async function endSessions(tx: TxCtx, userId: string): Promise<void> {
  await deleteSessions(tx, userId);
  await tx.db.deleteFrom('api_tokens').where('user_id', '=', userId).execute();
}

export async function recordAccount(
  tx: TxCtx,
  userId: string,
  action: Action,
  details?: AuditedAction['details'],
): Promise<void> {
  await recordDone(tx, { action, subject: { kind: 'person', id: userId }, ...(details ? { details } : {}) });
}

export async function notifyAdministrators(tx: TxCtx, userId: string): Promise<void> {
  await publish(tx, topicsOf('manage_users'), { type: 'directory.changed', id: userId });
}
