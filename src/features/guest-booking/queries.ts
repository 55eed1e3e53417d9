import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { sealedColumn } from '#/platform/sealed-column.ts';
import { priceOf } from '#/features/catalogue/prices/rules.ts';
import { findSignInAccount, photoPath } from '#/features/accounts/queries.ts';
import { opensByLink, type SignInAccount } from '#/features/accounts/rules.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { offerOf } from '#/features/appointments/offer/queries.ts';
import type { AskInput, BookingRequest } from './contract.ts';
import { requestState } from './rules.ts';
import type { StoredRequest } from './tables.ts';
import { requireRequest } from './policies.ts';

export const sealedRequest = sealedColumn('booking_requests', 'sealed_input');

/** Decrypts a guest's request; null once booked. */
export function decryptRequest(
  { keyring }: Pick<Ctx, 'keyring'>,
  { id, input, sealed_input }: Pick<StoredRequest, 'id' | 'input' | 'sealed_input'>,
): AskInput | null {
  const opened = sealedRequest.openIfAny(keyring, id, sealed_input);
  return opened === null ? input : (JSON.parse(opened) as AskInput);
}

export async function isGuestBookingOn(ctx: Ctx): Promise<boolean> {
  return (await siteSettings(ctx)).allow_guest_booking;
}

export interface FoundRequest {
  row: StoredRequest;
  /** Null once booked. */
  asked: AskInput | null;
  holder: SignInAccount | null;
  state: BookingRequest['state'];
}

/**
 * Finds a request by token. `locked` locks the row until the transaction ends. Throws `not_found` for an unknown token.
 */
export async function requestOf(ctx: Ctx, token: string, { locked = false } = {}): Promise<FoundRequest> {
  const row = await requireRequest(ctx, token, { locked });
  const on = await isGuestBookingOn(ctx);
  // Booking erases the email, which ends the link's tie to an account.
  const holder = row.email === null ? null : await findSignInAccount(ctx, { email: row.email });
  const state = requestState(
    { asked: row.created_at.getTime(), expires: row.expires_at.getTime(), booked: row.booking_id !== null },
    {
      on,
      holder,
      self: ctx.actor.kind === 'person' ? ctx.actor.id : null,
      now: ctx.now().epochMilliseconds,
    },
  );
  return { row, asked: decryptRequest(ctx, row), holder, state };
}

/** Reads a request, hiding the session once nothing can be done. */
export async function readRequest(ctx: Ctx, token: string): Promise<BookingRequest> {
  const { asked, holder, state } = await requestOf(ctx, token);
  const closed = { signsIn: false, session: null };
  if (state === 'used' || state === 'expired' || state === 'off') return { state, ...closed };
  const session = await sessionAsked(ctx, asked!);
  if (!session) return { state: 'expired', ...closed };
  return { state, signsIn: canSignIn(ctx, { state, holder }), session };
}

export function canSignIn(
  { actor }: Ctx,
  { state, holder }: Pick<FoundRequest, 'state' | 'holder'>,
): boolean {
  if (actor.kind === 'person' || state !== 'open') return false;
  return holder === null || opensByLink(holder);
}

type RequestedSession = NonNullable<BookingRequest['session']>;

/** Prices the requested session as of now; null if no longer offered. */
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
      approvesFirst: offer.approvesFirst,
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
