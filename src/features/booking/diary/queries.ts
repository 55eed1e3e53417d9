import { sql } from 'kysely';
import type { Interval } from '#/kernel/interval.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { holdsTime } from '../life-cycle/rules.ts';
import type { BookingSettings, Diary } from '../rules.ts';

const hour = 3_600_000;

/** The longest that a session blocks, buffer included (the limits of contract and settings): 240 + 120 minutes. */
const longestBlock = 6 * hour;

/** The most that local days reach past a span, so that a day's appointments are counted whole. */
const localDay = 50 * hour;

/**
 * Waits until nobody else changes these people's appointments, to the end of the transaction. Every change of an
 * appointment does this before it reads what it decides on; the sorted order keeps two of them from a deadlock.
 */
export async function lockDiaries(tx: TxCtx, people: readonly string[]): Promise<void> {
  const locks = [...new Set(people)]
    .sort()
    .map((id) => sql`pg_advisory_xact_lock(hashtextextended(${`diary:${id}`}, 0))`);
  await sql`select ${sql.join(locks)}`.execute(tx.db);
}

/** What an appointment depends on of the site settings. */
export interface SiteTerms extends BookingSettings {
  cancellationDeadlineHours: number;
  /** When the site reminds both parties, in minutes before the start. */
  reminderMinutes: number;
}

/** The site settings that bookings obey, as they are now. */
export async function bookingSettings(ctx: Ctx): Promise<SiteTerms> {
  const settings = await siteSettings(ctx);
  return {
    advanceNoticeHours: settings.booking_advance_notice,
    bufferMinutes: settings.buffer_time_minutes,
    dailyMaximum: settings.max_daily_bookings,
    cancellationDeadlineHours: settings.cancellation_deadline,
    reminderMinutes: settings.reminder_time,
  };
}

/** What a provider has in their diary around a span of starts, without the appointment that is being moved. */
export async function entriesOf(
  ctx: Ctx,
  providerId: string,
  span: Interval,
  moving?: string,
): Promise<Pick<Diary, 'busy' | 'appointments'>> {
  let rows = ctx.db
    .selectFrom('appointments')
    .select(['status', 'starts_at', 'blocked_until'])
    .where('provider_id', '=', providerId)
    .where('status', '<>', 'cancelled')
    .where('starts_at', '>', new Date(span.start - localDay))
    .where('starts_at', '<', new Date(span.end + localDay));
  if (moving !== undefined) rows = rows.where('id', '<>', moving);
  const found = await rows.execute();
  return {
    busy: found
      .filter(({ status }) => holdsTime(status))
      .map(({ starts_at, blocked_until }) => ({ start: starts_at.getTime(), end: blocked_until.getTime() })),
    appointments: found.map(({ starts_at }) => starts_at.getTime()),
  };
}

/** The sessions in which a person takes part and that hold their time, around a span of starts. */
export async function heldTimes(
  ctx: Ctx,
  personId: string,
  span: Interval,
  moving?: string,
): Promise<Interval[]> {
  let rows = ctx.db
    .selectFrom('participants')
    .select(['starts_at', 'ends_at'])
    .where('person_id', '=', personId)
    .where('held', '=', true)
    // The form of the exclusion constraint, so that its index answers.
    .where(
      sql<boolean>`tstzrange(starts_at, ends_at) && tstzrange(${new Date(span.start)}, ${new Date(span.end + longestBlock)})`,
    );
  if (moving !== undefined) rows = rows.where('appointment_id', '<>', moving);
  return (await rows.execute()).map(({ starts_at, ends_at }) => ({
    start: starts_at.getTime(),
    end: ends_at.getTime(),
  }));
}

/** What is offered of a service with a provider; null where the provider isn't listed or doesn't offer it. */
export async function offerOf(
  ctx: Ctx,
  { providerId, serviceId }: { providerId: string; serviceId: string },
): Promise<{
  approvesFirst: boolean;
  service: { durationMinutes: number; priceCents: number } | null;
} | null> {
  const row = await ctx.db
    .selectFrom('providers')
    .leftJoin('provider_services', (join) =>
      join.onRef('provider_services.provider_id', '=', 'providers.id').on('service_id', '=', serviceId),
    )
    .leftJoin('services', (join) =>
      join.onRef('services.id', '=', 'service_id').on('services.active', '=', true),
    )
    .select(['approves_first', 'duration_minutes', 'price_cents'])
    .where('providers.id', '=', providerId)
    .where('listed', '=', true)
    .executeTakeFirst();
  if (!row) return null;
  const { duration_minutes, price_cents } = row;
  const service =
    duration_minutes === null || price_cents === null
      ? null
      : { durationMinutes: duration_minutes, priceCents: price_cents };
  return { approvesFirst: row.approves_first, service };
}
