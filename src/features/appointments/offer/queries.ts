import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Ctx } from '#/platform/context.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import type { Terms } from '#/features/availability/terms/rules.ts';
import type { ServiceSummary } from '#/features/catalogue/contract.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { offers } from '#/features/settings/flags/queries.ts';
import { siteSettings } from '#/features/settings/queries.ts';

/** The site's booking terms, from the settings. */
export interface SiteTerms extends Terms {
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

/** Callers must narrow these to permitted ones. */
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
  /** Null if this provider stopped offering it. */
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

const offerRows = compiledOnce((db, { providerId, serviceId }: { providerId: string; serviceId: string }) =>
  db
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
      jsonArrayFrom(placeRows({ db }).where('places.provider_id', '=', providerId)).as('places'),
    ])
    .select(({ ref }) => {
      const provider = { id: ref('providers.id'), kind: ref('providers.kind') };
      return [
        offers('video_sessions', provider).as('offers_video'),
        offers('direct_messaging', provider).as('takes_messages'),
      ];
    })
    .where('providers.id', '=', providerId)
    .where('listed', '=', true),
);

export async function offerOf(
  ctx: Ctx,
  { providerId, serviceId }: { providerId: string; serviceId: string },
): Promise<Offer | null> {
  const [row] = await offerRows(ctx.db, { providerId, serviceId });
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
