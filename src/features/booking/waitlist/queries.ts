import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { AppError } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { Self } from '#/features/access/rules.ts';
import { photoPath } from '#/features/accounts/queries.ts';
import type { AppointmentStatus } from '../contract.ts';
import type { WaitView } from './contract.ts';
import { datePassed } from './rules.ts';
import type { Wait, WaitOffer } from './tables.ts';

/**
 * Lets one at a time change who waits for a provider, to the end of the transaction. Bookings don't wait for it: an offer
 * holds no time.
 */
export async function lockLine(tx: TxCtx, providerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`waitlist:${providerId}`}, 0))`.execute(tx.db);
}

/** Whether anybody waits for this provider. */
export async function anybodyWaits(ctx: Ctx, providerId: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('waits')
    .select('id')
    .where('provider_id', '=', providerId)
    // Spelled out, so that the index of who waits answers in a plan made for any provider, too.
    .where('state', '=', sql.lit('waiting'))
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row !== undefined;
}

/** How many wait for this provider. */
export async function waitingCount(ctx: Ctx, provider: Self): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('waits')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('provider_id', '=', provider)
    .where('state', '=', 'waiting')
    // Whose last date is over is noted within the hour.
    .where('until_date', '>=', ctx.now().subtract({ hours: 24 }).toString().slice(0, 10))
    .executeTakeFirstOrThrow();
  return count;
}

/** One who waits, with what was offered to them and the appointment that they have. */
export type Line = Awaited<ReturnType<typeof lineOf>>;

/** Everybody who waits for a provider, in the order of asking; who is about to delete their account isn't asked. */
export async function lineOf(ctx: Ctx, providerId: string) {
  return ctx.db
    .selectFrom('waits')
    .innerJoin('providers', 'providers.id', 'waits.provider_id')
    .innerJoin('profiles', 'profiles.id', 'waits.client_id')
    .where('profiles.delete_after', 'is', null)
    .innerJoin('services', 'services.id', 'waits.service_id')
    .leftJoin('appointments', 'appointments.id', 'waits.appointment_id')
    .selectAll('waits')
    .select(['appointments.status', 'appointments.starts_at as appointment_start'])
    .select(({ and, ref }) => and([ref('providers.listed'), ref('services.active')]).as('offered'))
    .select(({ selectFrom }) =>
      jsonArrayFrom(
        selectFrom('wait_offers')
          .selectAll('wait_offers')
          .whereRef('wait_id', '=', 'waits.id')
          .where('wait_offers.state', 'in', ['open', 'passed']),
      ).as('offers'),
    )
    .where('waits.provider_id', '=', providerId)
    .where('waits.state', '=', 'waiting')
    .orderBy('asked_at')
    .orderBy('waits.id')
    .execute();
}

/** Whether there is nothing to wait for any more: the last date has passed, or the appointment can't be moved. */
export function isOver(
  wait: Pick<Wait, 'until_date' | 'time_zone' | 'appointment_id'> & {
    status: AppointmentStatus | null;
    appointment_start: Date | null;
  },
  { now, cancellationDeadlineHours }: { now: number; cancellationDeadlineHours: number },
): boolean {
  if (datePassed({ untilDate: wait.until_date, timeZone: wait.time_zone }, now)) return true;
  if (wait.appointment_id === null) return false;
  const until = movableUntil(wait.appointment_start!, cancellationDeadlineHours);
  return (wait.status !== 'pending' && wait.status !== 'confirmed') || now > until;
}

/** Until when a client can move an appointment, in epoch milliseconds. */
export function movableUntil(start: Date, cancellationDeadlineHours: number): number {
  return start.getTime() - cancellationDeadlineHours * 3_600_000;
}

/** A wait of one's own; another's answers `not_found`, like one that isn't there. */
export async function ownWait(ctx: Ctx, client: Self, waitId: string): Promise<Wait> {
  const row = await ctx.db
    .selectFrom('waits')
    .selectAll()
    .where('id', '=', waitId)
    .where('client_id', '=', client)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'wait');
  return row;
}

/** A time that was offered to the person, and what for; another's answers `not_found`, like one that isn't there. */
export async function ownOffer(
  ctx: Ctx,
  client: Self,
  offerId: string,
): Promise<{ offer: WaitOffer; wait: Wait }> {
  const offer = await ctx.db
    .selectFrom('wait_offers')
    .selectAll('wait_offers')
    .where('wait_offers.id', '=', offerId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('waits')
          .select('waits.id')
          .whereRef('waits.id', '=', 'wait_id')
          .where('client_id', '=', client),
      ),
    )
    .executeTakeFirst();
  if (!offer) throw new AppError('not_found', 'offer');
  return { offer, wait: await ownWait(ctx, client, offer.wait_id) };
}

/** What a client waits for, longest first, without what is over. */
export async function ownWaits(
  ctx: Ctx,
  client: Self,
  { cancellationDeadlineHours }: { cancellationDeadlineHours: number },
): Promise<WaitView[]> {
  const now = ctx.now().epochMilliseconds;
  const rows = await ctx.db
    .selectFrom('waits')
    .innerJoin('services', 'services.id', 'waits.service_id')
    .innerJoin('providers', 'providers.id', 'waits.provider_id')
    .innerJoin('profiles', 'profiles.id', 'waits.provider_id')
    .leftJoin('appointments', 'appointments.id', 'waits.appointment_id')
    .selectAll('waits')
    .select([
      'services.title as service_title',
      'providers.title as provider_title',
      'profiles.full_name',
      'profiles.photo_id',
      'appointments.status',
      'appointments.starts_at as appointment_start',
    ])
    .select(({ selectFrom }) =>
      jsonArrayFrom(
        selectFrom('wait_offers')
          .select(['wait_offers.id', 'wait_offers.starts_at', 'wait_offers.deadline'])
          .whereRef('wait_id', '=', 'waits.id')
          .where('wait_offers.state', '=', 'open')
          .where('wait_offers.starts_at', '>', new Date(now))
          .orderBy('wait_offers.starts_at'),
      ).as('offers'),
    )
    .where('waits.client_id', '=', client)
    .where('waits.state', '=', 'waiting')
    .orderBy('asked_at')
    .orderBy('waits.id')
    .execute();
  return rows.flatMap((row) => {
    if (isOver(row, { now, cancellationDeadlineHours })) return [];
    return {
      id: row.id,
      appointment:
        row.appointment_id === null
          ? null
          : { id: row.appointment_id, startsAt: isoOf(row.appointment_start!) },
      provider: {
        id: row.provider_id,
        name: row.full_name,
        title: row.provider_title,
        photoUrl: photoPath(row.photo_id),
      },
      service: { id: row.service_id, title: row.service_title },
      durationMinutes: row.duration_minutes,
      sessionType: row.session_type,
      wishes: wishesOf(row),
      offers: row.offers.map((offer) => {
        const start = new Date(offer.starts_at).getTime();
        return {
          id: offer.id,
          startsAt: isoOf(start),
          endsAt: isoOf(start + row.duration_minutes * 60_000),
          deadline: isoOf(new Date(offer.deadline).getTime()),
        };
      }),
    };
  });
}

/** The wishes that a row holds. */
export function wishesOf(
  row: Pick<Wait, 'until_date' | 'weekdays' | 'day_parts' | 'time_zone'>,
): WaitView['wishes'] {
  return {
    untilDate: row.until_date,
    weekdays: row.weekdays,
    dayParts: row.day_parts,
    timeZone: row.time_zone,
  };
}

/** An offer with whom it is for, for messages; null once it can't be taken any more. For jobs and the system alone. */
export async function offerNotice(ctx: Ctx, offerId: string) {
  if (ctx.actor.kind !== 'job' && ctx.actor.kind !== 'system') throw new AppError('not_found', 'offer');
  const row = await ctx.db
    .selectFrom('wait_offers')
    .innerJoin('waits', 'waits.id', 'wait_offers.wait_id')
    .innerJoin('users', 'users.id', 'waits.client_id')
    .innerJoin('profiles', 'profiles.id', 'waits.client_id')
    .select([
      'waits.client_id as clientId',
      'users.email',
      'full_name as name',
      'waits.time_zone as timeZone',
      'session_type as sessionType',
      'duration_minutes as durationMinutes',
      'appointment_id',
      'wait_offers.starts_at as startsAt',
      'wait_offers.deadline',
    ])
    .where('wait_offers.id', '=', offerId)
    .where('wait_offers.state', '=', 'open')
    .where('waits.state', '=', 'waiting')
    .where('wait_offers.starts_at', '>', new Date(ctx.now().epochMilliseconds))
    .executeTakeFirst();
  if (!row) return null;
  const { appointment_id, startsAt, deadline, ...rest } = row;
  return {
    ...rest,
    moves: appointment_id !== null,
    startsAt: startsAt.getTime(),
    deadline: deadline.getTime(),
  };
}
