import { randomBytes } from 'node:crypto';
import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { addressDigest, digestHex } from '#/platform/tokens.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { requireFlag } from '#/features/settings/flags/policies.ts';
import { lockDiaries } from '#/features/appointments/diary/queries.ts';
import { requireParty, type Membership } from '#/features/appointments/appointment/policies.ts';
import { agree, end, record, requireToCome, notifyParties } from '../commands.ts';
import type { GuestList, InviteInput } from '../contract.ts';
import { guestList, invitingTo, isExpected, requireGuests } from '../queries.ts';
import { refuseSending } from '../rules.ts';
import type { SessionGuest } from '../tables.ts';
import { requireOwnGuest } from '../policies.ts';

declare module '#/platform/context.ts' {
  interface Events {
    /** `sends` counts from 1. */
    'booking.guest_invited': { guestId: string; sends: number };
    'booking.guest_withdrawn': { guestId: string };
  }
}

/** Per inviter and recipient; window in seconds. */
const perDay = { ofInviter: 20, toAddress: 5, seconds: 86_400 };

/** Invites a guest by email to a group session. The first invitation requires the client's confidentiality consent. */
export async function invite(ctx: Ctx, input: InviteInput): Promise<GuestList> {
  const client = selfOf(ctx);
  const { providerId } = await ownSession(ctx, input.appointmentId);
  await requireGuests(ctx, providerId);
  await withinDay(ctx, client, input.email);
  return transact(ctx, async (tx) => {
    const { own, rows } = await locked(tx, input.appointmentId);
    const { refusal, left } = await invitingTo(tx, own.appointmentId, rows);
    if (refusal) throw new AppError(refusal === 'wrong_status' ? 'conflict' : 'precondition', refusal);
    if (left === 0) throw new AppError('conflict', 'guests_full');
    const now = tx.now().epochMilliseconds;
    const email = input.email.toLowerCase();
    if (rows.some((row) => isExpected(row) && row.email?.toLowerCase() === email)) {
      throw new AppError('conflict', 'already_invited', {
        fields: [{ field: 'email', reason: 'already_invited' }],
      });
    }
    if (email === (await addressOf(tx, client))) throw invalidField('email', 'yourself');
    await agree(tx, own.appointmentId, client, input.agreed);
    const id = tx.newId();
    await tx.db
      .insertInto('session_guests')
      .values({
        id,
        appointment_id: own.appointmentId,
        name: input.name,
        email: input.email,
        token_hash: null,
        told_start: null,
        state: 'invited',
        person_id: null,
        invited_at: new Date(now),
        sends: 1,
        sent_at: new Date(now),
        answered_at: null,
      })
      .execute();
    await record(tx, 'invited', { appointment_id: own.appointmentId, id });
    await tx.emit(tx, 'booking.guest_invited', { guestId: id, sends: 1 });
    await notifyParties(tx, own);
    return guestList(tx, own);
  });
}

export async function resend(ctx: Ctx, guestId: string): Promise<GuestList> {
  const client = selfOf(ctx);
  await requireFlag(ctx, 'group_sessions');
  const { email, appointment_id } = await requireOwnGuest(ctx, client, guestId);
  await requireGuests(ctx, (await ownSession(ctx, appointment_id)).providerId);
  await withinDay(ctx, client, email);
  return transact(ctx, async (tx) => {
    const before = await requireOwnGuest(tx, client, guestId);
    const { own, rows } = await locked(tx, before.appointment_id);
    const row = rows.find(({ id }) => id === guestId)!;
    const now = tx.now().epochMilliseconds;
    const { state, sends, sent_at } = row;
    const refusal = refuseSending({ state, sends, sentAt: sent_at.getTime() }, now);
    if (refusal === 'invitation_answered') throw new AppError('conflict', refusal);
    if (refusal) throw new AppError('rate_limited', refusal);
    // This guest has a place in full sessions.
    const { refusal: closed } = await invitingTo(tx, own.appointmentId, rows);
    if (closed) throw new AppError(closed === 'already_started' ? 'precondition' : 'conflict', closed);
    await tx.db
      .updateTable('session_guests')
      .set({ token_hash: null, told_start: null, sends: sends + 1, sent_at: new Date(now) })
      .where('id', '=', guestId)
      .execute();
    await record(tx, 'invited_again', row);
    await tx.emit(tx, 'booking.guest_invited', { guestId, sends: sends + 1 });
    await notifyParties(tx, own);
    return guestList(tx, own);
  });
}

