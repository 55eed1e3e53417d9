// oxlint-disable-next-line no-restricted-imports -- here a part may be missing
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/** How long is waited before another try, in milliseconds, unless the network comes back sooner. */
const waits = [1_000, 2_000, 4_000, 8_000, 16_000];

/**
 * A part of a page whose script is loaded when it's first drawn. While that can't be had, the page does without it and
 * tries again: for as long as there is no network, and a few times where there is one.
 */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await insist(load, 0) }));
}

async function insist<T>(load: () => Promise<T>, tries: number): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const wait = waits[tries];
    if (typeof window === 'undefined' || wait === undefined) throw error;
    await online(wait);
    return insist(load, navigator.onLine ? tries + 1 : tries);
  }
}

function online(wait: number): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, wait);
    function done() {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve(null);
    }
    addEventListener('online', done);
  });
}
