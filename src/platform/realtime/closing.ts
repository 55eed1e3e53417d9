import type { WebSocket } from 'ws';

/** How long browsers may take to answer that a socket is closed, in milliseconds: one that is asleep never does. */
export const answerMs = 2_000;

/** How sockets are closed (RFC 6455, and of our own from 4000): browsers come back, but for the first. */
const codes = {
  /** The session has ended. */
  ended: 1008,
  /** The server goes, or has missed something: come back and ask. */
  restart: 1012,
  /** The browser reads too slowly. */
  slow: 1013,
  /** The browser says too much, or what isn't a frame: come back after a while. */
  flood: 4008,
} as const;

/** Closes a socket and says why. */
export function dismiss(socket: WebSocket, why: keyof typeof codes): void {
  socket.close(codes[why]);
}
