import { AppError, invalidField } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { authorise } from '#/features/access/rules.ts';
import { requireFresh } from '#/features/accounts/commands.ts';
import type { SessionPlan } from '#/features/accounts/directory/contract.ts';
import { recordView } from '#/features/audit/commands.ts';
import { restore, revoke } from '#/features/providers/practice/commands.ts';
import { guestIdsOf, lockDiaries } from '../diary/queries.ts';
import { cancelSettled } from '../life-cycle/commands.ts';
import { reassign } from '../reassignment/commands.ts';
import type { HandoverView } from './contract.ts';
import { handoverOf, sessionsToSettle, type SessionToSettle, type WithGuests } from './queries.ts';
import { canReassign } from './rules.ts';

declare module '#/platform/context.ts' {
  interface Events {
    /** `to` is the replacement session. */
    'booking.settled': { providerId: string; sessions: { id: string; to: string | null }[] };
  }
}

/** Returns approval status and upcoming sessions. Logs whose sessions were viewed. */
export async function lookAtHandover(
  ctx: Ctx,
  providerId: string,
  withGuests: WithGuests,
): Promise<HandoverView> {
  const handover = await handoverOf(ctx, providerId, withGuests);
  await recordView(ctx, {
    action: 'booking.searched',
    category: 'service_management',
    subject: { kind: 'provider', id: providerId },
  });
  return handover;
}

/**
 * Revokes a specialist's approval and applies the plan to each session. Throws `not_found` (`specialist`) or `conflict`
 * (`already_revoked`, `sessions_changed`, `reassign_taken`).
 */
export async function revokeApproval(
  ctx: Ctx,
  { providerId, reason, sessions }: { providerId: string; reason: string; sessions: SessionPlan },
  withGuests: WithGuests,
): Promise<{ id: string; revoked: boolean }> {
  authorise(ctx.actor, ['manage_providers']);
  await requireFresh(ctx);
  return transact(ctx, async (tx) => {
    await holdSessions(tx, providerId, sessions, withGuests);
    await revoke(tx, providerId, reason);
    await settleSessions(tx, providerId, sessions, withGuests);
    return { id: providerId, revoked: true };
  });
}

/** Restores a specialist's approval. Throws `not_found` (`specialist`) or `conflict` (`not_revoked`). */
export async function restoreApproval(
  ctx: Ctx,
  providerId: string,
): Promise<{ id: string; revoked: boolean }> {
  authorise(ctx.actor, ['manage_providers']);
  await requireFresh(ctx);
  return transact(ctx, async (tx) => {
    await restore(tx, providerId);
    return { id: providerId, revoked: false };
  });
}

/** Locks diaries of the specialist, their clients and guests, and planned replacements. */
export async function holdSessions(
  tx: TxCtx,
  providerId: string,
  plan: SessionPlan,
  withGuests: WithGuests,
): Promise<void> {
  const sessions = plan.length === 0 ? [] : await sessionsToSettle(tx, providerId, withGuests);
  const people = [providerId, ...plan.flatMap((one) => one.providerId ?? [])];
  for (const session of sessions) {
    people.push(session.own.clientId);
    if (session.withGuests) people.push(...(await guestIdsOf(tx, session.own)));
  }
  await lockDiaries(tx, people);
}

/**
 * Applies the plan to each session; requires `holdSessions`. Throws `conflict`: `sessions_changed` if the plan is
 * outdated or incomplete, `reassign_taken` if a replacement is no longer free. Throws `not_reassignable` for an invalid
 * replacement.
 */
export async function settleSessions(
  tx: TxCtx,
  providerId: string,
  plan: SessionPlan,
  withGuests: WithGuests,
): Promise<void> {
  const sessions = await sessionsToSettle(tx, providerId, withGuests);
  const planned = new Map(plan.map((one) => [one.appointmentId, one]));
  const asSeen = ({ row }: SessionToSettle) => planned.get(row.id)?.sequence === row.sequence;
  if (planned.size !== sessions.length || !sessions.every(asSeen))
    throw new AppError('conflict', 'sessions_changed');
  const moved: { session: SessionToSettle; to: string }[] = [];
  const settled: { id: string; to: string | null }[] = [];
  for (const session of sessions) {
    const { outcome, providerId: to } = planned.get(session.row.id)!;
    if (outcome === 'keep') continue;
    if (outcome === 'reassign') {
      if (!to || to === providerId || to === session.own.clientId)
        throw invalidField('sessions', 'not_reassignable');
      // A guest was invited after the administrator loaded the list.
      if (!canReassign(session)) throw new AppError('conflict', 'sessions_changed');
      moved.push({ session, to });
    }
    const reason = outcome === 'cancel' ? m.handover_cancelled_reason() : m.handover_reassigned_reason();
    await cancelSettled(tx, session, reason);
    if (outcome === 'cancel') settled.push({ id: session.row.id, to: null });
  }
  // Keeps one booking together when the same specialist takes several of its sessions.
  const bookings = Map.groupBy(moved, ({ session, to }) => `${session.row.booking_id} ${to}`);
  for (const group of bookings.values()) {
    const rows = group.map(({ session }) => session.row);
    const ids = await reassign(tx, rows, group[0]!.to);
    settled.push(...rows.map(({ id }, index) => ({ id, to: ids[index]! })));
  }
  if (settled.length > 0) await tx.emit(tx, 'booking.settled', { providerId, sessions: settled });
}
