import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { selfOf } from '#/features/access/rules.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { lockDiaries } from '#/features/appointments/diary/queries.ts';
import { deletePersonReminders } from '#/features/appointments/reminders/commands.ts';
import type { GuestAnswer, GuestSession } from './contract.ts';
import { guestSessions } from './queries.ts';
import { invitationState } from './rules.ts';
import type { SessionGuest } from './tables.ts';
import { requireOwnPlace } from './policies.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'booking.guest_answered': { guestId: string; answer: GuestAnswer };
  }
}

/** Withdraws the signed-in guest, frees their time and notifies the client. */
export async function leave(ctx: Ctx, appointmentId: string): Promise<GuestSession[]> {
  const self = selfOf(ctx);
  return transact(ctx, async (tx) => {
    await requireOwnPlace(tx, appointmentId, self);
    const parties = await partiesOf(tx, appointmentId);
    await lockDiaries(tx, [parties.clientId, parties.providerId, self]);
    const row = await requireOwnPlace(tx, appointmentId, self);
    await requireToCome(tx, row);
    await end(tx, row, 'left');
    await record(tx, 'left', row);
    await tx.emit(tx, 'booking.guest_answered', { guestId: row.id, answer: 'left' });
    await notifyParties(tx, parties, row);
    return guestSessions(tx, self);
  });
}

/** Withdraws a person from all upcoming guest sessions, for account deletion. */
export async function leaveAllSessions(tx: TxCtx, personId: string): Promise<void> {
  const rows = await tx.db
    .selectFrom('session_guests')
    .innerJoin('appointments', 'appointments.id', 'session_guests.appointment_id')
    .selectAll('session_guests')
    .select(['appointments.status', 'client_id', 'provider_id'])
    .where('session_guests.person_id', '=', personId)
    .where('session_guests.state', '=', 'accepted')
    .where('ends_at', '>', new Date(tx.now().epochMilliseconds))
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
    await notifyParties(tx, {
      clientId: row.client_id,
      providerId: row.provider_id,
      appointmentId: row.appointment_id,
    });
  }
}

interface Parties {
  appointmentId: string;
  clientId: string;
  providerId: string;
}

/** Doesn't check access: callers already verified a token or guest row. */
export async function partiesOf(tx: TxCtx, appointmentId: string): Promise<Parties> {
  const row = await tx.db
    .selectFrom('appointments')
    .select(['client_id', 'provider_id'])
    .where('id', '=', appointmentId)
    .executeTakeFirstOrThrow();
  return { appointmentId, clientId: row.client_id, providerId: row.provider_id };
}

/** Records consent. Throws `consent_missing` if never given. */
export async function agree(
  tx: TxCtx,
  appointmentId: string,
  personId: string,
  agreed: boolean,
): Promise<void> {
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

/** Throws if the session is over, to preserve attendance and consent records. */
export async function requireToCome(
  tx: TxCtx,
  { appointment_id, state }: Pick<SessionGuest, 'appointment_id' | 'state'>,
): Promise<void> {
  const { status, ends_at } = await tx.db
    .selectFrom('appointments')
    .select(['status', 'ends_at'])
    .where('id', '=', appointment_id)
    .executeTakeFirstOrThrow();
  const who = { party: false, accepted: true, now: tx.now().epochMilliseconds };
  if (invitationState({ state, status, end: ends_at.getTime() }, who) === 'over')
    throw new AppError('conflict', 'invitation_over');
}

/** Ends an invitation; deletes the guest's reserved time, consent and reminders. */
export async function end(
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
  await deletePersonReminders(tx, { appointmentId: appointment_id, personId: person_id });
}

export async function record(
  tx: TxCtx,
  what: ActionAfter<'booking.guest_'>,
  guest: Pick<SessionGuest, 'id' | 'appointment_id'>,
): Promise<void> {
  await recordDone(tx, {
    action: `booking.guest_${what}`,
    subject: { kind: 'appointment', id: guest.appointment_id },
    details: { guestId: guest.id },
  });
}

/** Publishes to both parties, current guests and a guest who just left. */
export async function notifyParties(
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
