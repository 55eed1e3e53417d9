import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Interval } from '#/kernel/interval.ts';
import { requireKnownZone } from '#/kernel/zone-clock.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { digestHex } from '#/platform/tokens.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Schedule } from '#/features/availability/rules.ts';
import { priceOf } from '#/features/catalogue/prices/rules.ts';
import { requireOn } from '#/features/settings/flags/policies.ts';
import type { AppointmentView } from '../appointment/contract.ts';
import type { BookInput } from './contract.ts';
import { countChange, storeBooking } from '../changes/commands.ts';
import {
  refuseDeletedService,
  withMoreTimes,
  refuseClashes,
  type Meeting,
  type MeetingQuery,
} from '../diary/commands.ts';
import { bookingContext, lockDiaries, tryLockDiaries } from '../diary/queries.ts';
import { offerOf, type Offer } from '../offer/queries.ts';
import type { Party, Side } from '../appointment/rules.ts';
import {
  isCallable,
  decideBooking,
  durationOffered,
  spanFrom,
  type DecidedSession,
  type Diary,
} from '../diary/rules.ts';
import { bookedSessions, viewOf } from '../appointment/queries.ts';
import { addReminders } from '../reminders/commands.ts';
import type { Appointment } from '../appointment/tables.ts';
import { requireOffered } from '../appointment/policies.ts';

declare module '#/platform/context.ts' {
  interface Events {
    /** `administrator` means a reassignment from another specialist. */
    'booking.booked': { bookingId: string; by: Side };
  }
}

/** A client's sessions to come, so that nobody can take a specialist's whole year. */
const maxAhead = 60;

/** Delays between lock attempts in milliseconds, before blocking on the lock. */
const lockRetries = [10, 20, 40, 80];

export interface Booked {
  bookingId: string;
  appointments: AppointmentView[];
}

/**
 * Books a session or series for the signed-in client, idempotently. Refusals include the next free times. Throws
 * `not_found` for an unlisted provider, `precondition` (`too_many_sessions`), or like `countChange`.
 */
export async function book(ctx: Ctx, input: BookInput): Promise<Booked> {
  const client = selfOf(ctx);
  requireKnownZone(input.timeZone);
  if (input.providerId === client) throw invalidField('providerId', 'yourself');
  requireNumber(input);
  return withMoreTimes(ctx, () =>
    transact(ctx, (tx) => bookOnce(tx, { by: 'client', self: client, clientId: client }, input)),
  );
}

export interface Booker {
  by: Party;
  self: Self;
  clientId: string;
  outsideHours?: boolean;
}

/**
 * Books within the caller's transaction, idempotently, under the same rules for both parties. Providers skip advance
 * notice and approval, and learn only that a client isn't free, never why.
 */
export async function bookOnce(tx: TxCtx, booker: Booker, input: BookInput): Promise<Booked> {
  const { by, self, clientId: client } = booker;
  const start = Temporal.Instant.from(input.startsAt).epochMilliseconds;
  const now = tx.now().epochMilliseconds;
  const fingerprint = fingerprintOf(booker, input);
  const found = await lockAndDecide(tx, { ...booker, input, start, now, fingerprint });
  if (found.booked) return found.booked;
  const { sessions, query, metBefore, priceCents, offered } = found;

  const bookingId = tx.newId();
  const appointments = sessions.map((session, index): Appointment => ({
    id: tx.newId(),
    booking_id: bookingId,
    series_index: index + 1,
    series_count: sessions.length,
    client_id: client,
    provider_id: input.providerId,
    service_id: input.serviceId,
    status: offered.approvesFirst && by === 'client' ? 'pending' : ('confirmed' as const),
    kind: metBefore || index > 0 ? ('follow-up' as const) : ('consultation' as const),
    session_type: input.sessionType,
    place_id: session.placeId,
    starts_at: new Date(session.start),
    ends_at: new Date(session.end),
    blocked_until: new Date(session.blockedUntil),
    local_date: session.localDate,
    price_cents: priceCents,
    contact_name: input.contact.name,
    contact_email: input.contact.email,
    contact_phone: input.contact.phone || null,
    client_time_zone: input.timeZone,
    sequence: 0,
    reminder_minutes: input.reminderMinutes,
    cancelled_by: null,
    cancel_reason: null,
    sealed_cancel_reason: null,
    moved_reason: null,
    sealed_moved_reason: null,
    expired: false,
    created_at: new Date(now),
    updated_at: new Date(now),
  }));
  const booking = {
    id: bookingId,
    client_id: client,
    idempotency_key: input.idempotencyKey,
    fingerprint,
    recurrence: input.recurrence,
    created_at: new Date(now),
  };
  const stored = refuseDeletedService(() => storeBooking(tx, booking, appointments));
  const rest = [
    countChange(tx, by, { clientId: client, providerId: input.providerId }),
    addReminders(
      tx,
      appointments.map(({ id, starts_at }) => ({
        appointmentId: id,
        start: starts_at.getTime(),
        clientId: client,
        providerId: input.providerId,
        ownMinutes: input.reminderMinutes,
        siteMinutes: offered.site.reminderMinutes,
      })),
    ),
    recordDone(tx, {
      action: 'booking.booked',
      subject: { kind: 'booking', id: bookingId },
      details: { by, providerId: input.providerId, sessions: sessions.length, recurrence: input.recurrence },
    }),
    tx.emit(tx, 'booking.booked', { bookingId, by }),
    publish(tx, [`person:${client}`, `person:${input.providerId}`], {
      type: 'booking.changed',
      id: appointments[0]!.id,
    }),
  ];
  // All are one round trip. If the booking is refused, the rest rolls back.
  await Promise.allSettled([stored, ...rest]);
  const refusals = await stored;
  throwRefusal(
    by,
    sessions.map((session, index) => ({
      ...session,
      refusal: refusals.get(appointments[index]!.id) ?? null,
    })),
    query,
  );
  await Promise.all(rest);
  if (by === 'provider') return { bookingId, appointments: await bookedSessions(tx, self, bookingId) };
  const { cancellationDeadlineHours } = offered.site;
  const views = appointments.map((row) =>
    viewOf(
      { ...offered.names, ...row, place: offered.places.find(({ id }) => id === row.place_id) ?? null },
      self,
      now,
      cancellationDeadlineHours,
    ),
  );
  return { bookingId, appointments: views };
}

