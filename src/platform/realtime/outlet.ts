import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { dismiss } from './closing.ts';

/** What may wait for a browser that reads slowly, in bytes; past it the socket is closed and catches up anew. */
const maxBuffered = 256 * 1024;

/** Where what is meant for one browser goes. */
export interface Outlet {
  /** Says something, unless the browser is gone, or so far behind that it had better come back and ask. */
  say(text: string): void;
  /** Lets the browser know that its session has ended. */
  end(): void;
}

/** The outlet of a socket, which stands on `raw`: all that is said in one turn is written at once. */
export function outletOf(socket: WebSocket, raw: Duplex): Outlet {
  function gather(): void {
    if (raw.writableCorked > 0) return;
    raw.cork();
    process.nextTick(() => raw.uncork());
  }
  return {
    say(text) {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (socket.bufferedAmount > maxBuffered) return dismiss(socket, 'slow');
      gather();
      socket.send(text);
    },
    end: () => dismiss(socket, 'ended'),
  };
}
