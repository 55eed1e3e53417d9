import { createHash, randomBytes } from 'node:crypto';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { hit } from '#/platform/http/limits.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { bookingSettings, lockDiaries } from '../diary/queries.ts';
import { membershipOf, type Membership } from '../queries.ts';
import { addGuestReminder, dropGuestReminders } from '../reminders/commands.ts';
import type {
  AcceptInput,
  GuestAnswer,
  GuestList,
  GuestSession,
  Invitation,
  InviteInput,
} from './contract.ts';
import {
  guestList,
  guestSessions,
  invitationHash,
  invitationOf,
  invitationRow,
  isExpected,
  requireGuests,
  stateFor,
} from './queries.ts';
import { refuseInviting, refuseSending } from './rules.ts';
import type { SessionGuest } from './tables.ts';

declare module '#/platform/jobs/events.ts' {
  interface Events {
    /** An invitation is to be mailed, for the so-manieth time. */
    'booking.guest_invited': { guestId: string; sends: number };
    'booking.guest_answered': { guestId: string; answer: GuestAnswer };
    /** The client took back an invitation that had been accepted. */
    'booking.guest_withdrawn': { guestId: string };
  }
}

/** How many invitations one client may have mailed in a day, and how many may go to one address. */
const perDay = { ofClient: 20, toAddress: 5, seconds: 86_400 };

/**
 * Invites somebody to a session for several people, by mail. The client agrees with the first invitation that what is said
 * there stays there.
 */
export async function invite(ctx: Ctx, input: InviteInput): Promise<GuestList> {
  const client = selfOf(ctx);
  await requireGuests(ctx);
  await ownSession(ctx, input.appointmentId);
  await withinDay(ctx, client, input.email);
  return transact(ctx, async (tx) => {
    const { own, rows } = await locked(tx, input.appointmentId);
    const session = await sessionOf(tx, own.appointmentId);
    const now = tx.now().epochMilliseconds;
    const refusal = refuseInviting(session, { expected: rows.filter(isExpected).length, now });
    if (refusal === 'not_for_several' || refusal === 'already_started')
      throw new AppError('precondition', refusal);
    if (refusal) throw new AppError('conflict', refusal);
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
    await tellParties(tx, own);
    return guestList(tx, own);
  });
}

/** Mails an invitation anew, with a new link. */
export async function resend(ctx: Ctx, guestId: string): Promise<GuestList> {
  const client = selfOf(ctx);
  await requireGuests(ctx);
  const { email } = await ownGuest(ctx, client, guestId);
  await withinDay(ctx, client, email);
  return transact(ctx, async (tx) => {
    const before = await ownGuest(tx, client, guestId);
    const { own, rows } = await locked(tx, before.appointment_id);
    const row = rows.find(({ id }) => id === guestId)!;
    const session = await sessionOf(tx, own.appointmentId);
    const now = tx.now().epochMilliseconds;
    const { state, sends, sent_at } = row;
    const refusal = refuseSending({ state, sends, sentAt: sent_at.getTime() }, now);
    if (refusal === 'invitation_answered') throw new AppError('conflict', refusal);
    if (refusal) throw new AppError('rate_limited', refusal);
    // It takes a place already.
    const closed = refuseInviting(session, { expected: 0, now });
    if (closed) throw new AppError(closed === 'already_started' ? 'precondition' : 'conflict', closed);
    await tx.db
      .updateTable('session_guests')
      .set({ token_hash: null, told_start: null, sends: sends + 1, sent_at: new Date(now) })
      .where('id', '=', guestId)
      .execute();
    await record(tx, 'invited_again', row);
    await tx.emit(tx, 'booking.guest_invited', { guestId, sends: sends + 1 });
    await tellParties(tx, own);
    return guestList(tx, own);
  });
}

/** Takes an invitation back. Who had accepted it hears of it, and their time is free again. */
export async function withdraw(ctx: Ctx, guestId: string): Promise<GuestList> {
  const client = selfOf(ctx);
  return transact(ctx, async (tx) => {
    const before = await ownGuest(tx, client, guestId);
    const { own, rows } = await locked(tx, before.appointment_id);
    const row = rows.find(({ id }) => id === guestId)!;
    if (!isExpected(row)) return guestList(tx, own);
    await end(tx, row, 'withdrawn');
    await record(tx, 'withdrawn', row);
    if (row.state === 'accepted') await tx.emit(tx, 'booking.guest_withdrawn', { guestId });
    await tellParties(tx, own, row);
    return guestList(tx, own);
  });
}

/**
 * Accepts an invitation with the account of the person who acts: holds their time, notes that they agreed to keep what is
 * said to themselves, and tells the client. Accepted twice, it is accepted once.
 */
