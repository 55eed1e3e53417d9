import { AppError } from '#/kernel/errors.ts';
import { selfOf } from '#/features/access/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Connection } from '#/platform/realtime/frames.ts';
import { peerTopic } from '../rules.ts';
import { requireSignalTo } from './policies.ts';

/** Bytes, several times a session description. */
const longestSignal = 32 * 1024;
/** Session descriptions and ICE candidates are flat. */
const deepestSignal = 8;

/**
 * Forwards a signal to another admitted peer in the same open room, without storing it. Throws `conflict` with
 * `not_in_room` if the browser must re-enter.
 */
export async function forwardSignal(
  ctx: Ctx,
  { appointmentId, to, signal }: { appointmentId: string; to: string; signal: unknown },
  connection: Connection,
): Promise<void> {
  const self = selfOf(ctx);
  if (!isSignal(signal)) throw new AppError('invalid', 'bad_signal');
  await requireSignalTo(ctx, self, { appointmentId, from: connection.id, to });
  connection.tell([peerTopic(to)], {
    type: 'room.signal',
    id: appointmentId,
    data: { from: connection.id, signal },
  });
}

function isSignal(signal: unknown): boolean {
  return !isDeeperThan(deepestSignal, signal) && Buffer.byteLength(JSON.stringify(signal)) <= longestSignal;
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
}
