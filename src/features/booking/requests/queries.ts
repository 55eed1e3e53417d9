import { createHash } from 'node:crypto';
import { AppError } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { priceOf } from '#/features/catalogue/prices/rules.ts';
import { doorOf, photoPath } from '#/features/accounts/queries.ts';
import { opensByLink, type Door } from '#/features/accounts/rules.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { offerOf } from '../diary/queries.ts';
import { askedIn } from '../sealing/queries.ts';
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
  /** What was asked for; null once it is booked. */
  asked: AskInput | null;
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
  const on = await isGuestBookingOn(ctx);
  // Once it is booked the address is gone, and the link is nobody's.
  const holder = row.email === null ? null : await doorOf(ctx, { email: row.email });
  const state = requestState(
    { asked: row.created_at.getTime(), expires: row.expires_at.getTime(), booked: row.booking_id !== null },
    {
      on,
      holder,
      self: ctx.actor.kind === 'person' ? ctx.actor.id : null,
      now: ctx.now().epochMilliseconds,
    },
  );
  return { row, asked: askedIn(ctx, row), holder, state };
}

/** What a link leads to; the session only as long as something can be done about it. */
export async function readRequest(ctx: Ctx, token: string): Promise<BookingRequest> {
  const { asked, holder, state } = await requestOf(ctx, token);
  const closed = { signsIn: false, session: null };
  if (state === 'used' || state === 'expired' || state === 'off') return { state, ...closed };
  const session = await sessionAsked(ctx, asked!);
  if (!session) return { state: 'expired', ...closed };
  return { state, signsIn: signsIn(ctx, { state, holder }), session };
}

/** Whether the link, once it is pressed, signs in whoever presses it. */
export function signsIn({ actor }: Ctx, { state, holder }: Pick<FoundRequest, 'state' | 'holder'>): boolean {
  if (actor.kind === 'person' || state !== 'open') return false;
  return holder === null || opensByLink(holder);
}

type RequestedSession = NonNullable<BookingRequest['session']>;

/** What was asked for, as it would be booked now; null where it isn't offered any more. */
async function sessionAsked(ctx: Ctx, input: AskInput): Promise<RequestedSession | null> {
  const offer = await offerOf(ctx, input);
  if (!offer?.service) return null;
  const start = Temporal.Instant.from(input.startsAt);
  return {
    provider: {
      id: input.providerId,
      name: offer.names.provider_name,
      title: offer.names.provider_title,
      photoUrl: photoPath(offer.names.provider_photo_id),
    },
    service: { id: input.serviceId, title: offer.names.service_title },
    sessionType: input.sessionType,
    startsAt: isoOf(start.epochMilliseconds),
    endsAt: isoOf(start.add({ minutes: input.durationMinutes }).epochMilliseconds),
    durationMinutes: input.durationMinutes,
    timeZone: offer.names.provider_time_zone,
    priceCents: priceOf(offer.service, input.durationMinutes),
  };
}