export async function accept(ctx: Ctx, input: AcceptInput): Promise<GuestSession> {
  const self = selfOf(ctx);
  const { appointment_id } = await invitationRow(ctx, input.token);
  await transact(ctx, async (tx) => {
    const parties = await partiesOf(tx, appointment_id);
    await lockDiaries(tx, [parties.clientId, parties.providerId, self]);
    // What it is now that nobody else changes it.
    const row = await invitationRow(tx, input.token);
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
    // Somebody took that time of theirs in the same moment.
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
    await tellParties(tx, parties, { appointment_id, person_id: self });
  });
  const mine = await guestSessions(ctx, self);
  const session = mine.find(({ appointmentId }) => appointmentId === appointment_id);
  if (!session) throw new AppError('conflict', 'invitation_over');
  return session;
}

/** Declines an invitation; whoever has its link may, and the client is told. */
export async function decline(ctx: Ctx, token: string): Promise<Invitation> {
  const { appointment_id } = await invitationRow(ctx, token);
  return transact(ctx, async (tx) => {
    const parties = await partiesOf(tx, appointment_id);
    await lockDiaries(tx, [parties.clientId, parties.providerId]);
    const row = await invitationRow(tx, token);
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
      await tellParties(tx, parties);
    }
    return invitationOf(tx, token);
  });
}

/** Doesn't come after all: frees the time of the person who acts, and tells the client. */
export async function leave(ctx: Ctx, appointmentId: string): Promise<GuestSession[]> {
  const self = selfOf(ctx);
  return transact(ctx, async (tx) => {
    await guestRow(tx, appointmentId, self);
    const parties = await partiesOf(tx, appointmentId);
    await lockDiaries(tx, [parties.clientId, parties.providerId, self]);
    const row = await guestRow(tx, appointmentId, self);
    await end(tx, row, 'left');
    await record(tx, 'left', row);
    await tx.emit(tx, 'booking.guest_answered', { guestId: row.id, answer: 'left' });
    await tellParties(tx, parties, row);
    return guestSessions(tx, self);
  });
}

/** Takes a person out of every session that they are invited to, for a job that erases their account. */
export async function leaveAll(tx: TxCtx, personId: string): Promise<void> {
  const rows = await tx.db
    .selectFrom('session_guests')
    .innerJoin('appointments', 'appointments.id', 'session_guests.appointment_id')
    .selectAll('session_guests')
    .select(['appointments.status', 'client_id', 'provider_id'])
    .where('session_guests.person_id', '=', personId)
    .where('session_guests.state', '=', 'accepted')
    .execute();
  const coming = rows.filter(({ status }) => status === 'pending' || status === 'confirmed');
  if (coming.length > 0) {
    await lockDiaries(
      tx,
      coming.flatMap((row) => [row.client_id, row.provider_id, personId]),
    );
  }
  for (const row of coming) {
    await end(tx, row, 'left');
    await tx.emit(tx, 'booking.guest_answered', { guestId: row.id, answer: 'left' });
    await tellParties(tx, {
      clientId: row.client_id,
      providerId: row.provider_id,
      appointmentId: row.appointment_id,
    });
  }
}

/**
 * Makes the secret of an invitation's link, in the transaction that mails it; null where it was mailed already or isn't
 * to be any more. Only the hash stays.
 */
export async function issueInvitation(
  tx: TxCtx,
  { guestId, sends }: { guestId: string; sends: number },
): Promise<{ token: string; email: string; clientId: string; appointmentId: string } | null> {
  const token = randomBytes(32).toString('base64url');
  const row = await tx.db
    .updateTable('session_guests')
    .from('appointments')
    .set(({ ref }) => ({ token_hash: invitationHash(token), told_start: ref('appointments.starts_at') }))
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

/** How long after a session it is remembered whom the client asked to it, in hours. */
const remembered = 30 * 24;

/** Deletes, a month after the session, who never accepted, and the addresses that were typed for those who did. */
export async function forgetInvitations(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().subtract({ hours: remembered }).epochMilliseconds);
  const ended = ctx.db.selectFrom('appointments').select('id').where('ends_at', '<', before);
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

/** A session in which the person who acts is the client; `not_found` like one that isn't there for strangers. */
async function ownSession(ctx: Ctx, appointmentId: string): Promise<Membership> {
  const own = await membershipOf(ctx, appointmentId);
  if (own.party !== 'client') throw new AppError('forbidden', 'not_your_part');
  return own;
}

/** Locks a session of one's own against every other change, and reads who is asked to it. */
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

async function sessionOf(tx: TxCtx, appointmentId: string) {
  const row = await tx.db
    .selectFrom('appointments')
    .select(['status', 'service_id', 'starts_at', 'ends_at'])
    .where('id', '=', appointmentId)
    .executeTakeFirstOrThrow();
  return {
    status: row.status,
    serviceId: row.service_id,
    start: row.starts_at.getTime(),
    end: row.ends_at.getTime(),
  };
}

/** Somebody whom the person invited; another's guests answer `not_found`, like ones that aren't there. */
async function ownGuest(ctx: Ctx, client: Self, guestId: string): Promise<SessionGuest> {
  const row = await ctx.db
    .selectFrom('session_guests')
    .innerJoin('appointments', 'appointments.id', 'session_guests.appointment_id')
    .selectAll('session_guests')
    .where('session_guests.id', '=', guestId)
    .where('client_id', '=', client)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'guest');
  return row;
}

