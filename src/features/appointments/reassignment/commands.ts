import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { digestHex } from '#/platform/tokens.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { scheduleOf } from '#/features/availability/queries.ts';
import { store } from '../commands.ts';
import { spanFrom } from '../diary/commands.ts';
import { offerOf, standingsOf, type Offer } from '../diary/queries.ts';
import { contactOf } from '../on-behalf/queries.ts';
import { addReminders } from '../reminders/commands.ts';
import { decideBooking, durationOffered, type DecidedSession } from '../rules.ts';
import type { Appointment } from '../tables.ts';

/**
 * Rebooks canceled sessions of one booking with another specialist, keeping times and prices, and returns new ids in
 * order. Normal booking rules apply except advance notice; approval still applies.
 *
 * Nothing the client shared with the previous specialist carries over, except a phone session's number. Requires locked
 * diaries. Throws `conflict` (`reassign_taken`) naming the session.
 */
export async function reassign(
  tx: TxCtx,
  sessions: readonly Appointment[],
  providerId: string,
): Promise<string[]> {
  const [first] = sessions;
  const { client_id: clientId, service_id: serviceId } = first!;
  const offer = await offerOf(tx, { providerId, serviceId });
  const known = await contactOf(tx, { clientId, providerId });
  if (!offer || !known) throw taken(first!);
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
  const refusals = await store(
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
  if (refused) throw taken(refused);
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
    category: 'service_management',
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
  { service, sessionLengths, sessionTypes, offersVideo, site }: Offer,
): Promise<DecidedSession> {
  const start = session.starts_at.getTime();
  const durationMinutes = (session.ends_at.getTime() - start) / 60_000;
  const offered =
    service &&
    durationOffered(durationMinutes, service.durationMinutes, sessionLengths) &&
    sessionTypes.includes(session.session_type) &&
    (session.session_type !== 'online' || offersVideo);
  if (!offered) throw taken(session);
  const now = tx.now().epochMilliseconds;
  const parties = { providerId, clientId: session.client_id };
  const { entries, own } = await standingsOf(tx, parties, spanFrom(start, now));
  const [decided] = decideBooking({
    input: { start, durationMinutes, recurrence: 'one_time', sessions: 1 },
    diary: { schedule: await scheduleOf(tx, providerId), ...entries },
    own,
    settings: site,
    inPerson: false,
    withoutNotice: true,
    now,
  });
  if (decided!.refusal !== null) throw taken(session);
  return decided!;
}

function taken({ id }: Appointment): AppError {
  return new AppError('conflict', 'reassign_taken', { data: { appointmentId: id } });
}

async function haveMet(tx: TxCtx, clientId: string, providerId: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('appointments')
    .select('id')
    .where('client_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .where('status', '<>', 'cancelled')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
