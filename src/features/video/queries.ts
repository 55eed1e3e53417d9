import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { isoOf } from '#/kernel/iso.ts';
import type { RelayConfig } from '#/platform/config.ts';
import type { Ctx } from '#/platform/context.ts';
import { turnCredential } from '#/platform/turn.ts';
import { photoPath } from '#/features/accounts/queries.ts';
import { placeRows } from '#/features/appointments/offer/queries.ts';
import { requirePartaker, type Partaker } from '#/features/attendees/policies.ts';
import { guestsOf } from '#/features/attendees/queries.ts';
import { refuseAction } from '#/features/appointments/appointment/rules.ts';
import { requireOn } from '#/features/settings/flags/policies.ts';
import { offers } from '#/features/settings/flags/queries.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { IceServers, RoomPart, SessionPage } from './contract.ts';
import { roomRows, refusalOf, requireOpenRoom } from './policies.ts';
import { callOf, roomHours } from './rules.ts';

/** Maximum lifetime of relay credentials in milliseconds. */
const longestCredentialMs = 6 * 3_600_000;

/** Returns the session page for the actor; throws `not_found` for non-participants. */
export async function sessionPage(ctx: Ctx, appointmentId: string): Promise<SessionPage> {
  const partaker = await requirePartaker(ctx, appointmentId);
  const { part } = partaker;
  const row = await pageRow(ctx, appointmentId, partaker);
  if (row.session_type === 'online') requireOn(row.offers_video, 'video_sessions');
  const now = ctx.now().epochMilliseconds;
  const [start, end] = [row.starts_at.getTime(), row.ends_at.getTime()];
  const { opens, closes } = roomHours({ start, end });
  const refusal = refusalOf(row, partaker.consented, now);
  const people = await peopleOf(ctx, partaker, { provider: row.provider_name, client: row.contact_name });
  return {
    appointmentId,
    sessionType: row.session_type,
    part,
    ownName: people.find(({ personId }) => personId === partaker.personId)!.name,
    service: row.service_title,
    provider: {
      id: partaker.providerId,
      name: row.provider_name,
      title: row.provider_title,
      photoUrl: photoPath(row.provider_photo_id),
      takesMessages: row.takes_messages,
      location: row.provider_location,
    },
    others: people
      .filter(({ personId }) => personId !== partaker.personId)
      .map((person) => ({ name: person.name, part: person.part })),
    startsAt: isoOf(start),
    endsAt: isoOf(end),
    timeZone: row.own_time_zone ?? (await siteSettings(ctx)).timezone,
    opensAt: isoOf(opens),
    closesAt: isoOf(closes),
    refusal,
    completable: part === 'provider' && isCompletable(row, now),
    phone: callOf({
      part,
      sessionType: row.session_type,
      refusal,
      numbers: { client: row.contact_phone, provider: row.provider_phone },
    }),
    place: row.session_type === 'in-person' ? row.place : null,
  };
}

function pageRow(ctx: Ctx, appointmentId: string, { part }: Partaker) {
  const zones = {
    provider: sql.ref<string>('providers.time_zone'),
    client: sql.ref<string>('appointments.client_time_zone'),
    guest: ctx.db
      .selectFrom('profiles')
      .select('time_zone')
      .where('id', '=', ctx.actor.kind === 'person' ? ctx.actor.id : null),
  };
  return roomRows(ctx)
    .innerJoin('services', 'services.id', 'appointments.service_id')
    .innerJoin('profiles as provider', 'provider.id', 'appointments.provider_id')
    .select([
      'appointments.kind',
      'appointments.contact_name',
      'appointments.contact_phone',
      'services.title as service_title',
      'providers.title as provider_title',
      'providers.location as provider_location',
      'providers.phone as provider_phone',
      'provider.full_name as provider_name',
      'provider.photo_id as provider_photo_id',
      jsonObjectFrom(
        placeRows(ctx)
          .clearSelect()
          .select(['name', 'address', 'directions', 'latitude', 'longitude'])
          .where('places.id', '=', sql.ref<string>('appointments.place_id')),
      ).as('place'),
    ])
    .select(sql<string | null>`${zones[part]}`.as('own_time_zone'))
    .select(({ ref }) =>
      offers('direct_messaging', { id: ref('providers.id'), kind: ref('providers.kind') }).as(
        'takes_messages',
      ),
    )
    .where('appointments.id', '=', appointmentId)
    .executeTakeFirstOrThrow();
}

type PageRow = Awaited<ReturnType<typeof pageRow>>;

function isCompletable({ status, kind, starts_at, ends_at }: PageRow, now: number): boolean {
  const appointment = { status, kind, start: starts_at.getTime(), end: ends_at.getTime() };
  return (
    refuseAction('complete', { appointment, party: 'provider', now, cancellationDeadlineHours: 0 }) === null
  );
}

async function peopleOf(
  ctx: Ctx,
  { appointmentId, providerId, clientId }: Partaker,
  names: { provider: string; client: string },
): Promise<{ personId: string; name: string; part: RoomPart }[]> {
  const guests = await guestsOf(ctx, appointmentId);
  return [
    { personId: providerId, name: names.provider, part: 'provider' },
    { personId: clientId, name: names.client, part: 'client' },
    ...guests.map((guest) => ({ ...guest, part: 'guest' as const })),
  ];
}

/** Returns STUN and TURN servers for an open room, with credentials for the actor that expire when it closes. */
export async function iceServersOf(
  ctx: Ctx,
  { stunUrls, turn }: RelayConfig,
  appointmentId: string,
): Promise<IceServers> {
  const { partaker, closes } = await requireOpenRoom(ctx, appointmentId);
  const servers: IceServers = stunUrls.length > 0 ? [{ urls: [...stunUrls] }] : [];
  if (!turn) return servers;
  const until = Temporal.Instant.fromEpochMilliseconds(
    Math.min(closes, ctx.now().epochMilliseconds + longestCredentialMs),
  );
  const name = pseudonymOf(turn.secret, `${appointmentId} ${partaker.personId}`);
  return [...servers, { urls: [...turn.urls], ...turnCredential(turn.secret, { until, name }) }];
}

/** Pseudonym: the relay can tell people in one room apart, but not identify them. */
function pseudonymOf(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, 24);
}