async function guestRow(ctx: Ctx, appointmentId: string, self: Self): Promise<SessionGuest> {
  const row = await ctx.db
    .selectFrom('session_guests')
    .selectAll()
    .where('appointment_id', '=', appointmentId)
    .where('person_id', '=', self)
    .where('state', '=', 'accepted')
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'appointment');
  return row;
}

interface Parties {
  appointmentId: string;
  clientId: string;
  providerId: string;
}

/** Whose session an invitation is to; for commands that hold its token, or its guest's row. */
async function partiesOf(tx: TxCtx, appointmentId: string): Promise<Parties> {
  const row = await tx.db
    .selectFrom('appointments')
    .select(['client_id', 'provider_id'])
    .where('id', '=', appointmentId)
    .executeTakeFirstOrThrow();
  return { appointmentId, clientId: row.client_id, providerId: row.provider_id };
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

/** Refuses a time at which the person is elsewhere, and tells them, and only them, when. */
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

/** Notes that somebody agreed to keep what is said in a session to themselves; refuses who neither does nor did. */
async function agree(tx: TxCtx, appointmentId: string, personId: string, agreed: boolean): Promise<void> {
  const before = await tx.db
    .selectFrom('session_consents')
    .select('person_id')
    .where('appointment_id', '=', appointmentId)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  if (before) return;
  if (!agreed) {
    throw new AppError('precondition', 'consent_missing', {
      fields: [{ field: 'agreed', reason: 'consent_missing' }],
    });
  }
  await tx.db
    .insertInto('session_consents')
    .values({
      appointment_id: appointmentId,
      person_id: personId,
      agreed_at: new Date(tx.now().epochMilliseconds),
    })
    .execute();
}

/** Ends what an invitation, answered or not, stood for. */
async function end(
  tx: TxCtx,
  { id, appointment_id, person_id }: Pick<SessionGuest, 'id' | 'appointment_id' | 'person_id'>,
  state: 'withdrawn' | 'left',
): Promise<void> {
  await tx.db
    .updateTable('session_guests')
    .set({ state, answered_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', id)
    .execute();
  if (person_id === null) return;
  for (const table of ['participants', 'session_consents'] as const) {
    await tx.db
      .deleteFrom(table)
      .where('appointment_id', '=', appointment_id)
      .where('person_id', '=', person_id)
      .execute();
  }
  await dropGuestReminders(tx, { appointmentId: appointment_id, personId: person_id });
}

async function record(
  tx: TxCtx,
  what: string,
  guest: Pick<SessionGuest, 'id' | 'appointment_id'>,
): Promise<void> {
  await recordDone(tx, {
    action: `booking.guest_${what}`,
    category: 'service_management',
    subject: { kind: 'appointment', id: guest.appointment_id },
    details: { guestId: guest.id },
  });
}

/** Tells the screens of both parties, of those who come, and of one who does so no more. */
async function tellParties(
  tx: TxCtx,
  { appointmentId, clientId, providerId }: Parties,
  guest?: Pick<SessionGuest, 'appointment_id' | 'person_id'>,
): Promise<void> {
  const others = await tx.db
    .selectFrom('session_guests')
    .select('person_id')
    .where('appointment_id', '=', appointmentId)
    .where('state', '=', 'accepted')
    .execute();
  const people = new Set([
    clientId,
    providerId,
    ...others.map(({ person_id }) => person_id!),
    ...(guest?.person_id ? [guest.person_id] : []),
  ]);
  await publish(
    tx,
    [...people].map((id) => `person:${id}`),
    { type: 'booking.changed', id: appointmentId },
  );
}

async function addressOf(tx: TxCtx, personId: string): Promise<string> {
  const { email } = await tx.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  return email.toLowerCase();
}

/** Counts an invitation to be mailed; refuses more than a day's. */
async function withinDay(ctx: Ctx, client: Self, email: string | null): Promise<void> {
  const count = (key: string, most: number) => hit(ctx.db, key, most, perDay.seconds, ctx.now());
  const address = createHash('sha256')
    .update(email?.toLowerCase() ?? '')
    .digest('hex');
  if (
    !(await count(`invite:${client}`, perDay.ofClient)) ||
    !(await count(`invite-to:${address}`, perDay.toAddress))
  ) {
    throw new AppError('rate_limited', 'too_many_invitations');
  }
}
