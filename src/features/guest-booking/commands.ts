import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { networkOf } from '#/platform/http/address.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { addressDigest, digestHex } from '#/platform/tokens.ts';
import { authorize, selfOf } from '#/features/access/rules.ts';
import { createAccount, makeLinkToken } from '#/features/accounts/commands.ts';
import { findSignInAccount, requireNotHeld } from '#/features/accounts/queries.ts';
import { opensByLinkOf } from '#/features/accounts/rules.ts';
import { allowances } from '#/features/accounts/tries/rules.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone, type AuditedAction } from '#/features/audit/commands.ts';
import { scheduleOf } from '#/features/availability/queries.ts';
import {
  bookOnce,
  decideOffered,
  requireNumber,
  requireVideo,
} from '#/features/appointments/booking/commands.ts';
import type { BookInput } from '#/features/appointments/booking/contract.ts';
import { withMoreTimes } from '#/features/appointments/diary/commands.ts';
import { spanFrom } from '#/features/appointments/diary/rules.ts';
import { entriesOf } from '#/features/appointments/diary/queries.ts';
import { offerOf } from '#/features/appointments/offer/queries.ts';
import { requireKnownZone } from '#/kernel/zone-clock.ts';
import type { AskInput, ConfirmInput } from './contract.ts';
import {
  decryptRequest,
  isGuestBookingOn,
  requestOf,
  canSignIn,
  type FoundRequest,
  sealedRequest,
} from './queries.ts';
import { expiryOf, usedFor } from './rules.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'booking.requested': { requestId: string };
  }
}

/** Daily confirmation links per email and network. */
const perDay = { tries: 10, seconds: 86_400 };
/** Daily confirmation links per email. */
const perDayInAll = { tries: 30, seconds: 86_400 };

/** PostgreSQL `unique_violation`. */
const uniqueViolation = '23505';

/**
 * Requests a session without an account: emails a confirmation link and reserves nothing. Throws normal booking
 * refusals. Never looks up the email's account, so neither response nor timing reveals one. `factor` scales rate
 * limits.
 */
export async function requestGuestBooking(
  ctx: Ctx,
  input: AskInput,
  factor: number,
): Promise<{ sentTo: string }> {
  requireKnownZone(input.timeZone);
  requireNumber(input);
  if (!(await isGuestBookingOn(ctx))) throw new AppError('forbidden', 'guest_booking_off');
  const limit = async (key: string, { tries, seconds }: { tries: number; seconds: number }) => {
    if (!(await countAttempt(ctx.db, key, tries * factor, seconds, ctx.now())))
      throw new AppError('rate_limited', 'too_many_requests');
  };
  const network = networkOf(ctx.address ?? '');
  await limit(`booking-requests:${network}`, allowances.requests);
  const sentTo = input.contact.email;
  if (await isRequested(ctx, input)) return { sentTo };
  await requireBookable(ctx, input);
  const address = addressDigest(sentTo);
  await limit(`booking-requests-to:${address} ${network}`, allowances.mails);
  await limit(`booking-requests-day:${address} ${network}`, perDay);
  await limit(`booking-requests-day:${address}`, perDayInAll);
  await transact(ctx, (tx) => store(tx, input));
  return { sentTo };
}

/** Returns true if this key already has the same request; throws if it has a different one. */
async function isRequested(ctx: Ctx, input: AskInput): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('booking_requests')
    .select(['id', 'input', 'sealed_input'])
    .where('id', '=', input.idempotencyKey)
    .executeTakeFirst();
  if (!row) return false;
  const asked = decryptRequest(ctx, row);
  // A booked request's input is erased, so it can't be compared.
  if (asked && !isDeepStrictEqual(asked, JSON.parse(JSON.stringify(input))))
    throw new AppError('conflict', 'idempotency_key_reused');
  return true;
}

/** Normal booking checks, with an empty client diary. */
async function requireBookable(ctx: Ctx, input: AskInput): Promise<void> {
  const start = Temporal.Instant.from(input.startsAt).epochMilliseconds;
  await withMoreTimes(ctx, async () => {
    const now = ctx.now().epochMilliseconds;
    const offer = await offerOf(ctx, input);
    requireVideo(offer, input);
    const [schedule, entries] = await Promise.all([
      scheduleOf(ctx, input.providerId),
      entriesOf(ctx, input.providerId, spanFrom(start, now)),
    ]);
    const wanted = { by: 'client', clientId: null, input: bookInputOf(input), start, now, offer } as const;
    decideOffered(wanted, { schedule, entries, own: [] });
  });
}

/** Guests can't book series; `sessions` is ignored. */
function bookInputOf(input: AskInput): BookInput {
  return { ...input, recurrence: 'one_time', sessions: 2 };
}

