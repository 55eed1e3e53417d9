import { AppError } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { bookingSettings } from '#/features/appointments/offer/queries.ts';
import { lockDiaries } from '#/features/appointments/diary/queries.ts';
import { addGuestReminder } from '#/features/appointments/reminders/commands.ts';
import { invitationOf, stateFor } from '../invitations/queries.ts';
import type { AcceptInput, GuestSession, Invitation } from '../contract.ts';
import { guestSessions } from '../queries.ts';
import { requireInvitation } from '../policies.ts';
import { agree, partiesOf, record, notifyParties } from '../commands.ts';

/**
 * Accepts an invitation for the signed-in account: reserves the time, records confidentiality consent, notifies the
 * client. Idempotent.
 */
export async function acceptInvitation(ctx: Ctx, input: AcceptInput): Promise<GuestSession> {
  const self = selfOf(ctx);
  const { appointment_id } = await requireInvitation(ctx, input.token);
  await transact(ctx, async (tx) => {
    const parties = await partiesOf(tx, appointment_id);
    await lockDiaries(tx, [parties.clientId, parties.providerId, self]);
    // Re-read under the lock.
    const row = await requireInvitation(tx, input.token);
    const state = stateFor(tx, row);
    if (state === 'accepted') return;
    if (state !== 'open') throw new AppError('conflict', `invitation_${state}`);
    if (row.starts_at.getTime() !== Temporal.Instant.from(input.startsAt).epochMilliseconds) {
      throw new AppError('conflict', 'invitation_moved');
    }
    const times = { starts_at: row.starts_at, ends_at: row.ends_at };
    await refuseTwice(tx, appointment_id, self);
    await refuseOwnClash(tx, self, times);
    const held = await tx.db
      .insertInto('participants')
      .values({ appointment_id, person_id: self, ...times, held: true })
      .onConflict((conflict) => conflict.doNothing())
      .returning('person_id')
      .executeTakeFirst();
    // A concurrent booking took this guest's time.
    if (!held) throw new AppError('conflict', 'own_clash');
    const now = new Date(tx.now().epochMilliseconds);
    await tx.db
      .updateTable('session_guests')
      .set({ state: 'accepted', person_id: self, name: input.name, answered_at: now })
      .where('id', '=', row.id)
      .execute();
    await agree(tx, appointment_id, self, input.agreed);
    const { reminderMinutes } = await bookingSettings(tx);
    await addGuestReminder(tx, {
      appointmentId: appointment_id,
      start: row.starts_at.getTime(),
      personId: self,
      siteMinutes: reminderMinutes,
    });
    await record(tx, 'accepted', row);
    await tx.emit(tx, 'booking.guest_answered', { guestId: row.id, answer: 'accepted' });
    await notifyParties(tx, parties, { appointment_id, person_id: self });
  });
  const mine = await guestSessions(ctx, self);
  const session = mine.find(({ appointmentId }) => appointmentId === appointment_id);
  if (!session) throw new AppError('conflict', 'invitation_over');
  return session;
}

/** Declines an invitation and notifies the client. Anyone with the link can decline. */
export async function declineInvitation(ctx: Ctx, token: string): Promise<Invitation> {
  const { appointment_id } = await requireInvitation(ctx, token);
  return transact(ctx, async (tx) => {
    const parties = await partiesOf(tx, appointment_id);
    await lockDiaries(tx, [parties.clientId, parties.providerId]);
    const row = await requireInvitation(tx, token);
    const state = stateFor(tx, row);
    if (state !== 'open' && state !== 'declined') throw new AppError('conflict', `invitation_${state}`);
    if (state === 'open') {
      await tx.db
        .updateTable('session_guests')
        .set({ state: 'declined', answered_at: new Date(tx.now().epochMilliseconds) })
        .where('id', '=', row.id)
        .execute();
      await record(tx, 'declined', row);
      await tx.emit(tx, 'booking.guest_answered', { guestId: row.id, answer: 'declined' });
      await notifyParties(tx, parties);
    }
    return invitationOf(tx, token);
  });
}

async function refuseTwice(tx: TxCtx, appointmentId: string, self: Self): Promise<void> {
  const there = await tx.db
    .selectFrom('session_guests')
    .select('id')
    .where('appointment_id', '=', appointmentId)
    .where('person_id', '=', self)
    .where('state', '=', 'accepted')
    .executeTakeFirst();
  if (there) throw new AppError('conflict', 'already_guest');
}

/** Throws `own_clash` with the guest's own clashing times, shown only to them. */
async function refuseOwnClash(
  tx: TxCtx,
  self: Self,
  { starts_at, ends_at }: { starts_at: Date; ends_at: Date },
): Promise<void> {
  const rows = await tx.db
    .selectFrom('participants')
    .select(['starts_at', 'ends_at'])
    .where('person_id', '=', self)
    .where('held', '=', true)
    .where('starts_at', '<', ends_at)
    .where('ends_at', '>', starts_at)
    .orderBy('starts_at')
    .execute();
  if (rows.length === 0) return;
  const clashes = rows.map((row) => ({ startsAt: isoOf(row.starts_at), endsAt: isoOf(row.ends_at) }));
  throw new AppError('conflict', 'own_clash', { data: { clashes } });
}
