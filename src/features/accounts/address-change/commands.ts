import { randomBytes } from 'node:crypto';
import { AppError } from '#/kernel/errors.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { digest } from '#/platform/tokens.ts';
import { maskedAddress } from '../administration/rules.ts';
import { deleteSessions, endLinks, makeLinkToken } from '../commands.ts';
import { blockedUntil, requireNoUndo } from '../queries.ts';
import { erasedAddress, lockDays, undoHours } from '../rules.ts';
import type { AddressChange } from './contract.ts';
import { requireChange, requireLockedChange, type Change } from '../policies.ts';

declare module '#/platform/context.ts' {
  interface Events {
    /** The owner undid an email change, and every change made between `since` and `until`. */
    'accounts.address_given_back': { userId: string; since: string; until: string };
  }
}

export type Readdressed =
  /** `token` is for the email to the former address; null if that address was unverified. */
  | { kind: 'held'; token: string | null; until: Temporal.Instant }
  /** Confirmed from both addresses. */
  | { kind: 'own'; token: string; until: Temporal.Instant }
  /** Never used: the new address only needs verification. */
  | { kind: 'unowned' }
  /** Changing back to a former address undoes it. */
  | { kind: 'given_back' };

/**
 * Changes an account's email on an administrator's behalf. Ends sign-in sessions and links, and blocks sign-in while
 * the former address can undo. Returning to a former address undoes that change instead. Callers lock the account's
 * rows.
 */
export async function changeAddress(
  tx: TxCtx,
  { userId, to }: { userId: string; to: string },
): Promise<Readdressed> {
  const before = await tx.db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .select(['email', 'email_verified', 'last_active_at'])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  const back = await tx.db
    .selectFrom('address_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('former_address', '=', to)
    .where('token', 'is not', null)
    .orderBy('position')
    .executeTakeFirst();
  if (back) {
    await restoreAddress(tx, back);
    return { kind: 'given_back' };
  }
  await endSignIns(tx, userId);
  await setAddress(tx, userId, { email: to, verified: false });
  // Unused accounts have no owner yet: a new specialist's typo is corrected this way.
  if (!before.email_verified && !before.last_active_at) return { kind: 'unowned' };
  const token = before.email_verified ? makeUndoToken() : null;
  const former = { userId, address: before.email, token };
  return { kind: 'held', token, until: await recordChange(tx, former, { byOwner: false }) };
}

/**
 * Changes an email that both addresses confirmed. Sign-in stays open, but sessions other than `exceptSession` and links
 * end; the former address can undo it. Throws like `requireNoUndo`. Callers lock the account.
 */
export async function changeOwnAddress(
  tx: TxCtx,
  { userId, to, exceptSession }: { userId: string; to: string; exceptSession: string },
): Promise<Extract<Readdressed, { kind: 'own' }>> {
  const { email } = await tx.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  await deleteSessions(tx, userId, exceptSession);
  await endLinks(tx, userId);
  await setAddress(tx, userId, { email: to, verified: true });
  // Who confirms from an earlier address settles what happened since it was the account's.
  await tx.db
    .deleteFrom('address_changes')
    .where('user_id', '=', userId)
    .where('position', '>=', ({ selectFrom, fn }) =>
      selectFrom('address_changes as earlier')
        .select(fn.min('position').as('position'))
        .where('earlier.user_id', '=', userId)
        .where('earlier.former_address', '=', to),
    )
    .execute();
  // Must follow the update, which waits for concurrent changes of this address.
  await requireNoUndo(tx, to);
  const token = makeUndoToken();
  const until = await recordChange(tx, { userId, address: email, token }, { byOwner: true });
  return { kind: 'own', token, until };
}

/** Throws `not_found` (`address_change`). */
export async function readAddressChange(ctx: Ctx, token: string): Promise<AddressChange> {
  const change = await requireChange(ctx, token);
  const { email } = await ctx.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', change.user_id)
    .executeTakeFirstOrThrow();
  const until = undoEnd(change);
  return {
    address: maskedAddress(email),
    changedAt: change.changed_at.toISOString(),
    undoUntil: Temporal.Instant.compare(ctx.now(), until) < 0 ? until.toString() : null,
    byOwner: change.by_owner,
  };
}

/**
 * Restores the former email and removes passwords, second factors, passkeys, linked identities, phones, known devices,
 * links and sign-in sessions added since. Returns a password reset token. Throws `not_found` (`address_change`), `precondition` (`undo_over`), or
 * `conflict` (`address_taken`) if another account verified the address.
 */
export async function undoAddressChange(ctx: Ctx, token: string): Promise<{ resetToken: string }> {
  return transact(ctx, async (tx) => {
    const change = await requireLockedChange(tx, token);
    if (Temporal.Instant.compare(tx.now(), undoEnd(change)) >= 0)
      throw new AppError('precondition', 'undo_over');
    try {
      await restoreAddress(tx, change);
    } catch (error) {
      // Another account took the address concurrently.
      if (sqlState(error) === '23505') throw new AppError('conflict', 'address_taken');
      throw error;
    }
    return { resetToken: await makeLinkToken(tx, 'reset-password', change.user_id) };
  });
}

/** Throws `not_found` (`address_change`). */
export async function confirmAddressChange(ctx: Ctx, token: string): Promise<{ confirmed: true }> {
  return transact(ctx, async (tx) => {
    const { user_id: userId, position } = await requireLockedChange(tx, token);
    // Confirms only this change: an earlier one may involve the administrator's own address, and later ones weren't
    // part of the question.
    await tx.db
      .deleteFrom('address_changes')
      .where('user_id', '=', userId)
      .where('position', '=', position)
      .execute();
    const subject = { kind: 'person', id: userId };
    await recordDone(tx, { action: 'address_change_confirmed', subject });
    if (!(await blockedUntil(tx, userId)))
      await tx.emit(tx, 'accounts.verification_requested', { userId, next: '/home' });
    return { confirmed: true };
  });
}

/** Deletes expired email changes; runs hourly. */
export async function deleteExpiredChanges(ctx: Ctx): Promise<void> {
  const over = ctx.now().subtract({ hours: 24 * lockDays });
  await ctx.db
    .deleteFrom('address_changes')
    .where('changed_at', '<=', new Date(over.epochMilliseconds))
    .execute();
}

function makeUndoToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Returns when the undo ends. */
async function recordChange(
  tx: TxCtx,
  { userId, address, token }: { userId: string; address: string; token: string | null },
  { byOwner }: { byOwner: boolean },
): Promise<Temporal.Instant> {
  await tx.db
    .insertInto('address_changes')
    .values({
      id: tx.newId(),
      user_id: userId,
      former_address: address,
      token: token && digest(token),
      changed_at: new Date(tx.now().epochMilliseconds),
      by_owner: byOwner,
    })
    .execute();
  return tx.now().add({ hours: undoHours });
}

function undoEnd({ changed_at }: Change): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(changed_at.getTime()).add({ hours: undoHours });
}

