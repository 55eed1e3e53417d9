import type { Log } from '../log.ts';
import type { Ear } from './ear.ts';
import { packsOf, written, type Notice } from './notices.ts';
import { channel } from './publish.ts';

/** How many bytes may wait while the database is slow: more is dropped, since it would be late anyway. */
const mostWaiting = 4 * 1024 * 1024;

/** Tells every process what is nowhere stored. */
export interface Telling {
  tell(notice: Notice): void;
  /** Resolves once all that was said has been told or dropped. */
  told(): Promise<void>;
}

/**
 * Tells what is said in one turn, and all that is said until it was told, by one statement. Nothing is kept for later:
 * what the database can't take now is dropped, and the log says so once.
 */
export function openTelling(ear: Pick<Ear, 'notify'>, log: Log, id: () => string): Telling {
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
        await ear.notify(channel, packsOf(notices, id));
        failing = false;
      } catch (error) {
        dropped(notices.length, error);
      }
    }
    busy = null;
  }

  return {
    tell(notice) {
      const text = written(notice);
      if (bytes + text.length > mostWaiting) return dropped(1);
      waiting.push(text);
      bytes += text.length;
      busy ??= work();
    },
    told: async () => {
      await busy;
    },
  };
}
