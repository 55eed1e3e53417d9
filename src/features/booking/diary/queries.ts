import { sql } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import type { Interval } from '#/kernel/interval.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { scheduleOf } from '#/features/availability/queries.ts';
import { freeStarts } from '#/features/availability/rules.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { furthestAhead, type BookingSettings, type Diary } from '../rules.ts';

const hour = 3_600_000;

/** The longest that a session blocks, buffer included (the limits of contract and settings): 240 + 120 minutes. */
const longestBlock = 6 * hour;

/** The most that local days reach past a span, so that a day's appointments are counted whole. */
const localDay = 50 * hour;

/** How far behind a wanted start its next free ones are looked for, in steps: most are found in the first. */
const lookAhead = [14 * 24 * hour, 62 * 24 * hour];
const nextOffered = 5;

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

/** What a booking depends on of the site settings. */
export async function bookingSettings(
  ctx: Ctx,
): Promise<BookingSettings & { cancellationDeadlineHours: number; reminderMinutes: number }> {
  const settings = await siteSettings(ctx);
  return {
    advanceNoticeHours: settings.booking_advance_notice,
    bufferMinutes: settings.buffer_time_minutes,
    dailyMaximum: settings.max_daily_bookings,
    cancellationDeadlineHours: settings.cancellation_deadline,
    reminderMinutes: settings.reminder_time,
  };
}

/** A provider's diary around a span of starts, without the appointment that is being moved. */
export async function diaryOf(ctx: Ctx, providerId: string, span: Interval, moving?: string): Promise<Diary> {
  const schedule = await scheduleOf(ctx, providerId);
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
    schedule,
    busy: found
      .filter(({ status }) => status === 'pending' || status === 'confirmed')
      .map(({ starts_at, blocked_until }) => ({ start: starts_at.getTime(), end: blocked_until.getTime() })),
    appointments: found.map(({ starts_at }) => starts_at.getTime()),
  };
}

/** The sessions in which a person takes part and that hold their time, around a span of starts. */
export async function heldTimes(ctx: Ctx, personId: string, span: Interval, moving?: string): Promise<Interval[]> {
  let rows = ctx.db
    .selectFrom('participants')
    .select(['starts_at', 'ends_at'])
    .where('person_id', '=', personId)
    .where('held', '=', true)
    // The form of the exclusion constraint, so that its index answers.
    .where(sql<boolean>`tstzrange(starts_at, ends_at) && tstzrange(${new Date(span.start)}, ${new Date(span.end + longestBlock)})`);
  if (moving !== undefined) rows = rows.where('appointment_id', '<>', moving);
  return (await rows.execute()).map(({ starts_at, ends_at }) => ({
    start: starts_at.getTime(),
    end: ends_at.getTime(),
  }));
}

/** Whose time is looked for, and what may be set aside in looking. */
export interface StartsWanted {
  providerId: string;
  durationMinutes: number;
  /** The appointment that is being moved: its own time counts as free. */
  moving?: string | undefined;
  /** A provider who moves a session owes nobody the advance notice. */
  withoutNotice?: boolean;
}

/** A provider's free starts in a span, ascending, in epoch milliseconds, with their time zone. */
export async function startsWithin(
  ctx: Ctx,
  wanted: StartsWanted,
  within: Interval,
): Promise<{ timeZone: string; starts: number[] }> {
  const now = ctx.now().epochMilliseconds;
  const span = { start: Math.max(within.start, now), end: Math.min(within.end, now + furthestAhead + 1) };
  const settings = await bookingSettings(ctx);
  const diary = await diaryOf(ctx, wanted.providerId, { ...span, end: Math.max(span.start, span.end) }, wanted.moving);
  const starts = freeStarts({
    ...diary,
    durationMinutes: wanted.durationMinutes,
    bufferMinutes: settings.bufferMinutes,
    earliest: now + (wanted.withoutNotice ? 0 : settings.advanceNoticeHours * hour),
    dailyMaximum: settings.dailyMaximum,
    within: span,
  });
  return { timeZone: diary.schedule.timeZone, starts };
}

/** The next few starts from an instant on that both the provider and this client have free. */
export async function nextFreeStarts(
  ctx: Ctx,
  wanted: StartsWanted & { clientId: string },
  from: number,
): Promise<number[]> {
  const start = Math.max(from, ctx.now().epochMilliseconds);
  let found: number[] = [];
  for (const reach of lookAhead) {
    const span = { start, end: start + reach };
    const own = await heldTimes(ctx, wanted.clientId, span, wanted.moving);
    const length = wanted.durationMinutes * 60_000;
    found = (await startsWithin(ctx, wanted, span)).starts.filter(
      (at) => !own.some((other) => other.start < at + length && at < other.end),
    );
    if (found.length >= nextOffered) break;
  }
  return found.slice(0, nextOffered);
}

/** What is to be booked with whom; `not_found` for a provider who isn't listed, `invalid` for a service not offered. */
export async function offerOf(
  ctx: Ctx,
  { providerId, serviceId, clientId }: { providerId: string; serviceId: string; clientId: string },
): Promise<{ approvesFirst: boolean; serviceMinutes: number; priceCents: number; metBefore: boolean }> {
  const row = await ctx.db
    .selectFrom('providers')
    .leftJoin('provider_services', (join) =>
      join.onRef('provider_services.provider_id', '=', 'providers.id').on('service_id', '=', serviceId),
    )
    .leftJoin('services', (join) => join.onRef('services.id', '=', 'service_id').on('services.active', '=', true))
    .select(({ exists, selectFrom }) => [
      'approves_first',
      'duration_minutes',
      'price_cents',
      exists(
        selectFrom('appointments')
          .select('appointments.id')
          .where('appointments.client_id', '=', clientId)
          .where('appointments.provider_id', '=', providerId)
          .where('appointments.status', '<>', 'cancelled'),
      ).as('met_before'),
    ])
    .where('providers.id', '=', providerId)
    .where('listed', '=', true)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'specialist');
  if (row.duration_minutes === null || row.price_cents === null) {
    throw new AppError('invalid', 'not_offered', { fields: [{ field: 'serviceId', reason: 'not_offered' }] });
  }
  return {
    approvesFirst: row.approves_first,
    serviceMinutes: row.duration_minutes,
    priceCents: row.price_cents,
    metBefore: Boolean(row.met_before),
  };
}
