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
import type { AppointmentStatus } from '../contract.ts';
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
  const locks = keysOf(people).map((key) => sql`pg_advisory_xact_lock(${key})`);
  await sql`select ${sql.join(locks)}`.execute(tx.db);
}

/**
 * Locks these people's diaries if nobody else has them, and says so. It takes them in the same order and none after one
 * that is taken, so that whoever then waits for the rest is in no deadlock either.
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

/** What an appointment depends on of the site settings. */
export interface SiteTerms extends BookingSettings {
  cancellationDeadlineHours: number;
  /** When the site reminds both parties, in minutes before the start. */
  reminderMinutes: number;
}

/** The site settings that bookings obey, as they are now. */
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

/** What two parties have in their diaries: the provider's entries, and the client's own sessions. */
interface Standings {
  entries: Pick<Diary, 'busy' | 'appointments'>;
  own: Interval[];
  /** What those have who were invited to the sessions that are being moved. */
  guests: Interval[];
}

/** What the two parties of a wanted booking have around a span of starts, in one statement. */
export async function standingsOf(
  ctx: Ctx,
  { providerId, clientId }: { providerId: string; clientId: string },
  span: Interval,
  moving: readonly string[] = [],
): Promise<Standings> {
  return standingIn(
    await entryRows(ctx, providerId, span, moving)
      .unionAll(heldRows(ctx, clientId, span, moving))
      .$if(moving.length > 0, (rows) => rows.unionAll(guestRows(ctx, span, moving)))
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

/** What a provider has in their diary around a span of starts, without the appointments that are being moved. */
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
  /** Null: no session, but time that the provider has blocked. */
  status: AppointmentStatus | null;
  /** A Date from a column, text from JSON. */
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

/** The sessions in which a person takes part and that hold their time, around a span of starts. */
function heldRows(ctx: Ctx, personId: string, span: Interval, moving: readonly string[]) {
  return heldAround(ctx, 'client', span)
    .where('person_id', '=', personId)
    .$if(moving.length > 0, (rows) => rows.where('appointment_id', 'not in', moving));
}

/** The other sessions of those who were invited to the ones that are being moved, and come. */
function guestRows(ctx: Ctx, span: Interval, moving: readonly string[]) {
  const guests = ctx.db
    .selectFrom('session_guests')
    .select('session_guests.person_id')
    .where('session_guests.appointment_id', 'in', moving)
    .where('session_guests.state', '=', 'accepted');
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
      // The form of the exclusion constraint, so that its index answers, also in a plan made for any person.
      .where('held', '=', sql.lit(true))
      .where(around)
  );
}

/** Where sessions in person are held, as their parties may know it; before anyone has narrowed them. */
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

/** A place as it is read for a view. */
type PlaceRow = Awaited<ReturnType<ReturnType<typeof placeRows>['executeTakeFirstOrThrow']>>;

/** What is offered of a service with a provider, as views name it, under the site's terms. */
export interface Offer {
  site: SiteTerms;
  approvesFirst: boolean;
  /** Null where the provider doesn't offer it, or nobody does any more. */
  service: Pick<ServiceSummary, 'durationMinutes' | 'priceCents' | 'lengthPrices'> | null;
  names: ViewNames;
  /** The lengths that the provider holds, in minutes; null: all. */
  sessionLengths: readonly number[] | null;
  sessionTypes: readonly SessionType[];
  places: readonly PlaceRow[];
  /** Whether the provider holds sessions by video. */
  offersVideo: boolean;
}

/** What a view names beside the appointment's own row. */
export interface ViewNames {
  service_title: string;
  provider_name: string;
  provider_title: string;
  provider_kind: 'doctor' | 'pastor';
  provider_time_zone: string;
  provider_location: string;
  provider_photo_id: string | null;
  /** Whether the provider exchanges messages. */
  takes_messages: boolean;
  /** Where a session in person is held, if it has a place of its own. */
  place: PlaceRow | null;
}

/** What is offered of a service with a provider; null for a provider who isn't listed. */
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
 * What a booking is decided on once the diaries are locked, in one statement: the provider's hours, what the parties
 * have around a span of starts, whether they have met before, and the client's booking under the same idempotency key.
 */
export async function standingsBefore(
  ctx: Ctx,
  { clientId, providerId, key }: { clientId: string; providerId: string; key: string },
  span: Interval,
): Promise<
  Standings & {
    /** Null for who isn't listed. */
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
      // Who left the directory while this waited for the diaries is booked by nobody.
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
