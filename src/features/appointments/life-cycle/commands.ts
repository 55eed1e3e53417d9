import { AppError } from '#/kernel/errors.ts';
import { overlaps } from '#/kernel/interval.ts';
import { changesIn } from '#/features/audit/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { scheduleOf } from '#/features/availability/queries.ts';
import {
  countChange,
  movedTimes,
  recordChange,
  release,
  remindedSession,
  storeCancellation,
  storeMove,
  notifyScreens,
  needsApprovalAfterMove,
  writeAppointment,
  type Locked,
} from '../changes/commands.ts';
import type { AppointmentAction, AppointmentChange, AppointmentView } from '../appointment/contract.ts';
import { withMoreTimes, refuseClashes, refuseNotFree, refuseTaken } from '../diary/commands.ts';
import { bookingSettings } from '../offer/queries.ts';
import { commitmentsOf, guestIdsOf, lockDiaries } from '../diary/queries.ts';
import { appointmentView, sessionsToCome } from '../appointment/queries.ts';
import { replaceClientReminders } from '../reminders/commands.ts';
import { decideBooking, spanFrom } from '../diary/rules.ts';
import type { Appointment } from '../appointment/tables.ts';
import { refuseAction, type Side } from '../appointment/rules.ts';
import { requireLicensed, requireParty, type Acting } from '../appointment/policies.ts';

declare module '#/platform/context.ts' {
  interface Events {
    /** Null for automatic expiry. */
    'booking.changed': {
      appointmentId: string;
      change: AppointmentChange;
      by: Side | null;
      /** Notifications come from `booking.settled` instead. */
      settled?: true;
    };
  }
}

/** Throws like `requireLicensed`. */
export async function confirm(ctx: Ctx, appointmentId: string): Promise<AppointmentView> {
  return act(ctx, appointmentId, 'confirm', async (tx, { own, row }) => {
    await requireLicensed(tx, own.providerId);
    await writeAppointment(tx, own, { status: 'confirmed', sequence: row.sequence + 1 });
    await tell(tx, own, 'confirmed');
  });
}

export async function decline(ctx: Ctx, appointmentId: string, reason?: string): Promise<AppointmentView> {
  return act(ctx, appointmentId, 'decline', (tx, locked) => cancelLocked(tx, locked, 'declined', reason));
}

/** Cancels a session; clients must meet the deadline. */
export async function cancel(ctx: Ctx, appointmentId: string, reason?: string): Promise<AppointmentView> {
  return act(ctx, appointmentId, 'cancel', (tx, locked) => cancelLocked(tx, locked, 'cancelled', reason));
}

export async function complete(ctx: Ctx, appointmentId: string): Promise<AppointmentView> {
  return act(ctx, appointmentId, 'complete', (tx, { own }) => close(tx, own, 'completed'));
}

export async function markNoShow(ctx: Ctx, appointmentId: string): Promise<AppointmentView> {
  return act(ctx, appointmentId, 'mark_no_show', (tx, { own }) => close(tx, own, 'no_show'));
}

/** Marks a session as an emergency. */
export async function markEmergency(ctx: Ctx, appointmentId: string): Promise<AppointmentView> {
  return act(ctx, appointmentId, 'mark_emergency', async (tx, { own }) => {
    await writeAppointment(tx, own, { kind: 'emergency' });
    await recordChange(tx, own, 'marked_emergency');
  });
}

/** The client's own reminder: minutes before the start. */
export async function setReminder(
  ctx: Ctx,
  appointmentId: string,
  minutes: number,
): Promise<AppointmentView> {
  return act(ctx, appointmentId, 'set_reminder', async (tx, locked) => {
    await writeAppointment(tx, locked.own, { reminder_minutes: minutes });
    await replaceClientReminders(tx, { ...remindedSession(locked), ownMinutes: minutes });
    const before = locked.row.reminder_minutes;
    await recordChange(tx, locked.own, 'reminder_set', changesIn({ minutes: before }, { minutes }));
  });
}

/**
 * Reschedules a session in place. Clients must respect advance notice and the deadline, and need confirmation again if
 * the provider approves first. Rescheduling to the same time does nothing.
 */
export async function reschedule(
  ctx: Ctx,
  appointmentId: string,
  startsAt: string,
): Promise<AppointmentView> {
  const start = Temporal.Instant.from(startsAt).epochMilliseconds;
  const own = await requireParty(ctx, appointmentId);
  return withMoreTimes(ctx, () =>
    act(ctx, appointmentId, 'reschedule', async (tx, locked) => {
      if (locked.row.starts_at.getTime() === start) return;
      await moveLocked(tx, locked, { start, withoutNotice: own.party === 'provider', reason: null });
    }),
  );
}

interface Move {
  start: number;
  withoutNotice: boolean;
  reason: string | null;
}

