import { sql, type RawBuilder } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Interval } from '#/kernel/interval.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { blockRows } from '#/features/availability/blocks/queries.ts';
import { diaryKey, scheduleIn, scheduleRow } from '#/features/availability/queries.ts';
import type { Schedule } from '#/features/availability/rules.ts';
import type { ServiceSummary } from '#/features/catalogue/contract.ts';
import { offers } from '#/features/settings/flags/queries.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import type { AppointmentStatus } from '../view/contract.ts';
import { holdsTime } from '../life-cycle/rules.ts';
import type { BookingSettings, Diary } from '../rules.ts';

const hour = 3_600_000;

/** Longest block: 240-minute session plus 120-minute buffer, the contract and settings limits. */
const longestBlock = 6 * hour;

/** Local days extend at most this far past a span; needed to count whole days. */
export const localDay = 50 * hour;

/**
 * Locks these diaries until the transaction ends. Every appointment change must lock before reading. Sorted order
 * prevents deadlocks.
 */
export async function lockDiaries(tx: TxCtx, people: readonly string[]): Promise<void> {
  const locks = keysOf(people).map((key) => sql`pg_advisory_xact_lock(${key})`);
  await sql`select ${sql.join(locks)}`.execute(tx.db);
}

/**
 * Tries to lock these diaries without waiting and returns whether all were free. Stops at the first taken lock, in
 * sorted order, so waiting afterwards can't deadlock.
 */
export async function tryLockDiaries(tx: TxCtx, people: readonly string[]): Promise<boolean> {
  const all = keysOf(people).reduceRight<RawBuilder<boolean>>(
    (rest, key) => sql`case when pg_try_advisory_xact_lock(${key}) then ${rest} else false end`,
    sql`true`,
  );
  const { rows } = await sql<{ locked: boolean }>`select ${all} as locked`.execute(tx.db);
  return rows[0]!.locked;
}

function keysOf(people: readonly string[]): RawBuilder<unknown>[] {
  return [...new Set(people)].toSorted().map(diaryKey);
}

export interface SiteTerms extends BookingSettings {
  cancellationDeadlineHours: number;
  /** Site-wide reminder, in minutes before the start. */
  reminderMinutes: number;
}

export async function bookingSettings(ctx: Ctx): Promise<SiteTerms> {
  return siteTerms(await siteSettings(ctx));
}

type SettingsRow = Pick<
  Awaited<ReturnType<typeof siteSettings>>,
  | 'booking_advance_notice'
  | 'buffer_time_minutes'
  | 'max_daily_bookings'
  | 'cancellation_deadline'
  | 'reminder_time'
>;

function siteTerms(settings: SettingsRow): SiteTerms {
  return {
    advanceNoticeHours: settings.booking_advance_notice,
    bufferMinutes: settings.buffer_time_minutes,
    dailyMaximum: settings.max_daily_bookings,
    cancellationDeadlineHours: settings.cancellation_deadline,
    reminderMinutes: settings.reminder_time,
  };
}

interface Parties {
  clientId: string;
  providerId: string;
}

/** Whoever takes part besides both parties: guests who accepted. All appointments are the same parties'. */
export function guestsIn({ db }: Pick<Ctx, 'db'>, { clientId, providerId }: Parties, ids: readonly string[]) {
  return db
    .selectFrom('participants')
    .where('appointment_id', 'in', ids)
    .where('person_id', 'not in', [clientId, providerId]);
}

export async function guestIdsOf(
  ctx: Ctx,
  { appointmentId, ...parties }: Parties & { appointmentId: string },
): Promise<string[]> {
  const rows = await guestsIn(ctx, parties, [appointmentId]).select('person_id').execute();
  return rows.map(({ person_id }) => person_id);
}

interface Standings {
  entries: Pick<Diary, 'busy' | 'appointments'>;
  own: Interval[];
  guests: Interval[];
}

export async function standingsOf(
  ctx: Ctx,
  { providerId, clientId }: Parties,
  span: Interval,
  moving: readonly string[] = [],
): Promise<Standings> {
  return standingIn(
    await entryRows(ctx, providerId, span, moving)
      .unionAll(heldRows(ctx, clientId, span, moving))
      .$if(moving.length > 0, (rows) => rows.unionAll(guestRows(ctx, { providerId, clientId }, span, moving)))
      .execute(),
  );
}

