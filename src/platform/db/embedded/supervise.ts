import { setTimeout as sleep } from 'node:timers/promises';
import type { Postmaster } from './postmaster.ts';
import { servesFolder } from './process.ts';

/** How often a server is looked after, in milliseconds. */
const lookMs = 500;
/** How long to wait before a start that failed is tried again: at first, and at most. */
const [firstWaitMs, longestWaitMs] = [250, 10_000];

/** What watches over a server. */
export interface Watch {
  /** Ends the watch; answers the server that runs then, if one does. */
  end(): Promise<Postmaster | undefined>;
}

/** Starts the server again whenever it has ended, for as long as it takes; the folder's lock is ours all the while. */
export function supervise(
  first: Postmaster,
  {
    dataFolder,
    restart,
    log,
  }: { dataFolder: string; restart: () => Promise<Postmaster>; log: (line: string) => void },
): Watch {
  const ending = new AbortController();
  const { signal } = ending;
  let running: Postmaster | undefined = first;

  async function watch(): Promise<void> {
    while (await rests(lookMs)) {
      if (running && servesFolder(running.pid, dataFolder)) continue;
      if (running) log('The database has ended; it is being started again.');
      running = undefined;
      await start();
    }
  }

  async function start(): Promise<void> {
    let said = '';
    for (let wait = firstWaitMs; !signal.aborted; wait = Math.min(wait * 2, longestWaitMs)) {
      try {
        running = await restart();
        log('The database is running again.');
        return;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        if (why !== said) log(why);
        said = why;
      }
      if (!(await rests(wait))) return;
    }
  }

  /** Waits; false once the watch is to end. */
  async function rests(ms: number): Promise<boolean> {
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }

  const watching = watch();
  return {
    async end() {
      ending.abort();
      await watching;
      return running;
    },
  };
}