/** Withdraws an invitation; notifies and frees a guest who had accepted. */
export async function withdraw(ctx: Ctx, guestId: string): Promise<GuestList> {
  const client = selfOf(ctx);
  return transact(ctx, async (tx) => {
    const before = await requireOwnGuest(tx, client, guestId);
    const { own, rows } = await locked(tx, before.appointment_id);
    const row = rows.find(({ id }) => id === guestId)!;
    if (!isExpected(row)) return guestList(tx, own);
    await requireToCome(tx, row);
    await end(tx, row, 'withdrawn');
    await record(tx, 'withdrawn', row);
    if (row.state === 'accepted') await tx.emit(tx, 'booking.guest_withdrawn', { guestId });
    await notifyParties(tx, own, row);
    return guestList(tx, own);
  });
}

/**
 * Creates the link token within the transaction that writes the email; stores only its hash. Returns null if already
 * sent or no longer wanted.
 */
export async function issueInvitation(
  tx: TxCtx,
  { guestId, sends }: { guestId: string; sends: number },
): Promise<{ token: string; email: string; clientId: string; appointmentId: string } | null> {
  const token = randomBytes(32).toString('base64url');
  const row = await tx.db
    .updateTable('session_guests')
    .from('appointments')
    .set(({ ref }) => ({ token_hash: digestHex(token), told_start: ref('appointments.starts_at') }))
    .whereRef('appointments.id', '=', 'session_guests.appointment_id')
    .where('session_guests.id', '=', guestId)
    .where('session_guests.state', '=', 'invited')
    .where('session_guests.sends', '=', sends)
    .where('session_guests.token_hash', 'is', null)
    .where('appointments.status', 'in', ['pending', 'confirmed'])
    .where('appointments.ends_at', '>', new Date(tx.now().epochMilliseconds))
    .returning(['session_guests.email', 'appointments.client_id', 'appointments.id'])
    .executeTakeFirst();
  if (!row || row.email === null) return null;
  return { token, email: row.email, clientId: row.client_id, appointmentId: row.id };
}

/** Retention after the session, in hours. */
const remembered = 30 * 24;

/** A month after the session, deletes unaccepted guests (even undelivered invitations) and accepted guests' entered emails. */
export async function deleteOldInvitations(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().subtract({ hours: remembered }).epochMilliseconds);
  const ended = ctx.db.selectFrom('appointments').select('id').where('ends_at', '<', before);
  await ctx.db
    .deleteFrom('mails')
    .where('kind', '=', 'guest_invitation')
    .where('expires_at', '<', before)
    .where('sent_at', 'is', null)
    .execute();
  await ctx.db
    .deleteFrom('session_guests')
    .where('email', 'is not', null)
    .where('person_id', 'is', null)
    .where('appointment_id', 'in', ended)
    .execute();
  await ctx.db
    .updateTable('session_guests')
    .set({ email: null, token_hash: null })
    .where('email', 'is not', null)
    .where('appointment_id', 'in', ended)
    .execute();
}

/** Returns the client's membership. Throws `forbidden` for the provider and `not_found` for everyone else. */
async function ownSession(ctx: Ctx, appointmentId: string): Promise<Membership> {
  const own = await requireParty(ctx, appointmentId);
  if (own.party !== 'client') throw new AppError('forbidden', 'not_your_part');
  return own;
}

async function locked(tx: TxCtx, appointmentId: string): Promise<{ own: Membership; rows: SessionGuest[] }> {
  const own = await ownSession(tx, appointmentId);
  await lockDiaries(tx, [own.clientId, own.providerId]);
  const rows = await tx.db
    .selectFrom('session_guests')
    .selectAll()
    .where('appointment_id', '=', own.appointmentId)
    .execute();
  return { own, rows };
}

async function addressOf(tx: TxCtx, personId: string): Promise<string> {
  const { email } = await tx.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  return email.toLowerCase();
}

/** Counts an email; throws beyond the daily limits. */
export async function withinDay(ctx: Ctx, inviter: Self, email: string | null): Promise<void> {
  const count = (key: string, max: number) => countAttempt(ctx.db, key, max, perDay.seconds, ctx.now());
  const address = addressDigest(email ?? '');
  if (
    !(await count(`invite:${inviter}`, perDay.ofInviter)) ||
    !(await count(`invite-to:${address}`, perDay.toAddress))
  ) {
    throw new AppError('rate_limited', 'too_many_invitations');
  }
}