function standingIn(rows: readonly TimeRow[]): Standings {
  const of = (side: 'provider' | 'client' | 'guest') => rows.filter((row) => row.side === side);
  return {
    entries: entriesIn(of('provider')),
    own: of('client').map(intervalOf),
    guests: of('guest').map(intervalOf),
  };
}

/** Reads a provider's diary around a range, excluding sessions being moved. */
export async function entriesOf(
  ctx: Ctx,
  providerId: string,
  span: Interval,
  moving: readonly string[] = [],
): Promise<Pick<Diary, 'busy' | 'appointments'>> {
  return entriesIn(await entryRows(ctx, providerId, span, moving).execute());
}

interface TimeRow {
  side: string;
  /** Null for a provider's blocked time. */
  status: AppointmentStatus | null;
  /** Columns return Dates; JSON returns strings. */
  starts_at: Date | string;
  ends_at: Date | string;
  until: Date | string;
}

function entriesIn(rows: readonly TimeRow[]): Pick<Diary, 'busy' | 'appointments'> {
  return {
    busy: rows
      .filter(({ status }) => status === null || holdsTime(status))
      .map((row) => ({
        ...intervalOf(row),
        sessionEnd: row.status === null ? null : new Date(row.ends_at).getTime(),
      })),
    appointments: rows.flatMap(({ status, starts_at }) =>
      status === null ? [] : new Date(starts_at).getTime(),
    ),
  };
}

function intervalOf({ starts_at, until }: TimeRow): Interval {
  return { start: new Date(starts_at).getTime(), end: new Date(until).getTime() };
}

function entryRows(ctx: Ctx, providerId: string, span: Interval, moving: readonly string[]) {
  return ctx.db
    .selectFrom('appointments')
    .select([
      sql<string>`'provider'`.as('side'),
      sql<AppointmentStatus | null>`status`.as('status'),
      'starts_at',
      'ends_at',
      'blocked_until as until',
    ])
    .where('provider_id', '=', providerId)
    .where('status', '<>', 'cancelled')
    .where('starts_at', '>', new Date(span.start - localDay))
    .where('starts_at', '<', new Date(span.end + localDay))
    .$if(moving.length > 0, (rows) => rows.where('id', 'not in', moving))
    .unionAll(
      blockRows(ctx, { start: span.start, end: span.end + longestBlock })
        .where('provider_id', '=', providerId)
        .select([
          sql<string>`'provider'`.as('side'),
          sql<AppointmentStatus | null>`null`.as('status'),
          'starts_at',
          'ends_at',
          'ends_at as until',
        ]),
    );
}

function heldRows(ctx: Ctx, personId: string, span: Interval, moving: readonly string[]) {
  return heldAround(ctx, 'client', span)
    .where('person_id', '=', personId)
    .$if(moving.length > 0, (rows) => rows.where('appointment_id', 'not in', moving));
}

function guestRows(ctx: Ctx, parties: Parties, span: Interval, moving: readonly string[]) {
  const guests = guestsIn(ctx, parties, moving).select('person_id');
  return heldAround(ctx, 'guest', span)
    .where('person_id', 'in', guests)
    .where('appointment_id', 'not in', moving);
}

function heldAround(ctx: Ctx, side: 'client' | 'guest', span: Interval) {
  const around = sql<boolean>`tstzrange(starts_at, ends_at) && tstzrange(${new Date(span.start)}, ${new Date(span.end + longestBlock)})`;
  return (
    ctx.db
      .selectFrom('participants')
      .select([
        sql<string>`${sql.lit(side)}`.as('side'),
        sql<AppointmentStatus | null>`'confirmed'`.as('status'),
        'starts_at',
        'ends_at',
        'ends_at as until',
      ])
      // Matches the exclusion constraint so its index is used, even in generic plans.
      .where('held', '=', sql.lit(true))
      .where(around)
  );
}

/** Unfiltered in-person locations; callers must narrow to permitted ones. */
export function placeRows({ db }: Pick<Ctx, 'db'>) {
  return db
    .selectFrom('places')
    .select([
      'places.id',
      'places.name',
      'places.address',
      'places.town',
      'places.directions',
      'places.latitude',
      'places.longitude',
    ]);
}

type PlaceRow = Awaited<ReturnType<ReturnType<typeof placeRows>['executeTakeFirstOrThrow']>>;

