import { useSyncExternalStore } from 'react';
import { sendWithToken } from './session-token.ts';

let waiting = 0;
const listeners = new Set<() => void>();

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
 * Fetches page data for the router. Retries while offline, keeping the current page until the next one loads. Reads the
 * whole body, so broken responses are retried too.
 */
export function fetchWithRetry(request: Request): Promise<Response> {
  if (request.method !== 'GET') return fetch(request);
  return retryWithBackoff(async () => {
    const answer = await sendWithToken(() => fetch(request));
    return new Response(answer.body && (await answer.arrayBuffer()), answer);
  }, request);
}

/**
 * Returns true if a file failed to load because the network was down, once it's back. False means the server responded:
 * the file is gone, as after a release.
 *
 * @public The build adds its one call to the router (vite.config.ts).
 */
export async function lacksNetwork(url: string): Promise<boolean> {
  let tries = 0;
  await retryWithBackoff(() => {
    tries += 1;
    return fetch(url, { method: 'HEAD', cache: 'no-store' });
  });
  return tries > 1;
}

export function useWaitingForNetwork(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => waiting > 0,
    () => false,
  );
}

/**
 * Retries with backoff (1, 2, 4, 8, then every 16 s), or immediately on reconnect. `tries` limits attempts while
 * online.
 */
export async function retryWithBackoff<T>(
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
