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
import type { IceServers, RoomPart, SessionPage, Peer, Room } from './contract.ts';
import { roomRows, refusalOf, requireOpenRoom, requireRoom } from './policies.ts';
import { callOf, roomHours, isAdmitted } from './rules.ts';

/** Milliseconds without a heartbeat until a peer counts as gone; tolerates two missed beats. */
const absentMs = 30_000;

/** Selects connected peers of current participants. */
export function presentPeers(ctx: Ctx) {
  return ctx.db
    .selectFrom('room_peers')
    .innerJoin('appointments', 'appointments.id', 'room_peers.appointment_id')
    .innerJoin('profiles', 'profiles.id', 'room_peers.person_id')
    .leftJoin('session_guests', (join) =>
      join
        .onRef('session_guests.appointment_id', '=', 'room_peers.appointment_id')
        .onRef('session_guests.person_id', '=', 'room_peers.person_id')
        .on('session_guests.state', '=', 'accepted'),
    )
    .leftJoin('room_admissions', (join) =>
      join
        .onRef('room_admissions.appointment_id', '=', 'room_peers.appointment_id')
        .onRef('room_admissions.person_id', '=', 'room_peers.person_id'),
    )
    .where('room_peers.seen_at', '>', new Date(ctx.now().epochMilliseconds - absentMs))
    .where(({ or, eb }) =>
      or([
        eb('room_peers.person_id', '=', eb.ref('appointments.provider_id')),
        eb('room_peers.person_id', '=', eb.ref('appointments.client_id')),
        eb('session_guests.id', 'is not', null),
      ]),
    )
    .select([
      'room_peers.peer_id',
      'room_peers.person_id',
      'room_peers.entered_at',
      'appointments.provider_id',
      'appointments.client_id',
      'appointments.contact_name',
      'appointments.status',
      'appointments.session_type',
      'appointments.starts_at',
      'appointments.ends_at',
      'profiles.full_name',
      'session_guests.name as guest_name',
      'room_admissions.admitted_at',
    ]);
}

type PeerRow = Awaited<ReturnType<ReturnType<typeof presentPeers>['executeTakeFirstOrThrow']>>;

export function peerOf(row: PeerRow): Peer {
  const { person_id, provider_id, client_id } = row;
  const part = person_id === provider_id ? 'provider' : person_id === client_id ? 'client' : 'guest';
  const { opens } = roomHours({ start: row.starts_at.getTime(), end: row.ends_at.getTime() });
  const names = { provider: row.full_name, client: row.contact_name, guest: row.guest_name ?? '' };
  return {
    peerId: row.peer_id,
    personId: person_id,
    name: names[part],
    part,
    waiting: !isAdmitted({ part, admittedAt: row.admitted_at?.getTime() ?? null, opens }),
  };
}

/** Includes waiting peers; ordered by arrival. */
export async function peersOf(ctx: Ctx, appointmentId: string): Promise<Peer[]> {
  const rows = await presentPeers(ctx)
    .where('room_peers.appointment_id', '=', appointmentId)
    .orderBy('room_peers.entered_at')
    .orderBy('room_peers.peer_id')
    .execute();
  return rows.map(peerOf);
}

/** Returns the room's peers; people still waiting learn only whether the provider is present. */
export async function roomOf(ctx: Ctx, appointmentId: string): Promise<Room> {
  const { partaker, refusal, admitted } = await requireRoom(ctx, appointmentId);
  if (refusal) return { admitted: false, providerHere: false, peers: [] };
  const peers = await peersOf(ctx, appointmentId);
  return {
    admitted,
    providerHere: peers.some((peer) => peer.part === 'provider'),
    peers: admitted ? peers.filter(({ waiting }) => partaker.part === 'provider' || !waiting) : [],
  };
}

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
      .map(({ personId, name, part: theirs }) => ({ personId, name, part: theirs })),
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
  const accountZone = ctx.db
    .selectFrom('profiles')
    .select('time_zone')
    .where('id', '=', ctx.actor.kind === 'person' ? ctx.actor.id : null);
  const zones = {
    provider: sql.ref<string>('providers.time_zone'),
    client: sql`coalesce(${accountZone}, appointments.client_time_zone)`,
    guest: accountZone,
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
