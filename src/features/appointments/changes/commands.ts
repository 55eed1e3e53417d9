import { sql } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import { minuteText } from '#/kernel/iso.ts';
import type { TxCtx } from '#/platform/context.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { selfOf } from '#/features/access/rules.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { SiteTerms } from '../offer/queries.ts';
import { deleteReminders, replaceReminders, type RemindedSession } from '../reminders/commands.ts';
import type { DecidedSession } from '../diary/rules.ts';
import { sealed } from '../appointment/queries.ts';
import type { Side } from '../appointment/rules.ts';
import type { Appointment, BookingsTable } from '../appointment/tables.ts';
import type { Acting } from '../appointment/policies.ts';

export interface Locked {
  own: Acting;
  row: Appointment;
  /** Guests who accepted. */
  guestIds: readonly string[];
  settings: SiteTerms;
}

/** Requires locked diaries. */
export async function writeAppointment(tx: TxCtx, own: Acting, values: Partial<Appointment>): Promise<void> {
  await tx.db
    .updateTable('appointments')
    .set({ ...values, updated_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', own.appointmentId)
    .execute();
}

/**
 * Stores a booking and reserves both parties' time in one statement. Returns sessions rejected by exclusion
 * constraints, the final check; the caller then rolls back.
 */
export async function storeBooking(
  tx: TxCtx,
  booking: BookingsTable,
  appointments: readonly Appointment[],
): Promise<Map<string, 'slot_taken' | 'own_clash'>> {
  const rows = await insertBooking(tx.db, { booking, appointments });
  const held = new Set(rows.map((row) => `${row.appointment_id} ${row.person_id}`));
  const refusals = new Map<string, 'slot_taken' | 'own_clash'>();
  for (const { id, client_id, provider_id } of appointments) {
    if (!held.has(`${id} ${provider_id}`)) refusals.set(id, 'slot_taken');
    else if (!held.has(`${id} ${client_id}`)) refusals.set(id, 'own_clash');
  }
  return refusals;
}

const insertBooking = compiledOnce(
  (db, { booking, appointments }: { booking: BookingsTable; appointments: readonly Appointment[] }) =>
    db
      .with('booking', (one) => one.insertInto('bookings').values(booking))
      .with('stored', (one) =>
        one
          .insertInto('appointments')
          .values(appointments)
          // A plain insert would deadlock with concurrent ones.
          .onConflict((conflict) => conflict.doNothing())
          .returning(['id', 'client_id', 'provider_id', 'starts_at', 'ends_at']),
      )
      .with('held', (one) =>
        one
          .insertInto('participants')
          .columns(['appointment_id', 'person_id', 'starts_at', 'ends_at', 'held'])
          .expression((eb) =>
            eb
              .selectFrom('stored')
              .select(({ val }) => [
                'id',
                sql<string>`unnest(array[client_id, provider_id])`.as('person_id'),
                'starts_at',
                'ends_at',
                val(true).as('held'),
              ]),
          )
          .onConflict((conflict) => conflict.doNothing())
          .returning(['appointment_id', 'person_id']),
      )
      .selectFrom('held')
      .select(['appointment_id', 'person_id']),
);

/** Bookings and moves in a day, each emailed: of a client, and of a specialist for one client. */
const changesPerDay = { client: 60, provider: 20 };

/** Counts a booking or move; rollbacks don't count. Throws `rate_limited` (`too_many_today`). */
export async function countChange(
  tx: TxCtx,
  party: Side,
  { clientId, providerId }: { clientId: string; providerId: string },
): Promise<void> {
  if (party === 'administrator') return;
  const key = party === 'client' ? `sessions:${clientId}` : `sessions:${providerId}:${clientId}`;
  if (!(await countAttempt(tx.db, key, changesPerDay[party], 86_400, tx.now())))
    throw new AppError('rate_limited', 'too_many_today');
}

/** Cancels an appointment and frees its time. The caller logs and notifies. */
export async function storeCancellation(
  tx: TxCtx,
  { own, row }: Pick<Locked, 'own' | 'row'>,
  reason: string | undefined,
): Promise<void> {
  await writeAppointment(tx, own, {
    status: 'cancelled',
    sequence: row.sequence + 1,
    cancelled_by: actingPerson(tx, own),
    cancel_reason: null,
    sealed_cancel_reason: reason ? sealed.cancelReason.seal(tx.keyring, row.id, reason) : null,
  });
  await release(tx, own.appointmentId);
}

function actingPerson(tx: TxCtx, { party, clientId, providerId }: Acting): string {
  if (party === 'administrator') return selfOf(tx);
  return party === 'client' ? clientId : providerId;
}

/** Frees all participants' time and deletes the reminders. */
export async function release(tx: TxCtx, appointmentId: string): Promise<void> {
  await tx.db
    .updateTable('participants')
    .set({ held: false })
    .where('appointment_id', '=', appointmentId)
    .execute();
  await deleteReminders(tx, appointmentId);
}

/** Moves an appointment to an approved time. The caller logs and notifies. */
export async function storeMove(
  tx: TxCtx,
  locked: Locked,
  session: DecidedSession,
  /** `movedReason` comes from an administrator; `waits` means the provider must confirm again. */
  { movedReason, waits }: { movedReason: string | null; waits: boolean },
): Promise<void> {
  const { own, row } = locked;
  const times = { starts_at: new Date(session.start), ends_at: new Date(session.end) };
  await writeAppointment(tx, own, {
    ...times,
    blocked_until: new Date(session.blockedUntil),
    local_date: session.localDate,
    place_id: session.placeId,
    moved_reason: null,
    sealed_moved_reason: movedReason ? sealed.movedReason.seal(tx.keyring, row.id, movedReason) : null,
    sequence: row.sequence + 1,
    status: waits ? 'pending' : row.status,
  });
  await tx.db
    .updateTable('participants')
    .set(times)
    .where('appointment_id', '=', own.appointmentId)
    .execute();
  await replaceReminders(tx, { ...remindedSession(locked), start: session.start });
}

/** Returns whether the provider must confirm again after this party's move. */
export async function needsApprovalAfterMove(tx: TxCtx, { party, providerId }: Acting): Promise<boolean> {
  if (party !== 'client') return false;
  const { approves_first } = await tx.db
    .selectFrom('providers')
    .select('approves_first')
    .where('id', '=', providerId)
    .executeTakeFirstOrThrow();
  return approves_first;
}

export function remindedSession({ own, row, guestIds, settings }: Locked): RemindedSession {
  return {
    appointmentId: own.appointmentId,
    start: row.starts_at.getTime(),
    clientId: own.clientId,
    providerId: own.providerId,
    guestIds,
    ownMinutes: row.reminder_minutes,
    siteMinutes: settings.reminderMinutes,
  };
}

/** Old and new time for the audit log. */
export function movedTimes(row: Pick<Appointment, 'starts_at'>, start: number): { start: string } {
  return { start: `${minuteText(row.starts_at)} → ${minuteText(start)}` };
}

export async function recordChange(
  tx: TxCtx,
  own: Acting,
  what: ActionAfter<'booking.'>,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  await recordDone(tx, {
    action: `booking.${what}`,
    subject: { kind: 'appointment', id: own.appointmentId },
    details: { by: own.party, ...more },
  });
}

export async function notifyScreens(tx: TxCtx, own: Acting, guestIds: readonly string[]): Promise<void> {
  const people = [own.clientId, own.providerId, ...guestIds];
  await publish(
    tx,
    people.map((id) => `person:${id}`),
    { type: 'booking.changed', id: own.appointmentId },
  );
}
