import { createHash } from 'node:crypto';
import { AppError } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { doorOf, photoPath } from '#/features/accounts/queries.ts';
import { opensByLink, type Door } from '#/features/accounts/rules.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { offerOf } from '../diary/queries.ts';
import type { AskInput, BookingRequest } from './contract.ts';
import { requestState } from './rules.ts';
import type { StoredRequest } from './tables.ts';

/** What is stored of a link's token, which can be told by it and not made from it. */
export function requestHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether sessions can be booked without an account now. */
export async function isGuestBookingOn(ctx: Ctx): Promise<boolean> {
  return (await siteSettings(ctx)).allow_guest_booking;
}

/** A request by its link, with what has become of it, and what it is to the person who acts. */
export interface FoundRequest {
  row: StoredRequest;
  booked: BookedSession | null;
  /** Whose account it is about; null where its address has none. */
  holder: Door | null;
  state: BookingRequest['state'];
}

/** Finds a request by its link's token; `not_found` for any other. `locked` keeps others from it until the transaction ends. */
export async function requestOf(ctx: Ctx, token: string, { locked = false } = {}): Promise<FoundRequest> {
  const row = await ctx.db
    .selectFrom('booking_requests')
    .selectAll()
    .where('token_hash', '=', requestHash(token))
    .$if(locked, (rows) => rows.forUpdate())
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'booking_request');
  const booked = row.booking_id === null ? null : await bookedSession(ctx, row.booking_id);
  const whose = booked ? { id: booked.client_id } : { email: row.email! };
  const [on, holder] = [await isGuestBookingOn(ctx), await doorOf(ctx, whose)];
  const state = requestState(
    { expires: row.expires_at.getTime(), sessionEnd: booked?.ends_at.getTime() ?? null },
    {
      on,
      holder,
      self: ctx.actor.kind === 'person' ? ctx.actor.id : null,
      now: ctx.now().epochMilliseconds,
    },
  );
  return { row, booked, holder, state };
}

/** What a link leads to; the session only as long as something can be done about it. */
export async function readRequest(ctx: Ctx, token: string): Promise<BookingRequest> {
  const { row, booked, holder, state } = await requestOf(ctx, token);
  const closed = { signsIn: false, session: null };
  if (state === 'expired' || state === 'over' || state === 'off') return { state, ...closed };
  const session = booked ? sessionIn(booked) : await sessionAsked(ctx, row.input!);
  if (!session) return { state: 'expired', ...closed };
  return { state, signsIn: signsIn(ctx, { state, holder }), session };
}

/** Whether the link, once it is pressed, signs in whoever presses it. */
export function signsIn({ actor }: Ctx, { state, holder }: Pick<FoundRequest, 'state' | 'holder'>): boolean {
  if (actor.kind === 'person' || (state !== 'open' && state !== 'booked')) return false;
  return holder === null || opensByLink(holder);
}

type RequestedSession = NonNullable<BookingRequest['session']>;

/** What was asked for, as it would be booked now; null where it isn't offered any more. */
async function sessionAsked(ctx: Ctx, input: AskInput): Promise<RequestedSession | null> {
  const offer = await offerOf(ctx, input);
  if (!offer?.service) return null;
  const start = Temporal.Instant.from(input.startsAt);
  return sessionIn({
    ...offer.names,
    status: null,
    provider_id: input.providerId,
    service_id: input.serviceId,
    session_type: input.sessionType,
    starts_at: new Date(start.epochMilliseconds),
    ends_at: new Date(start.add({ minutes: input.durationMinutes }).epochMilliseconds),
    price_cents: offer.service.priceCents,
    contact_name: input.contact.name,
    contact_phone: input.contact.phone || null,
  });
}

/** The session that was booked by a request, as it is now. */
type BookedSession = Awaited<ReturnType<typeof bookedSession>>;

async function bookedSession({ db }: Ctx, bookingId: string) {
  return db
    .selectFrom('appointments')
    .innerJoin('services', 'services.id', 'appointments.service_id')
    .innerJoin('providers', 'providers.id', 'appointments.provider_id')
    .innerJoin('profiles', 'profiles.id', 'appointments.provider_id')
    .select([
      'appointments.id',
      'appointments.status',
      'client_id',
      'provider_id',
      'service_id',
      'session_type',
      'starts_at',
      'ends_at',
      'appointments.price_cents',
      'contact_name',
      'contact_phone',
      'services.title as service_title',
      'full_name as provider_name',
      'providers.title as provider_title',
      'providers.time_zone as provider_time_zone',
      'photo_id as provider_photo_id',
    ])
    .where('booking_id', '=', bookingId)
    .executeTakeFirstOrThrow();
}

function sessionIn(
  row: Omit<BookedSession, 'id' | 'client_id' | 'status'> & { status: RequestedSession['status'] },
): RequestedSession {
  const [start, end] = [row.starts_at.getTime(), row.ends_at.getTime()];
  return {
    status: row.status,
    provider: {
      id: row.provider_id,
      name: row.provider_name,
      title: row.provider_title,
      photoUrl: photoPath(row.provider_photo_id),
    },
    service: { id: row.service_id, title: row.service_title },
    sessionType: row.session_type,
    startsAt: isoOf(start),
    endsAt: isoOf(end),
    durationMinutes: (end - start) / 60_000,
    timeZone: row.provider_time_zone,
    priceCents: row.price_cents,
    contact: { name: row.contact_name, phone: row.contact_phone },
  };
}