async function restoreAddress(tx: TxCtx, { user_id: userId, position, ...change }: Change): Promise<void> {
  await endSignIns(tx, userId);
  for (const table of [
    'credentials',
    'second_factors',
    'passkeys',
    'linked_identities',
    'sign_in_phones',
    'known_devices',
  ] as const)
    await tx.db
      .deleteFrom(table)
      .where('user_id', '=', userId)
      .where(table === 'credentials' ? 'updated_at' : 'created_at', '>', change.changed_at)
      .execute();
  await tx.db
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .where('by_passkey', '=', true)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('passkeys').select('id').where('user_id', '=', userId))),
    )
    .execute();
  await freeAddress(tx, change.former_address);
  await setAddress(tx, userId, { email: change.former_address, verified: true });
  await tx.db
    .deleteFrom('address_changes')
    .where('user_id', '=', userId)
    .where('position', '>=', position)
    .execute();
  const subject = { kind: 'person', id: userId };
  await recordDone(tx, { action: 'address_change_undone', subject });
  const since = change.changed_at.toISOString();
  await tx.emit(tx, 'accounts.address_given_back', { userId, since, until: tx.now().toString() });
}

/** Takes the email from an unverified account. Throws `conflict` (`address_taken`) if verified. */
async function freeAddress(tx: TxCtx, email: string): Promise<void> {
  const holder = await tx.db
    .selectFrom('users')
    .select(['id', 'email_verified'])
    .where('email', '=', email)
    .executeTakeFirst();
  if (!holder) return;
  if (holder.email_verified) throw new AppError('conflict', 'address_taken');
  await endSignIns(tx, holder.id);
  await setAddress(tx, holder.id, { email: erasedAddress(holder.id), verified: false });
}

async function setAddress(
  tx: TxCtx,
  userId: string,
  { email, verified }: { email: string; verified: boolean },
): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ email, email_verified: verified, updated_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', userId)
    .execute();
}

async function endSignIns(tx: TxCtx, userId: string): Promise<void> {
  await deleteSessions(tx, userId);
  await endLinks(tx, userId);
}
