import type { RealtimeMessage } from '#/web/socket-line.ts';

/** The server's messages about a session's room. */
export type RoomMessage =
  /** A new socket, which is a new peer. */
  | { kind: 'connected' }
  /** The room doesn't know this peer. */
  | { kind: 'not_in_room' }
  | { kind: 'refused'; reason: string | undefined }
  | { kind: 'entered'; peerId: string }
  | { kind: 'changed' }
  | { kind: 'signal'; from: string; signal: unknown };

/** Null for messages about anything else. */
export function roomMessageOf(
  { type, id, data }: RealtimeMessage,
  appointmentId: string,
): RoomMessage | null {
  if (type === 'connected') return { kind: 'connected' };
  if (type === 'refused') {
    const refusal = data as { type?: string; reason?: string } | undefined;
    if (refusal?.type === 'room.enter') return { kind: 'refused', reason: refusal.reason };
    const isUnknown = refusal?.type === 'room.signal' && refusal.reason === 'not_in_room';
    return isUnknown ? { kind: 'not_in_room' } : null;
  }
  if (id !== appointmentId) return null;
  switch (type) {
    case 'room.here':
      return { kind: 'entered', peerId: (data as { peerId: string }).peerId };
    case 'room.changed':
      return { kind: 'changed' };
    case 'room.signal': {
      const { from, signal } = data as { from: string; signal: unknown };
      return { kind: 'signal', from, signal };
    }
    default:
      return null;
  }
}
