import type { Self } from '#/features/access/rules.ts';
import { sql, type RawBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { AvailabilityView, City } from './contract.ts';
import { requireProvider } from './policies.ts';
import type { Rest } from './rest/contract.ts';
import type { Frame, Schedule, WallWindow } from './rules.ts';
import { allLengths, type Terms } from './terms/rules.ts';

/** Advisory lock key. Take it first when changing bookings or availability. */
export function diaryKey(personId: string): RawBuilder<unknown> {
  return sql`hashtextextended(${`diary:${personId}`}, 0)`;
}

/** Returns a schedule in one statement. Throws `not_found` for anyone but providers. */
export async function scheduleOf(ctx: Ctx, providerId: string): Promise<Schedule> {
  return scheduleIn(
    requireProvider(await scheduleRow(ctx.db, { providerId, since: scheduleSince(ctx) }).executeTakeFirst()),
  );
}

export async function schedulesOf(
  ctx: Ctx,
  providerIds: readonly string[],
): Promise<ReadonlyMap<string, Schedule>> {
  if (providerIds.length === 0) return new Map();
  const rows = await scheduleRows(ctx.db, scheduleSince(ctx))
    .where('providers.id', 'in', providerIds)
    .execute();
  return new Map(rows.map((row) => [row.id, scheduleIn(row)]));
}

/** Returns the query for larger statements; parse its row with `scheduleIn`. */
export function scheduleRow(db: Ctx['db'], { providerId, since }: { providerId: string; since: string }) {
  return scheduleRows(db, since).where('providers.id', '=', providerId);
}

/** Two days back in UTC covers today in every time zone. */
export function scheduleSince(ctx: Ctx): string {
  return ctx.now().subtract({ hours: 48 }).toString().slice(0, 10);
}

function scheduleRows(db: Ctx['db'], since: string) {
  return db
    .selectFrom('providers')
    .select([
      'providers.id',
      'providers.time_zone',
      'providers.session_lengths',
      'providers.buffer_minutes',
      'providers.notice_hours',
      'providers.daily_maximum',
      'providers.rest_kind',
      'providers.rest_place',
      'providers.rest_latitude',
      'providers.rest_longitude',
      'providers.rest_time_zone',
    ])
    .select(({ selectFrom }) => [
      jsonArrayFrom(
        selectFrom('weekly_hours')
          .whereRef('weekly_hours.provider_id', '=', 'providers.id')
          .select(['weekday', 'from_time as from', 'to_time as to', 'place_id as placeId'])
          .orderBy('weekday')
          .orderBy('from_time'),
      ).as('weekly'),
      jsonArrayFrom(
        selectFrom('date_exceptions')
          .whereRef('date_exceptions.provider_id', '=', 'providers.id')
          .where('date', '>=', since)
          .where('windows', 'is not', null)
          .select(['date', 'windows'])
          .orderBy('date'),
      ).as('exceptions'),
      jsonArrayFrom(
        selectFrom('places')
          .whereRef('places.provider_id', '=', 'providers.id')
          .select(['places.id', 'places.closed']),
      ).as('places'),
    ]);
}

type ScheduleRow = Awaited<ReturnType<ReturnType<typeof scheduleRows>['executeTakeFirstOrThrow']>>;

/** Parses a schedule row; closed locations are dropped. */
export function scheduleIn(row: ScheduleRow): Schedule {
  const open = new Set(row.places.flatMap(({ id, closed }) => (closed ? [] : id)));
  return {
    timeZone: row.time_zone,
    weekly: row.weekly.map((window) => placedIn(open, window)),
    exceptions: row.exceptions.map(({ date, windows }) => ({
      date,
      windows: (windows ?? []).map((window) => placedIn(open, window)),
    })),
    rest: restIn(row),
    terms: termsIn(row),
    placed: row.places.length > 0,
  };
}

function restIn(
  row: Pick<ScheduleRow, 'rest_kind' | 'rest_place' | 'rest_latitude' | 'rest_longitude' | 'rest_time_zone'>,
): Rest {
  const { rest_place: name, rest_latitude: latitude, rest_longitude: longitude } = row;
  const place =
    name === null || latitude === null || longitude === null
      ? null
      : { name, latitude, longitude, timeZone: row.rest_time_zone };
  return { kind: row.rest_kind, place };
}

function termsIn(
  row: Pick<ScheduleRow, 'session_lengths' | 'buffer_minutes' | 'notice_hours' | 'daily_maximum'>,
): Schedule['terms'] {
  return {
    sessionLengths: row.session_lengths,
    bufferMinutes: row.buffer_minutes,
    noticeHours: row.notice_hours,
    dailyMaximum: row.daily_maximum,
  };
}

export async function availabilityOf(ctx: Ctx, providerId: Self): Promise<AvailabilityView> {
  const found = await scheduleRows(ctx.db, scheduleSince(ctx))
    .where('providers.id', '=', providerId)
    .select(['approves_first', 'availability_version'])
    .select(({ selectFrom }) => [
      jsonArrayFrom(
        selectFrom('date_exceptions')
          .whereRef('date_exceptions.provider_id', '=', 'providers.id')
          .where('windows', 'is not', null)
          .where(
            'date',
            '>=',
            sql<string>`(${isoNow(ctx)}::timestamptz at time zone providers.time_zone)::date`,
          )
          .select(['date', 'windows', 'note', 'holiday'])
          .orderBy('date'),
      ).as('dates'),
      jsonArrayFrom(
        selectFrom('places')
          .whereRef('places.provider_id', '=', 'providers.id')
          .where('closed', '=', false)
          .select(['places.id', 'places.name', 'places.town'])
          .orderBy('places.position')
          .orderBy('places.id'),
      ).as('open_places'),
    ])
    .executeTakeFirst();
  const row = requireProvider(found);
  const site = await siteTerms(ctx);
  const servicesMinutes = await serviceLengths(ctx, providerId);
  const { timeZone, rest, terms } = scheduleIn(row);
  const open = new Set(row.open_places.map(({ id }) => id));
  return {
    version: row.availability_version,
    timeZone,
    weekly: row.weekly.map((window) => placedIn(open, window)),
    terms,
    rest,
    approvesFirst: row.approves_first,
    dates: row.dates.map(({ windows, ...date }) => ({
      ...date,
      windows: (windows ?? []).map((window) => placedIn(open, window)),
    })),
    places: row.open_places,
    site: {
      bufferMinutes: site.bufferMinutes,
      noticeHours: site.advanceNoticeHours,
      dailyMaximum: site.dailyMaximum,
      sessionLengths: allLengths(servicesMinutes),
    },
    today: todayIn(ctx, timeZone),
  };
}

function placedIn<Window extends WallWindow>(open: ReadonlySet<string>, window: Window) {
  return { ...window, placeId: window.placeId && open.has(window.placeId) ? window.placeId : null };
}

function isoNow(ctx: Ctx): string {
  return ctx.now().toString();
}

export function todayIn(ctx: Ctx, timeZone: string): string {
  return ctx.now().toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** Returns limits for validating hours. */
export async function frameOf(ctx: Ctx, providerId: string): Promise<Frame> {
  const site = await siteTerms(ctx);
  const servicesMinutes = await serviceLengths(ctx, providerId);
  const places = await ctx.db
    .selectFrom('places')
    .select('id')
    .where('provider_id', '=', providerId)
    .where('closed', '=', false)
    .execute();
  return { site, servicesMinutes, placeIds: places.map(({ id }) => id) };
}

async function siteTerms(ctx: Ctx): Promise<Terms> {
  const settings = await siteSettings(ctx);
  return {
    bufferMinutes: settings.buffer_time_minutes,
    advanceNoticeHours: settings.booking_advance_notice,
    dailyMaximum: settings.max_daily_bookings,
  };
}

async function serviceLengths(ctx: Ctx, providerId: string): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('provider_services')
    .innerJoin('services', 'services.id', 'service_id')
    .select('duration_minutes')
    .where('provider_id', '=', providerId)
    .where('active', '=', true)
    .execute();
  return rows.map((row) => row.duration_minutes);
}

/** Locks a provider's calendar against concurrent bookings. */
export async function lockHours(
  tx: TxCtx,
  providerId: string,
): Promise<{ timeZone: string; version: number; sessionLengths: number[] | null }> {
  await sql`select pg_advisory_xact_lock(${diaryKey(providerId)})`.execute(tx.db);
  const row = await tx.db
    .selectFrom('providers')
    .select(['time_zone as timeZone', 'availability_version as version', 'session_lengths as sessionLengths'])
    .where('id', '=', providerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return requireProvider(row);
}

const maxCities = 20;

/** Returns cities largest first; ignores accents and case. */
export async function citiesNamed(ctx: Ctx, typed: string): Promise<City[]> {
  const begin = typed
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[\\%_]/g, String.raw`\$&`);
  const rows = await ctx.db
    .selectFrom('cities')
    .select(['name', 'region', 'country', 'latitude', 'longitude', 'time_zone as timeZone'])
    .where('search', 'like', `${begin}%`)
    .orderBy('population', 'desc')
    .orderBy('name')
    .orderBy('region')
    .limit(maxCities)
    .execute();
  return rows;
}
