import { AppError } from '#/kernel/errors.ts';
import { selfOf } from '#/features/access/rules.ts';
import { requireOn } from '#/features/settings/flags/policies.ts';
import { offers } from '#/features/settings/flags/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Connection } from '#/platform/realtime/frames.ts';
import { refusalOf } from '../queries.ts';
import { peerOf, peerTopic, presentPeers } from '../presence/queries.ts';

/** Limit in bytes of JSON, several times a session description. */
const longestSignal = 32 * 1024;
/** Nesting limit; session descriptions and ICE candidates are flat. */
const deepestSignal = 8;

/**
 * Forwards a signal to another admitted peer in the same open room, without storing it. Throws `conflict` with
 * `not_in_room` if the browser must re-enter.
 */
export async function passSignal(
  ctx: Ctx,
  { appointmentId, to, signal }: { appointmentId: string; to: string; signal: unknown },
  connection: Connection,
): Promise<void> {
  const self = selfOf(ctx);
  if (!isSignal(signal)) throw new AppError('invalid', 'bad_signal');
  const peers = presentPeers(ctx)
    .innerJoin('providers', 'providers.id', 'appointments.provider_id')
    .leftJoin('video_rooms', 'video_rooms.appointment_id', 'room_peers.appointment_id')
    .select('video_rooms.ended_at')
    .select(({ ref }) =>
      offers('video_sessions', { id: ref('providers.id'), kind: ref('providers.kind') }).as('offers_video'),
    )
    .where('room_peers.appointment_id', '=', appointmentId)
    .where('room_peers.peer_id', 'in', [connection.id, to]);
  const rows = await peers.execute();
  const own = rows.find((row) => row.peer_id === connection.id && row.person_id === self);
  if (!own) throw new AppError('conflict', 'not_in_room');
  requireOn(own.offers_video, 'video_sessions');
  const refusal = refusalOf(own, true, ctx.now().epochMilliseconds);
  if (refusal) throw new AppError('precondition', refusal);
  const other = rows.find((row) => row.peer_id === to && to !== connection.id);
  if (!other || peerOf(own).waiting || peerOf(other).waiting) throw new AppError('not_found', 'peer');
  connection.tell([peerTopic(to)], {
    type: 'room.signal',
    id: appointmentId,
    data: { from: connection.id, signal },
  });
}

function isSignal(signal: unknown): boolean {
  return !deeperThan(deepestSignal, signal) && Buffer.byteLength(JSON.stringify(signal)) <= longestSignal;
}

function deeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => deeperThan(depth - 1, inner));
}
