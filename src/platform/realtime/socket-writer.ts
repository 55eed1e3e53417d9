import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { dismiss } from './closing.ts';

/** Send buffer limit per browser, in bytes; slower sockets are closed and refetch after reconnecting. */
const maxBuffered = 256 * 1024;

export interface SocketWriter {
  write(text: string): void;
  end(): void;
}

/** Wraps a socket; corks `raw` to write everything sent in one tick at once. */
export function socketWriter(socket: WebSocket, raw: Duplex): SocketWriter {
  function gather(): void {
    if (raw.writableCorked > 0) return;
    raw.cork();
    process.nextTick(() => raw.uncork());
  }
  return {
    write(text) {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (socket.bufferedAmount > maxBuffered) return dismiss(socket, 'slow');
      gather();
      socket.send(text);
    },
    end: () => dismiss(socket, 'ended'),
  };
}
