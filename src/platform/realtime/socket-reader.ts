import { WebSocket } from 'ws';
import { dismiss } from './closing.ts';
import type { FrameResult } from './frames.ts';

/** Pending frames per socket before reading pauses. */
const mostWaiting = 32;
/** Malformed frames allowed per socket. */
const mostGarbage = 20;
/** A browser's liveness check, answered ahead of pending frames. */
const beat = '{"type":"beat"}';
const beatAnswer = '{"type":"beat","id":""}';

interface Listener {
  allowed(): boolean;
  hear(text: string): Promise<FrameResult>;
  answer(text: string): void;
}

/**
 * Handles a socket's frames sequentially until it closes; the returned function waits for the current one. Pauses
 * reading under load and closes sockets above the rate limit.
 */
export function readFrames(socket: WebSocket, listener: Listener): () => Promise<void> {
  let waiting = 0;
  let garbage = 0;
  let handled = Promise.resolve();

  async function hearNext(before: Promise<void>, text: string): Promise<void> {
    await before;
    if (socket.readyState === WebSocket.OPEN) {
      const how = await listener.hear(text);
      if (how === 'ended') dismiss(socket, 'ended');
      if (how === 'changed') dismiss(socket, 'restart');
      if (how === 'garbage' && ++garbage >= mostGarbage) dismiss(socket, 'flood');
    }
    if (--waiting === mostWaiting / 2) socket.resume();
  }

  socket.on('message', (data: Buffer, isBinary) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (!listener.allowed()) return dismiss(socket, 'flood');
    const text = isBinary ? '' : data.toString();
    if (text === beat) return listener.answer(beatAnswer);
    if (++waiting === mostWaiting) socket.pause();
    handled = hearNext(handled, text);
  });
  return () => handled;
}
