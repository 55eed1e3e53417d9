import { createHash } from 'node:crypto';
import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { scheduleOf } from '#/features/availability/queries.ts';
import type { AppointmentView, BookInput } from './contract.ts';
import { offeringMore, refuseClashes, spanFrom } from './diary/commands.ts';
import { bookingSettings, entriesOf, heldTimes, lockDiaries, offerOf } from './diary/queries.ts';
import { bookedSessions, requireKnownZone, selfOf, seriesSpan, type Self } from './queries.ts';
import { addReminders } from './reminders/commands.ts';
import { decideBooking, durationOffered, type BookingQuery, type DecidedSession } from './rules.ts';
import type { NewAppointment } from './tables.ts';

declare module '#/platform/jobs/events.ts' {
  interface Events {
    'booking.booked': { bookingId: string };
  }
}

/** What a booking answers: its sessions in order. */
export interface Booked {
  bookingId: string;
  appointments: AppointmentView[];
}

/**
 * Books one session or a whole series for the client who acts, once per idempotency key. Refuses with the next free
 * starts where a start can't be had; `not_found` for a provider who isn't listed.
 */
export async function book(ctx: Ctx, input: BookInput): Promise<Booked> {
  const client = selfOf(ctx);
  requireKnownZone(input.timeZone);
  if (input.providerId === client) throw invalidField('providerId', 'yourself');
  const wanted = {
    ...input,
    clientId: client,
    start: Temporal.Instant.from(input.startsAt).epochMilliseconds,
  };
  return offeringMore(ctx, wanted, () => transact(ctx, (tx) => bookOnce(tx, client, input, wanted.start)));
}

async function bookOnce(tx: TxCtx, client: Self, input: BookInput, start: number): Promise<Booked> {
  // What no other booking changes is read before the lock, so that it is held for a short time only.
  const settings = await bookingSettings(tx);
  const offer = await offerOf(tx, input);
  const schedule = offer && (await scheduleOf(tx, input.providerId));
  await lockDiaries(tx, [client, input.providerId]);
  const fingerprint = fingerprintOf(input);
  const before = await tx.db
    .selectFrom('bookings')
    .select(['id', 'fingerprint'])
    .where('client_id', '=', client)
    .where('idempotency_key', '=', input.idempotencyKey)
    .executeTakeFirst();
  if (before && before.fingerprint !== fingerprint) throw new AppError('conflict', 'idempotency_key_reused');
  if (before) return { bookingId: before.id, appointments: await bookedSessions(tx, client, before.id) };

  if (!offer || !schedule) throw new AppError('not_found', 'specialist');
  if (!offer.service) throw invalidField('serviceId', 'not_offered');
  if (!durationOffered(input.durationMinutes, offer.service.durationMinutes)) {
    throw invalidField('durationMinutes', 'not_offered');
  }
  const { priceCents } = offer.service;
  const now = tx.now().epochMilliseconds;
  const near = spanFrom(start, now);
  const span = { start: near.start, end: Math.max(near.end, seriesSpan(start, input).end) };
  const diary = { schedule, ...(await entriesOf(tx, input.providerId, span)) };
  const own = await heldTimes(tx, client, span);
  const query = { diary, own, settings, now };
  const sessions = decideBooking({ ...query, input: { ...input, start } });
  refuseClashes(sessions, query);
  const met = await metBefore(tx, client, input.providerId);

  const bookingId = tx.newId();
  const appointments = sessions.map((session, index) => ({
    id: tx.newId(),
    booking_id: bookingId,
    series_index: index + 1,
    series_count: sessions.length,
    client_id: client,
    provider_id: input.providerId,
    service_id: input.serviceId,
    status: offer.approvesFirst ? ('pending' as const) : ('confirmed' as const),
    kind: met || index > 0 ? ('follow-up' as const) : ('consultation' as const),
    session_type: input.sessionType,
    starts_at: new Date(session.start),
    ends_at: new Date(session.end),
    blocked_until: new Date(session.blockedUntil),
    local_date: session.localDate,
    // The catalogue's price holds for the service, whatever length is chosen.
    price_cents: priceCents,
    contact_name: input.contact.name,
    contact_email: input.contact.email,
    contact_phone: input.contact.phone || null,
    client_time_zone: input.timeZone,
    sequence: 0,
    reminder_minutes: input.reminderMinutes,
    cancelled_by: null,
    cancel_reason: null,
    created_at: new Date(now),
    updated_at: new Date(now),
  }));
  await tx.db
    .insertInto('bookings')
    .values({
      id: bookingId,
      client_id: client,
      idempotency_key: input.idempotencyKey,
      fingerprint,
      recurrence: input.recurrence,
      created_at: new Date(now),
    })
    .execute();
  await hold(tx, appointments, sessions, query);
  await addReminders(
    tx,
    appointments.map(({ id, starts_at }) => ({
      appointmentId: id,
      start: starts_at.getTime(),
      clientId: client,
      providerId: input.providerId,
      ownMinutes: input.reminderMinutes,
      siteMinutes: settings.reminderMinutes,
    })),
  );
  await recordDone(tx, {
    action: 'booking.booked',
    category: 'service_management',
    subject: { kind: 'booking', id: bookingId },
    details: { providerId: input.providerId, sessions: sessions.length, recurrence: input.recurrence },
  });
  await tx.emit(tx, 'booking.booked', { bookingId });
  await publish(tx, [`person:${client}`, `person:${input.providerId}`], {
    type: 'booking.changed',
    id: appointments[0]!.id,
  });
  return { bookingId, appointments: await bookedSessions(tx, client, bookingId) };
}

/** Stores the sessions and holds their time for both parties; the exclusion constraints have the last word. */
async function hold(
  tx: TxCtx,
  appointments: readonly NewAppointment[],
  sessions: readonly DecidedSession[],
  query: Omit<BookingQuery, 'input'>,
): Promise<void> {
  const refuseMissing = (found: ReadonlySet<string>, refusal: 'slot_taken' | 'own_clash'): void =>
    refuseClashes(
      sessions.map((session, index) => ({
        ...session,
        refusal: found.has(appointments[index]!.id) ? null : refusal,
      })),
      query,
    );
  const stored = await tx.db
    .insertInto('appointments')
    .values(appointments)
    // Unlike a plain insert this never deadlocks with another one.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  refuseMissing(new Set(stored.map(({ id }) => id)), 'slot_taken');
  const held = await tx.db
    .insertInto('participants')
    .values(
      appointments.flatMap(({ id, client_id, provider_id, starts_at, ends_at }) =>
        [client_id, provider_id].map((person_id) => ({
          appointment_id: id,
          person_id,
          starts_at,
          ends_at,
          held: true,
        })),
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['appointment_id', 'person_id'])
    .execute();
  const heldBy = (person: 'client_id' | 'provider_id') =>
    new Set(
      appointments
        .filter((one) => held.some((row) => row.appointment_id === one.id && row.person_id === one[person]))
        .map(({ id }) => id),
    );
  refuseMissing(heldBy('client_id'), 'own_clash');
  refuseMissing(heldBy('provider_id'), 'slot_taken');
}

/** Whether the client has, or has had, a session with this provider. */
async function metBefore(tx: TxCtx, clientId: string, providerId: string): Promise<boolean> {
  const found = await tx.db
    .selectFrom('appointments')
    .select('id')
    .where('client_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .where('status', '<>', 'cancelled')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** What makes two requests under the same key the same request. */
function fingerprintOf(input: BookInput): string {
  const { idempotencyKey: _key, contact, ...rest } = input;
  const parts = [...Object.entries(rest), ...Object.entries(contact)].sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
