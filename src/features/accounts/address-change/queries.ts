import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { lockDays, undoHours } from './rules.ts';

/** Returns when the sign-in block after an administrator's email change ends, or null. */
export async function heldUntil(ctx: Ctx, userId: string): Promise<Temporal.Instant | null> {
  return openUntil(ctx, userId, undoHours);
}

/** Throws `forbidden` (`address_held`) while sign-in is blocked. */
export async function requireNotHeld(ctx: Ctx, userId: string): Promise<void> {
  const until = await heldUntil(ctx, userId);
  if (until) throw new AppError('forbidden', 'address_held', { data: { until: until.toString() } });
}

/**
 * Throws `forbidden` (`address_changed`) while an administrator's change away from this address can be undone: another
 * account using it would prevent the undo.
 */
export async function requireNoUndo(ctx: Ctx, address: string): Promise<void> {
  const since = ctx.now().subtract({ hours: undoHours });
  const change = await ctx.db
    .selectFrom('address_changes')
    .select('changed_at')
    .where('former_address', '=', address)
    .where('token', 'is not', null)
    .where('changed_at', '>', new Date(since.epochMilliseconds))
    .orderBy('changed_at', 'desc')
    .executeTakeFirst();
  if (!change) return;
  const until = Temporal.Instant.fromEpochMilliseconds(change.changed_at.getTime()).add({ hours: undoHours });
  throw new AppError('forbidden', 'address_changed', { data: { until: until.toString() } });
}

/**
 * Throws `precondition` (`private_locked`) for private data while an administrator's email change is recent and
 * unconfirmed: someone else may be signed in.
 */
export async function requireUnlocked(ctx: Ctx, userId: string): Promise<void> {
  const until = await openUntil(ctx, userId, 24 * lockDays);
  if (until) throw new AppError('precondition', 'private_locked', { data: { until: until.toString() } });
}

/** Returns when the account's latest open change reaches this age, or null if past or absent. */
async function openUntil(ctx: Ctx, userId: string, hours: number): Promise<Temporal.Instant | null> {
  const last = await ctx.db
    .selectFrom('address_changes')
    .select(({ fn }) => fn.max('changed_at').as('at'))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!last?.at) return null;
  const until = Temporal.Instant.fromEpochMilliseconds(last.at.getTime()).add({ hours });
  return Temporal.Instant.compare(ctx.now(), until) < 0 ? until : null;
}