async function store(tx: TxCtx, input: AskInput): Promise<void> {
  const now = tx.now().epochMilliseconds;
  const start = Temporal.Instant.from(input.startsAt).epochMilliseconds;
  const stored = await tx.db
    .insertInto('booking_requests')
    .values({
      id: input.idempotencyKey,
      token_hash: null,
      email: input.contact.email.toLowerCase(),
      sealed_input: sealedRequest.seal(tx.keyring, input.idempotencyKey, JSON.stringify(input)),
      created_at: new Date(now),
      expires_at: new Date(expiryOf(now, start)),
      booking_id: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  // A concurrent duplicate request stored it first.
  if (!stored) return void (await isRequested(tx, input));
  await record(tx, 'requested', stored.id, { providerId: input.providerId });
  await tx.emit(tx, 'booking.requested', { requestId: stored.id });
}

/**
 * Creates the link token within the transaction that writes the email; stores only its hash. Returns null if already
 * sent or expired.
 */
export async function issueRequest(
  tx: TxCtx,
  requestId: string,
): Promise<{ token: string; email: string; asked: AskInput; expiresAt: number } | null> {
  const token = randomBytes(32).toString('base64url');
  const row = await tx.db
    .updateTable('booking_requests')
    .set({ token_hash: digestHex(token) })
    .where('id', '=', requestId)
    .where('token_hash', 'is', null)
    .where('expires_at', '>', new Date(tx.now().epochMilliseconds))
    .returning(['id', 'input', 'sealed_input', 'expires_at'])
    .executeTakeFirst();
  const asked = row && decryptRequest(tx, row);
  if (!asked) return null;
  return { token, email: asked.contact.email, asked, expiresAt: row.expires_at.getTime() };
}

/** `signInToken` signs in accounts without a password. */
export interface Confirmed {
  appointmentId: string;
  signInToken: string | null;
}

/**
 * Books a requested session once, creating the email's account if needed. Refusals list the next free times; retry with
 * one as `startsAt`. Throws `precondition` (`link_used`), `forbidden` (`account_suspended`, `address_held`), or
 * `conflict` (`price_changed`) with the current `priceCents`.
 */
export async function confirmRequest(ctx: Ctx, input: ConfirmInput): Promise<Confirmed> {
  const { token } = input;
  const { asked } = await requestOf(ctx, token);
  const attempt = () => transact(ctx, (tx) => confirmOnce(tx, input));
  const confirmed = () =>
    attempt().catch((error: unknown) => {
      // A concurrent request made the account.
      if (sqlState(error) === uniqueViolation) return attempt();
      throw error;
    });
  if (!asked) throw new AppError('precondition', 'link_used');
  return withMoreTimes(ctx, confirmed);
}

async function confirmOnce(tx: TxCtx, { token, startsAt, priceCents }: ConfirmInput): Promise<Confirmed> {
  const found = await requestOf(tx, token, { locked: true });
  const { row, holder, state } = found;
  requireOpen(state);
  if (holder?.suspended) throw new AppError('forbidden', 'account_suspended');
  if (holder) await requireNotHeld(tx, holder.id);
  const asked = found.asked!;
  const { name, email } = asked.contact;
  const client =
    holder ??
    ({
      id: await createAccount(tx, {
        email,
        name,
        role: 'client',
        emailVerified: true,
        timeZone: asked.timeZone,
      }),
      role: 'client',
    } as const);
  if (client.id === asked.providerId) throw invalidField('providerId', 'yourself');
  // Signed-out visitors act through the link as its account holder.
  const acting: TxCtx =
    tx.actor.kind === 'person'
      ? tx
      : { ...tx, actor: { kind: 'person', id: client.id, role: client.role, sessionId: tx.newId() } };
  authorize(acting.actor, ['book_appointments']);
  const input = {
    ...bookInputOf(asked),
    startsAt: startsAt ?? asked.startsAt,
    priceCents: priceCents ?? asked.priceCents,
  };
  const { bookingId, appointments } = await bookOnce(
    acting,
    { by: 'client', self: selfOf(acting), clientId: client.id },
    input,
  );
  await tx.db
    .updateTable('booking_requests')
    .set({ booking_id: bookingId, email: null, input: null, sealed_input: null })
    .where('id', '=', row.id)
    .execute();
  await record(tx, 'request_confirmed', row.id, { bookingId });
  const signsInNow = canSignIn(tx, found) && (await stillOpens(tx, client.id, row));
  const signInToken = signsInNow ? await makeLinkToken(tx, 'sign-in', client.id) : null;
  return { appointmentId: appointments[0]!.id, signInToken };
}

/** Re-checks under the lock: the account may have revoked links or set a password meanwhile. */
async function stillOpens(
  tx: TxCtx,
  clientId: string,
  { created_at }: FoundRequest['row'],
): Promise<boolean> {
  const account = await findSignInAccount(tx, { id: clientId }, { locked: true });
  return account !== null && opensByLinkOf(created_at.getTime(), account);
}

function record(
  tx: TxCtx,
  what: ActionAfter<'booking.'>,
  id: string,
  details: AuditedAction['details'] & {},
): Promise<void> {
  const subject = { kind: 'booking_request', id };
  return recordDone(tx, { action: `booking.${what}`, subject, details });
}

function requireOpen(state: FoundRequest['state']): void {
  switch (state) {
    case 'open':
      return;
    case 'used':
      throw new AppError('precondition', 'link_used');
    case 'off':
      throw new AppError('forbidden', 'guest_booking_off');
    case 'expired':
      throw new AppError('precondition', 'link_expired');
    case 'sign_in':
      throw new AppError('unauthenticated', 'sign_in_required');
    case 'other':
      throw new AppError('forbidden', 'other_account');
  }
}

/** Deletes expired requests, and booked ones a day after their session. */
export async function deleteExpiredRequests({ db, now }: Ctx): Promise<void> {
  const at = now().epochMilliseconds;
  await db
    .deleteFrom('booking_requests')
    .where(({ or, and, eb, not, exists, selectFrom }) =>
      or([
        and([eb('booking_id', 'is', null), eb('expires_at', '<=', new Date(at))]),
        and([
          eb('booking_id', 'is not', null),
          not(
            exists(
              selectFrom('appointments')
                .select('id')
                .whereRef('appointments.booking_id', '=', 'booking_requests.booking_id')
                .where('ends_at', '>', new Date(at - usedFor)),
            ),
          ),
        ]),
      ]),
    )
    .execute();
}
