import { setTimeout as sleep } from 'node:timers/promises';
import type { Postmaster } from './postmaster.ts';
import { servesFolder } from './process.ts';

/** Health check interval, in milliseconds. */
const lookMs = 500;
/** Initial and maximum retry delay, in milliseconds. */
const [firstWaitMs, longestWaitMs] = [250, 10_000];

export interface Watch {
  end(): Promise<Postmaster | undefined>;
}

/** Restarts the server whenever it exits, retrying indefinitely. Keeps the folder lock throughout. */
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
