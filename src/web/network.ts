import { useSyncExternalStore } from 'react';

/** How many requests wait for the network at present. */
let waiting = 0;
const listeners = new Set<() => void>();

/** Waits until the browser says that it's online again, or some milliseconds have passed. */
function onlineOrAfter(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener('online', done);
    signal?.addEventListener('abort', done);
  });
}

/**
 * Fetches a page's data for the router. Without a network it tries until there is one, so that the page on screen stays
 * and the next one opens by itself. An answer that breaks off is asked for again, too.
 */
export function fetchPatiently(request: Request): Promise<Response> {
  if (request.method !== 'GET') return fetch(request);
  return insist(async () => {
    const answer = await fetch(request);
    return new Response(answer.body && (await answer.arrayBuffer()), answer);
  }, request);
}

/**
 * Tells whether a file couldn't be loaded for want of a network, once the network is back. False: the server was there
 * and the file wasn't, as after a new release.
 *
 * @public The build adds its one call to the router (vite.config.ts).
 */
export async function lacksNetwork(url: string): Promise<boolean> {
  let tries = 0;
  await insist(() => {
    tries += 1;
    return fetch(url, { method: 'HEAD', cache: 'no-store' });
  });
  return tries > 1;
}

/** Whether something that the router asked for waits for the network. */
export function useWaitingForNetwork(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => waiting > 0,
    () => false,
  );
}

/**
 * Tries until it works, after 1 s, then 2, 4, 8 and every 16 s, or as soon as the browser is online. With `tries`, gives
 * up after so many more while there is a network.
 */
export async function insist<T>(
  attempt: () => Promise<T>,
  { signal, tries = Infinity }: { signal?: AbortSignal; tries?: number } = {},
): Promise<T> {
  let wait = 0;
  let left = tries;
  try {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (signal?.aborted || (!left && navigator.onLine)) throw error;
      }
      if (navigator.onLine) left--;
      if (!wait) count(1);
      wait = Math.min(2 * wait || 1_000, 16_000);
      await onlineOrAfter(wait, signal);
    }
  } finally {
    if (wait) count(-1);
  }
}

function count(more: number): void {
  waiting += more;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