export interface Offer {
  site: SiteTerms;
  approvesFirst: boolean;
  /** Null if this provider, or everyone, stopped offering it. */
  service: Pick<ServiceSummary, 'durationMinutes' | 'priceCents' | 'lengthPrices'> | null;
  names: ViewNames;
  /** In minutes; null means every length. */
  sessionLengths: readonly number[] | null;
  sessionTypes: readonly SessionType[];
  places: readonly PlaceRow[];
  offersVideo: boolean;
}

export interface ViewNames {
  service_title: string;
  provider_name: string;
  provider_title: string;
  provider_kind: 'doctor' | 'pastor';
  provider_time_zone: string;
  provider_location: string;
  provider_photo_id: string | null;
  takes_messages: boolean;
  place: PlaceRow | null;
}

export async function offerOf(
  ctx: Ctx,
  { providerId, serviceId }: { providerId: string; serviceId: string },
): Promise<Offer | null> {
  const row = await ctx.db
    .selectFrom('providers')
    .innerJoin('profiles', 'profiles.id', 'providers.id')
    .innerJoin('site_settings', (join) => join.onTrue())
    .leftJoin('provider_services', (join) =>
      join.onRef('provider_services.provider_id', '=', 'providers.id').on('service_id', '=', serviceId),
    )
    .leftJoin('services', (join) =>
      join.onRef('services.id', '=', 'service_id').on('services.active', '=', true),
    )
    .select([
      'approves_first',
      'session_lengths',
      'session_types',
      'duration_minutes',
      'price_cents',
      'length_prices',
      'services.title as service_title',
      'full_name as provider_name',
      'providers.title as provider_title',
      'providers.kind as provider_kind',
      'providers.time_zone as provider_time_zone',
      'providers.location as provider_location',
      'profiles.photo_id as provider_photo_id',
      'booking_advance_notice',
      'buffer_time_minutes',
      'max_daily_bookings',
      'cancellation_deadline',
      'reminder_time',
      jsonArrayFrom(placeRows(ctx).where('places.provider_id', '=', providerId)).as('places'),
    ])
    .select(({ ref }) => {
      const provider = { id: ref('providers.id'), kind: ref('providers.kind') };
      return [
        offers('video_sessions', provider).as('offers_video'),
        offers('direct_messaging', provider).as('takes_messages'),
      ];
    })
    .where('providers.id', '=', providerId)
    .where('listed', '=', true)
    .executeTakeFirst();
  if (!row) return null;
  const { duration_minutes, price_cents, length_prices } = row;
  return {
    site: siteTerms(row),
    approvesFirst: row.approves_first,
    service:
      duration_minutes === null || price_cents === null || length_prices === null
        ? null
        : { durationMinutes: duration_minutes, priceCents: price_cents, lengthPrices: length_prices },
    names: { ...row, service_title: row.service_title ?? '', place: null },
    places: row.places,
    sessionLengths: row.session_lengths,
    sessionTypes: row.session_types,
    offersVideo: row.offers_video,
  };
}

/**
 * Reads, in one statement under the lock, everything a booking decision needs: hours, both diaries, earlier sessions
 * together, and any booking under the same key.
 */
export async function standingsBefore(
  ctx: Ctx,
  { clientId, providerId, key }: { clientId: string; providerId: string; key: string },
  span: Interval,
): Promise<
  Standings & {
    /** Null for an unlisted provider. */
    schedule: Schedule | null;
    booking: { id: string; fingerprint: string } | null;
    metBefore: boolean;
  }
> {
  const row = await ctx.db
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(
        selectFrom('appointments')
          .select('id')
          .where('client_id', '=', clientId)
          .where('provider_id', '=', providerId)
          .where('status', '<>', 'cancelled'),
      ).as('met_before'),
      jsonObjectFrom(
        selectFrom('bookings')
          .select(['id', 'fingerprint'])
          .where('client_id', '=', clientId)
          .where('idempotency_key', '=', key),
      ).as('booking'),
      jsonArrayFrom(entryRows(ctx, providerId, span, []).unionAll(heldRows(ctx, clientId, span, []))).as(
        'times',
      ),
      // The provider may have left the directory while this transaction waited for the lock.
      jsonObjectFrom(scheduleRow(ctx, providerId).where('listed', '=', true)).as('schedule'),
    ])
    .executeTakeFirstOrThrow();
  return {
    ...standingIn(row.times),
    schedule: row.schedule && scheduleIn(row.schedule),
    booking: row.booking,
    metBefore: Boolean(row.met_before),
  };
}
