import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { lockDays, undoHours } from './rules.ts';

/** Until when nobody can sign in to an account whose address an administrator changed; null if it isn't held. */
export async function heldUntil(ctx: Ctx, userId: string): Promise<Temporal.Instant | null> {
  return openUntil(ctx, userId, undoHours);
}

/** Refuses to let anybody into an account that is held, as forbidden `address_held`. */
export async function requireNotHeld(ctx: Ctx, userId: string): Promise<void> {
  const until = await heldUntil(ctx, userId);
  if (until) throw new AppError('forbidden', 'address_held', { data: { until: until.toString() } });
}

/**
 * Throws forbidden `address_changed` while the owner of this address can still undo an administrator's change: given to
 * another account, it couldn't be given back.
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
 * Refuses, as precondition `private_locked`, what only a person themselves may read, while an administrator's change of
 * their address is new and not confirmed from the former one: who is signed in may be somebody else.
 */
export async function requireUnlocked(ctx: Ctx, userId: string): Promise<void> {
  const until = await openUntil(ctx, userId, 24 * lockDays);
  if (until) throw new AppError('precondition', 'private_locked', { data: { until: until.toString() } });
}

/** When the account's last open change is so many hours old; null if it is already, or there is none. */
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