/** Moves an appointment if its new time is free for everyone; otherwise throws with the next free times. */
export async function moveLocked(
  tx: TxCtx,
  locked: Locked,
  { start, withoutNotice, reason }: Move,
): Promise<void> {
  const { own, row, settings } = locked;
  await countChange(tx, own.party, own);
  const now = tx.now().epochMilliseconds;
  const span = spanFrom(start, now);
  const schedule = await scheduleOf(tx, own.providerId);
  const commitments = await commitmentsOf(tx, own, span, [row.id]);
  const query = {
    meeting: { clientId: own.clientId, providerId: own.providerId, moving: row.id },
    diary: { schedule, ...commitments.entries },
    own: commitments.own,
    settings,
    inPerson: row.session_type === 'in-person',
    withoutNotice,
    now,
  };
  const durationMinutes = (row.ends_at.getTime() - row.starts_at.getTime()) / 60_000;
  const input = { start, durationMinutes, recurrence: 'one_time' as const, sessions: 1 };
  const [session] = decideBooking({ ...query, input });
  // Hides the client's other sessions from the provider.
  const refusal =
    own.party === 'provider' && session!.refusal === 'own_clash' ? 'slot_taken' : session!.refusal;
  const forAll = { ...query, own: [...commitments.own, ...commitments.guests] };
  refuseClashes([{ ...session!, refusal }], forAll);
  if (commitments.guests.some((other) => overlaps(other, session!))) refuseNotFree(session!, forAll);
  const waits = await needsApprovalAfterMove(tx, own);
  await refuseTaken(session!, forAll, () => storeMove(tx, locked, session!, { movedReason: reason, waits }));
  await tell(tx, own, 'rescheduled', {}, movedTimes(row, start));
}

/** Cancels upcoming sessions for account deletion, despite deadlines. */
export async function cancelUpcoming(tx: TxCtx, personId: string): Promise<void> {
  const before = await sessionsToCome(tx, personId);
  if (before.length > 0) {
    await lockDiaries(
      tx,
      before.flatMap(({ own }) => [own.clientId, own.providerId]),
    );
  }
  // Re-read under the lock.
  for (const session of await sessionsToCome(tx, personId)) {
    const { own } = session;
    await cancelLocked(tx, session, 'cancelled', undefined);
    await notifyScreens(tx, own, await guestIdsOf(tx, own));
  }
}

/** Cancels a departing specialist's session. Requires locked diaries; `booking.settled` notifies the parties. */
export async function cancelSettled(
  tx: TxCtx,
  { own, row }: Pick<Locked, 'own' | 'row'>,
  reason: string,
): Promise<void> {
  await cancelLocked(tx, { own, row }, 'cancelled', reason, { settled: true });
  await notifyScreens(tx, own, await guestIdsOf(tx, own));
}

/** Cancels or declines an appointment; the caller has locked the diaries and checked the action. */
export async function cancelLocked(
  tx: TxCtx,
  locked: Pick<Locked, 'own' | 'row'>,
  change: 'cancelled' | 'declined',
  reason: string | undefined,
  told: { settled?: true } = {},
): Promise<void> {
  await storeCancellation(tx, locked, reason);
  await tell(tx, locked.own, change, told);
}

async function close(tx: TxCtx, own: Acting, status: 'completed' | 'no_show'): Promise<void> {
  await writeAppointment(tx, own, { status });
  await release(tx, own.appointmentId);
  await tell(tx, own, status);
}

/** Runs one life-cycle action of a party. */
async function act(
  ctx: Ctx,
  appointmentId: string,
  action: AppointmentAction,
  work: (tx: TxCtx, locked: Locked) => Promise<void>,
): Promise<AppointmentView> {
  return transact(ctx, async (tx) => {
    const own = await requireParty(tx, appointmentId);
    await lockAndAct(tx, own, action, work);
    return appointmentView(tx, own.appointmentId);
  });
}

async function rowOf(ctx: Ctx, own: Acting): Promise<Appointment> {
  return ctx.db
    .selectFrom('appointments')
    .selectAll()
    .where('id', '=', own.appointmentId)
    .executeTakeFirstOrThrow();
}

/** Locks the diaries, re-reads and checks the appointment, makes the change, and notifies the screens. */
export async function lockAndAct(
  tx: TxCtx,
  own: Acting,
  action: AppointmentAction,
  work: (tx: TxCtx, locked: Locked) => Promise<void>,
): Promise<void> {
  const expected = await guestIdsOf(tx, own);
  await lockDiaries(tx, [own.clientId, own.providerId, ...expected]);
  // Guests who accepted since can't be locked in order anymore; the exclusion constraint still protects them.
  const guestIds = await guestIdsOf(tx, own);
  const row = await rowOf(tx, own);
  const settings = await bookingSettings(tx);
  const refusal = refuseAction(action, {
    appointment: { ...row, start: row.starts_at.getTime(), end: row.ends_at.getTime() },
    party: own.party,
    now: tx.now().epochMilliseconds,
    cancellationDeadlineHours: settings.cancellationDeadlineHours,
  });
  if (refusal) throw new AppError(refusal.code, refusal.reason);
  await work(tx, { own, row, guestIds, settings });
  await notifyScreens(tx, own, guestIds);
}

async function tell(
  tx: TxCtx,
  own: Acting,
  change: AppointmentChange,
  told: { settled?: true } = {},
  details: Readonly<Record<string, string>> = {},
): Promise<void> {
  await recordChange(tx, own, change, details);
  await tx.emit(tx, 'booking.changed', { appointmentId: own.appointmentId, change, by: own.party, ...told });
}
