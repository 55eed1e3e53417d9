import { sql } from 'kysely';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { digestHex } from '#/platform/tokens.ts';
import { authorize } from '#/features/access/rules.ts';
import { requireFresh } from '#/features/accounts/commands.ts';
import type { SessionPlan } from '#/features/accounts/users/contract.ts';
import { recordDone, recordView } from '#/features/audit/commands.ts';
import { scheduleOf } from '#/features/availability/queries.ts';
import { restore, revoke } from '#/features/providers/practice/commands.ts';
import type { Appointment } from '../appointment/tables.ts';
import { storeBooking } from '../changes/commands.ts';
import { commitmentsOf, guestIdsOf, lockDiaries } from '../diary/queries.ts';
import { decideBooking, sessionOffered, spanFrom, type DecidedSession } from '../diary/rules.ts';
import { cancelSettled } from '../life-cycle/commands.ts';
import { offerOf, type Offer } from '../offer/queries.ts';
import { contactOf } from '../on-behalf/queries.ts';
import { addReminders } from '../reminders/commands.ts';
import type { HandoverView } from './contract.ts';
import { handoverOf, sessionsToSettle, type SessionToSettle, type WithGuests } from './queries.ts';
import { canReassign } from '../appointment/rules.ts';

declare module '#/platform/context.ts' {
  interface Events {
    /** `to` is the replacement session. */
    'booking.settled': { providerId: string; sessions: { id: string; to: string | null }[] };
  }
}

/** Returns approval status and upcoming sessions. Logs whose sessions were viewed. */
export async function viewHandover(
  ctx: Ctx,
  providerId: string,
  withGuests: WithGuests,
): Promise<HandoverView> {
  const handover = await handoverOf(ctx, providerId, withGuests);
  await recordView(ctx, { action: 'booking.searched', subject: { kind: 'provider', id: providerId } });
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
  authorize(ctx.actor, ['manage_providers']);
  await requireFresh(ctx);
  return transact(ctx, async (tx) => {
    await lockSessions(tx, providerId, sessions, withGuests);
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
  authorize(ctx.actor, ['manage_providers']);
  await requireFresh(ctx);
  return transact(ctx, async (tx) => {
    await restore(tx, providerId);
    return { id: providerId, revoked: false };
  });
}

/** Locks diaries of the specialist, their clients and guests, and planned replacements. */
export async function lockSessions(
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
 * Applies the plan to each session; requires `lockSessions`. Throws `conflict`: `sessions_changed` if the plan is
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
  if (plan.length !== sessions.length || !sessions.every(asSeen))
    throw new AppError('conflict', 'sessions_changed');
  const moved: { session: SessionToSettle; to: string }[] = [];
  const settled: { id: string; to: string | null }[] = [];
  for (const session of sessions) {
    const { outcome, providerId: to } = planned.get(session.row.id)!;
    if (outcome === 'keep') continue;
    if (outcome === 'reassign') {
      if (!to || to === providerId || to === session.own.clientId)
        throw invalidField('sessions', 'not_reassignable');
      // A guest was invited since the list loaded.
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

/**
 * Rebooks canceled sessions of one booking with another specialist, keeping times and prices, and returns new ids in
 * order. Normal booking rules apply except advance notice; approval still applies.
 *
 * Nothing the client shared with the previous specialist carries over, except a phone session's number. Requires locked
 * diaries. Throws `conflict` (`reassign_taken`) naming the session.
 */
async function reassign(tx: TxCtx, sessions: readonly Appointment[], providerId: string): Promise<string[]> {
  const [first] = sessions;
  const { client_id: clientId, service_id: serviceId } = first!;
  const offer = await offerOf(tx, { providerId, serviceId });
  const known = await contactOf(tx, { clientId, providerId });
  if (!offer || !known) throw takenError(first!);
  const now = new Date(tx.now().epochMilliseconds);
  const bookingId = tx.newId();
  const metBefore = await haveMet(tx, clientId, providerId);
  const appointments: Appointment[] = [];
  for (const [index, session] of sessions.entries()) {
    const decided = await decide(tx, session, providerId, offer);
    appointments.push({
      ...session,
      id: tx.newId(),
      booking_id: bookingId,
      series_index: index + 1,
      series_count: sessions.length,
      provider_id: providerId,
      status: offer.approvesFirst ? 'pending' : 'confirmed',
      kind: metBefore || index > 0 ? 'follow-up' : 'consultation',
      place_id: null,
      blocked_until: new Date(decided.blockedUntil),
      local_date: decided.localDate,
      contact_name: known.contact.name,
      contact_email: known.contact.email,
      contact_phone: session.session_type === 'phone' ? session.contact_phone : (known.contact.phone ?? null),
      sequence: 0,
      moved_reason: null,
      sealed_moved_reason: null,
      created_at: now,
      updated_at: now,
    });
  }
  const { recurrence } = await tx.db
    .selectFrom('bookings')
    .select('recurrence')
    .where('id', '=', first!.booking_id)
    .executeTakeFirstOrThrow();
  const refusals = await storeBooking(
    tx,
    {
      id: bookingId,
      client_id: clientId,
      idempotency_key: tx.newId(),
      fingerprint: digestHex(`reassigned ${first!.booking_id}`),
      recurrence,
      created_at: now,
    },
    appointments,
  );
  const refused = sessions.find((_, index) => refusals.has(appointments[index]!.id));
  if (refused) throw takenError(refused);
  await addReminders(
    tx,
    appointments.map(({ id, starts_at, reminder_minutes }) => ({
      appointmentId: id,
      start: starts_at.getTime(),
      clientId,
      providerId,
      ownMinutes: reminder_minutes,
      siteMinutes: offer.site.reminderMinutes,
    })),
  );
  await recordDone(tx, {
    action: 'booking.booked',
    subject: { kind: 'booking', id: bookingId },
    details: { by: 'administrator', providerId, sessions: sessions.length, recurrence },
  });
  await tx.emit(tx, 'booking.booked', { bookingId, by: 'administrator' });
  await publish(tx, [`person:${clientId}`, `person:${providerId}`], {
    type: 'booking.changed',
    id: appointments[0]!.id,
  });
  return appointments.map(({ id }) => id);
}

async function decide(
  tx: TxCtx,
  session: Appointment,
  providerId: string,
  offer: Offer,
): Promise<DecidedSession> {
  const start = session.starts_at.getTime();
  const durationMinutes = (session.ends_at.getTime() - start) / 60_000;
  if (!sessionOffered(offer, { durationMinutes, sessionType: session.session_type }))
    throw takenError(session);
  const now = tx.now().epochMilliseconds;
  const parties = { providerId, clientId: session.client_id };
  const { entries, own } = await commitmentsOf(tx, parties, spanFrom(start, now));
  const [decided] = decideBooking({
    input: { start, durationMinutes, recurrence: 'one_time', sessions: 1 },
    diary: { schedule: await scheduleOf(tx, providerId), ...entries },
    own,
    settings: offer.site,
    inPerson: false,
    withoutNotice: true,
    now,
  });
  if (decided!.refusal !== null) throw takenError(session);
  return decided!;
}

function takenError({ id }: Appointment): AppError {
  return new AppError('conflict', 'reassign_taken', { data: { appointmentId: id } });
}

async function haveMet(tx: TxCtx, clientId: string, providerId: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('appointments')
    .select('id')
    .where('client_id', '=', clientId)
    .where('provider_id', '=', providerId)
    // Literal, so generic plans expect a match and stop at it.
    .where('status', '<>', sql.lit('cancelled'))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
