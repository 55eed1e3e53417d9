import type { Ctx } from '#/platform/context.ts';
import type { Peer, Room } from '../contract.ts';
import { requireRoom } from '../policies.ts';
import { isAdmitted, roomHours } from '../rules.ts';

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
