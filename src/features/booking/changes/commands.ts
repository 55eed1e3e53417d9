import { minuteText } from '#/kernel/iso.ts';
import type { TxCtx } from '#/platform/context.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { selfOf } from '#/features/access/rules.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { SiteTerms } from '../diary/queries.ts';
import type { Acting } from '../queries.ts';
import { dropReminders, replaceReminders, type RemindedSession } from '../reminders/commands.ts';
import type { DecidedSession } from '../rules.ts';
import { sealed } from '../sealing/queries.ts';
import type { Appointment } from '../tables.ts';

/** An appointment on which somebody acts, with its diaries locked, and what the site's settings say. */
export interface Locked {
  own: Acting;
  row: Appointment;
  /** Who was invited to it and comes. */
  guestIds: readonly string[];
  settings: SiteTerms;
}

/** Changes an appointment whose diaries are locked. */
export async function writeAppointment(tx: TxCtx, own: Acting, values: Partial<Appointment>): Promise<void> {
  await tx.db
    .updateTable('appointments')
    .set({ ...values, updated_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', own.appointmentId)
    .execute();
}

/** Cancels an appointment and frees its time; the caller records it and tells people. */
export async function storeCancellation(
  tx: TxCtx,
  { own, row }: Pick<Locked, 'own' | 'row'>,
  reason: string | undefined,
): Promise<void> {
  await writeAppointment(tx, own, {
    status: 'cancelled',
    sequence: row.sequence + 1,
    cancelled_by: whoActs(tx, own),
    cancel_reason: null,
    sealed_cancel_reason: reason ? sealed.cancelReason.seal(tx.keyring, row.id, reason) : null,
  });
  await release(tx, own.appointmentId);
}

function whoActs(tx: TxCtx, { party, clientId, providerId }: Acting): string {
  if (party === 'administrator') return selfOf(tx);
  return party === 'client' ? clientId : providerId;
}

/** Gives the time of all who take part free, and takes the reminders away. */
export async function release(tx: TxCtx, appointmentId: string): Promise<void> {
  await tx.db
    .updateTable('participants')
    .set({ held: false })
    .where('appointment_id', '=', appointmentId)
    .execute();
  await dropReminders(tx, appointmentId);
}

/** Moves an appointment to a decided time; the caller records it and tells people. */
export async function storeMove(
  tx: TxCtx,
  locked: Locked,
  session: DecidedSession,
  /** `movedReason` is an administrator's; `waits`: the provider confirms it first. */
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

/** Whether a session waits for its provider again once this side has moved it. */
export async function waitsAfterMove(tx: TxCtx, { party, providerId }: Acting): Promise<boolean> {
  if (party !== 'client') return false;
  const { approves_first } = await tx.db
    .selectFrom('providers')
    .select('approves_first')
    .where('id', '=', providerId)
    .executeTakeFirstOrThrow();
  return approves_first;
}

/** The reminders that a session has as it is. */
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

/** A session's old and new time for the audit log. */
export function movedTimes(row: Pick<Appointment, 'starts_at'>, start: number): { start: string } {
  return { start: `${minuteText(row.starts_at)} → ${minuteText(start)}` };
}

/** Writes what was done with an appointment to the log. */
export async function recordChange(
  tx: TxCtx,
  own: Acting,
  what: ActionAfter<'booking.'>,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  await recordDone(tx, {
    action: `booking.${what}`,
    category: 'service_management',
    subject: { kind: 'appointment', id: own.appointmentId },
    details: { by: own.party, ...more },
  });
}

/** Tells the screens of all who take part that an appointment has changed. */
export async function tellScreens(tx: TxCtx, own: Acting, guestIds: readonly string[]): Promise<void> {
  const people = [own.clientId, own.providerId, ...guestIds];
  await publish(
    tx,
    people.map((id) => `person:${id}`),
    { type: 'booking.changed', id: own.appointmentId },
  );
}
