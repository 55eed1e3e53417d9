import type { WebSocket } from 'ws';

/** Wait for the browser's close frame, in milliseconds; sleeping browsers never send one. */
export const answerMs = 2_000;

/** WebSocket close codes (RFC 6455; 4000 and up are ours). */
const codes = {
  ended: 1008,
  /** Server restart or missed notices: reconnect and refetch. */
  restart: 1012,
  slow: 1013,
  /** Too many or malformed frames: reconnect later. */
  flood: 4008,
} as const;

export function dismiss(socket: WebSocket, why: keyof typeof codes): void {
  socket.close(codes[why]);
}
