import { sql, type SelectQueryBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { roles } from '#/kernel/actor.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx, Database, TxCtx } from '#/platform/context.ts';
import { hideFromPlanner } from '#/platform/db/hide-from-planner.ts';
import { can, type Self } from '#/features/access/rules.ts';
import { photoPath } from '#/features/accounts/queries.ts';
import { bookingSettings } from '#/features/appointments/offer/queries.ts';
import type { AppointmentStatus } from '#/features/appointments/appointment/contract.ts';
import { requireBackground } from '#/features/access/policies.ts';
import type { WaitView } from './contract.ts';
import { datePassed } from './rules.ts';
import type { Wait } from './tables.ts';

/**
 * Serializes changes to a provider's waiting list until the transaction ends. Bookings skip this lock: offers reserve
 * nothing.
 */
export async function lockLine(tx: TxCtx, providerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`waitlist:${providerId}`}, 0))`.execute(tx.db);
}

export async function hasWaitingClients(
  ctx: Ctx,
  providerId: string | SelectQueryBuilder<Database, 'appointments', { provider_id: string }>,
): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('waits')
    .select('id')
    .where('provider_id', '=', providerId)
    // Literal, not a parameter: lets generic plans use the partial index.
    .where('state', '=', sql.lit('waiting'))
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row !== undefined;
}

const bookers = roles.filter((role) => can(role, 'book_appointments'));

export async function waitingCount(ctx: Ctx, provider: Self): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('waits')
    .innerJoin('profiles', 'profiles.id', 'waits.client_id')
    .where('profiles.delete_after', 'is', null)
    .where('profiles.suspended_at', 'is', null)
    .where('profiles.role', 'in', bookers)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('provider_id', '=', provider)
    .where('state', '=', 'waiting')
    // Expired ones are closed within the hour.
    .where('until_date', '>=', ctx.now().subtract({ hours: 24 }).toString().slice(0, 10))
    .executeTakeFirstOrThrow();
  return count;
}

export type Line = Awaited<ReturnType<typeof lineOf>>;

/** Returns a provider's waiting list, longest wait first, even people who can't book. */
export async function lineOf(ctx: Ctx, providerId: string) {
  return ctx.db
    .selectFrom('waits')
    .innerJoin('profiles', 'profiles.id', 'waits.client_id')
    .leftJoin('appointments', 'appointments.id', 'waits.appointment_id')
    .selectAll('waits')
    .select(['appointments.status', 'appointments.starts_at as appointment_start'])
    .select(({ and, eb }) =>
      and([
        eb('profiles.delete_after', 'is', null),
        eb('profiles.suspended_at', 'is', null),
        eb('profiles.role', 'in', bookers),
      ]).as('may_book'),
    )
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

/** Returns whether the last date passed or the appointment can't be rescheduled anymore. */
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

/** Returns the rescheduling deadline in epoch milliseconds. */
export function movableUntil(start: Date, cancellationDeadlineHours: number): number {
  return start.getTime() - cancellationDeadlineHours * 3_600_000;
}

/** Lists a client's active entries, longest wait first. */
export async function ownWaits(ctx: Ctx, client: Self): Promise<WaitView[]> {
  const { cancellationDeadlineHours } = await bookingSettings(ctx);
  const now = ctx.now().epochMilliseconds;
  const rows = await ctx.db
    .selectFrom('waits')
    .innerJoin('services', 'services.id', 'waits.service_id')
    .innerJoin('providers', 'providers.id', 'waits.provider_id')
    .innerJoin('profiles', 'profiles.id', 'waits.provider_id')
    .leftJoin('appointments', 'appointments.id', 'waits.appointment_id')
    .select([
      'waits.id',
      'waits.appointment_id',
      'waits.provider_id',
      'waits.service_id',
      'waits.duration_minutes',
      'waits.session_type',
      'waits.until_date',
      'waits.weekdays',
      'waits.day_parts',
      'waits.time_zone',
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
          .where('wait_offers.starts_at', '>', hideFromPlanner(new Date(now), 'timestamptz'))
          .orderBy('wait_offers.starts_at'),
      ).as('offers'),
    )
    .where('waits.client_id', '=', hideFromPlanner(client, 'uuid'))
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
      wishes: preferencesOf(row),
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

export function preferencesOf(
  row: Pick<Wait, 'until_date' | 'weekdays' | 'day_parts' | 'time_zone'>,
): WaitView['wishes'] {
  return {
    untilDate: row.until_date,
    weekdays: row.weekdays,
    dayParts: row.day_parts,
    timeZone: row.time_zone,
  };
}

/** Loads an offer for messages; null once expired. Jobs and system only. */
export async function offerNotice(ctx: Ctx, offerId: string) {
  requireBackground(ctx, 'offer');
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