/** Phone sessions need a number: the specialist calls the client. */
export function requireNumber({ sessionType, contact }: Pick<BookInput, 'sessionType' | 'contact'>): void {
  if (sessionType === 'phone' && !isCallable(contact.phone)) throw invalidField('contact.phone', 'required');
}

export function requireVideo(offer: Offer | null, { sessionType }: Pick<BookInput, 'sessionType'>): void {
  if (offer && sessionType === 'online') requireOn(offer.offersVideo, 'video_sessions');
}

function throwRefusal(by: Party, sessions: readonly DecidedSession[], query: MeetingQuery): void {
  // Privacy: hides the client's other sessions from providers.
  const first = sessions.find(({ refusal }) => refusal !== null);
  if (by === 'provider' && first?.refusal === 'own_clash') {
    throw new AppError('conflict', 'not_free', { fields: [{ field: 'startsAt', reason: 'not_free' }] });
  }
  refuseClashes(
    by === 'client' ? sessions : sessions.filter(({ refusal }) => refusal !== 'own_clash'),
    by === 'client' ? query : { ...query, own: [] },
  );
}

interface BookingWanted extends Booker {
  input: BookInput;
  start: number;
  now: number;
  fingerprint: string;
}

/**
 * Locks both diaries and decides under the lock, in one round trip. Between attempts, refuses doomed requests without
 * queueing, and finds a booking already stored under the key.
 */
async function lockAndDecide(tx: TxCtx, wanted: BookingWanted) {
  const { clientId, input, start, now } = wanted;
  const { providerId, idempotencyKey: key } = input;
  const people = [clientId, providerId];
  const span = spanFrom(start, now, input);
  const offering = offerOf(tx, input);
  for (let tries = 0; ; tries += 1) {
    const wait = lockRetries[tries];
    const [locked, offer, context] = await Promise.all([
      wait === undefined ? lockDiaries(tx, people) : tryLockDiaries(tx, people),
      offering,
      bookingContext(tx, { clientId, providerId, key }, span),
    ]);
    requireVideo(offer, input);
    const found = await findOrDecide(tx, { ...wanted, offer }, context);
    if (wait === undefined || locked || found.booked) return found;
    await sleep(wait);
  }
}

/** Returns the booking stored under this key, or the sessions to store; throws on a refusal. */
async function findOrDecide(
  tx: TxCtx,
  wanted: BookingWanted & { offer: Offer | null },
  context: Awaited<ReturnType<typeof bookingContext>>,
) {
  const { by, self, fingerprint } = wanted;
  const { booking: before, metBefore, ahead, schedule } = context;
  if (before && before.fingerprint !== fingerprint) throw new AppError('conflict', 'idempotency_key_reused');
  if (before) {
    const appointments = await bookedSessions(tx, self, before.id);
    return { booked: { bookingId: before.id, appointments } };
  }
  const decided = decideOffered(wanted, { ...context, schedule: requireOffered(schedule) });
  if (by === 'client' && ahead + decided.sessions.length > maxAhead)
    throw new AppError('precondition', 'too_many_sessions');
  return { ...decided, metBefore };
}

/** Applies the booking rules; throws on a refusal. */
export function decideOffered(
  {
    by,
    clientId,
    outsideHours = false,
    input,
    start,
    now,
    offer,
  }: Omit<BookingWanted, 'self' | 'clientId' | 'fingerprint'> &
    Pick<Meeting, 'clientId'> & { offer: Offer | null },
  {
    schedule,
    entries,
    own,
  }: { schedule: Schedule; entries: Pick<Diary, 'busy' | 'appointments'>; own: readonly Interval[] },
) {
  const offered = requireOffered(offer);
  const { service } = offered;
  if (!service) throw invalidField('serviceId', 'not_offered');
  if (!durationOffered(input.durationMinutes, service.durationMinutes, offered.sessionLengths)) {
    throw invalidField('durationMinutes', 'not_offered');
  }
  if (!offered.sessionTypes.includes(input.sessionType)) throw invalidField('sessionType', 'not_offered');
  const query = {
    meeting: { clientId, providerId: input.providerId },
    diary: { schedule, ...entries },
    own,
    settings: offered.site,
    inPerson: input.sessionType === 'in-person',
    withoutNotice: by === 'provider',
    now,
  };
  const sessions = decideBooking({ ...query, input: { ...input, start }, outsideHours });
  throwRefusal(by, sessions, query);
  const priceCents = priceOf(service, input.durationMinutes);
  if (input.priceCents !== undefined && input.priceCents !== priceCents)
    throw new AppError('conflict', 'price_changed', { data: { priceCents } });
  return { sessions, query, priceCents, offered };
}

/** Same key with another fingerprint is refused. */
function fingerprintOf({ by, outsideHours }: Booker, input: BookInput): string {
  const { idempotencyKey: _key, priceCents: _seen, contact, ...rest } = input;
  const parts = [...Object.entries(rest), ...Object.entries(contact)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  if (by === 'provider') parts.push(['by', by], ['outsideHours', String(outsideHours)]);
  return digestHex(JSON.stringify(parts));
}
