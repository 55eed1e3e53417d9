import type { Log } from '../log.ts';
import type { ListenConnection } from './listen-connection.ts';
import { packsOf, written, type Notice } from './notices.ts';
import { channel } from './publish.ts';

/** Buffer limit in bytes while the database is slow; excess notices are dropped, since late ones are useless. */
const mostWaiting = 4 * 1024 * 1024;

export interface NoticeSender {
  send(notice: Notice): void;
  /** Resolves once everything buffered is sent or dropped. */
  flushed(): Promise<void>;
}

/**
 * Batches notices of one tick, and those arriving during a send, into one statement. Notices the database can't take
 * are dropped, not retried; only the first drop is logged.
 */
export function openNoticeSender(
  listener: Pick<ListenConnection, 'notify'>,
  log: Log,
  id: () => string,
): NoticeSender {
  let waiting: string[] = [];
  let bytes = 0;
  let busy: Promise<void> | null = null;
  let failing = false;

  function dropped(count: number, error?: unknown): void {
    if (!failing) log.warn({ err: error, count }, 'realtime: what is nowhere stored is dropped');
    failing = true;
  }

  async function work(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const notices = waiting;
      [waiting, bytes] = [[], 0];
      try {
        await listener.notify(channel, packsOf(notices, id));
        failing = false;
      } catch (error) {
        dropped(notices.length, error);
      }
    }
    busy = null;
  }

  return {
    send(notice) {
      const text = written(notice);
      if (bytes + text.length > mostWaiting) return dropped(1);
      waiting.push(text);
      bytes += text.length;
      busy ??= work();
    },
    flushed: async () => {
      await busy;
    },
  };
}
