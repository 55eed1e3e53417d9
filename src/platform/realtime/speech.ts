import { WebSocket } from 'ws';
import { dismiss } from './closing.ts';
import type { Hearing } from './frames.ts';

/** How many frames of a socket wait to be heard before no more is read from it. */
const mostWaiting = 32;
/** How often a socket may say what isn't a frame. */
const mostGarbage = 20;
/** What a browser says to learn whether the line still stands, and what it is answered, past all that waits. */
const beat = '{"type":"beat"}';
const beatAnswer = '{"type":"beat","id":""}';

/** Who listens to what a socket says. */
interface Listener {
  /** Counts something said; false if it was too much. */
  allowed(): boolean;
  hear(text: string): Promise<Hearing>;
  answer(text: string): void;
}

/**
 * Hears what a browser says, one after the other, until the socket closes; the answer waits for what is being heard now.
 * A browser that says more than can be heard is read more slowly, one that says too much is sent away.
 */
export function hearSpeech(socket: WebSocket, listener: Listener): () => Promise<void> {
  let waiting = 0;
  let garbage = 0;
  let heard = Promise.resolve();

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
    heard = hearNext(heard, text);
  });
  return () => heard;
}
