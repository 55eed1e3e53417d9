import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import { requireOn } from '#/features/settings/flags/policies.ts';
import { offers } from '#/features/settings/flags/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { refusalOf } from '../policies.ts';
import { peerOf, presentPeers } from '../queries.ts';

/**
 * Throws unless both peers are admitted to the same open room: conflict `not_in_room` if the person's own browser must
 * re-enter, `not_found` (`peer`) for any other.
 */
export async function requireSignalTo(
  ctx: Ctx,
  self: Self,
  { appointmentId, from, to }: { appointmentId: string; from: string; to: string },
): Promise<void> {
  const rows = await presentPeers(ctx)
    .innerJoin('providers', 'providers.id', 'appointments.provider_id')
    .leftJoin('video_rooms', 'video_rooms.appointment_id', 'room_peers.appointment_id')
    .select('video_rooms.ended_at')
    .select(({ ref }) =>
      offers('video_sessions', { id: ref('providers.id'), kind: ref('providers.kind') }).as('offers_video'),
    )
    .where('room_peers.appointment_id', '=', appointmentId)
    .where('room_peers.peer_id', 'in', [from, to])
    .execute();
  const own = rows.find((row) => row.peer_id === from && row.person_id === self);
  if (!own) throw new AppError('conflict', 'not_in_room');
  requireOn(own.offers_video, 'video_sessions');
  const refusal = refusalOf(own, true, ctx.now().epochMilliseconds);
  if (refusal) throw new AppError('precondition', refusal);
  const other = rows.find((row) => row.peer_id === to && to !== from);
  if (!other || peerOf(own).waiting || peerOf(other).waiting) throw new AppError('not_found', 'peer');
}
