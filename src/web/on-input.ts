import { useEffect, useSyncExternalStore } from 'react';
import { retryWithBackoff } from './network.ts';

const signs = ['pointerover', 'pointerdown', 'keydown', 'focusin'] as const;
const waiting = new Set<() => void>();
let used = false;

/** Runs `act` once someone points at a control, presses, types or moves the focus. */
function onFirstUse(act: () => void): void {
  if (typeof document === 'undefined') return;
  if (used) act();
  else if (waiting.size === 0) for (const sign of signs) document.addEventListener(sign, onSign, true);
  waiting.add(act);
}

function onSign({ type, target }: Event): void {
  if (!(target instanceof Element)) return;
  // Opening the crisis lines must make no requests.
  if (target.closest('[popovertarget],[popover]')) return;
  if (type === 'pointerover' && !target.closest('a,button,input,select,textarea,summary,label')) return;
  used = true;
  for (const sign of signs) document.removeEventListener(sign, onSign, true);
  for (const act of waiting) act();
}

/**
 * Returns a hook for code that no page needs for reading; null until loaded. Loads on the page's first use, or at once
 * if `needed`, retrying like `lazyPart`. Suspending would hide it for another 300 ms.
 */
export function lazyHook<T>(load: () => Promise<T>): (needed: boolean) => T | null {
  let found: { code: T } | { failure: unknown } | null = null;
  let loading = false;
  const listeners = new Set<() => void>();
  const settle = (next: typeof found) => {
    found = next;
    for (const listener of listeners) listener();
  };
  const start = () => {
    if (loading || found) return;
    loading = true;
    retryWithBackoff(load, { tries: 5 }).then(
      (code) => settle({ code }),
      (failure: unknown) => settle({ failure }),
    );
  };
  // Tried once: a page that works without it shouldn't say that the network is down.
  onFirstUse(() => {
    if (!loading)
      load().then(
        (code) => settle({ code }),
        () => undefined,
      );
  });
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return function useWanted(needed) {
    const now = useSyncExternalStore(
      subscribe,
      () => found,
      () => null,
    );
    useEffect(() => {
      if (needed) start();
    }, [needed]);
    if (!now) return null;
    if ('code' in now) return now.code;
    if (needed) throw now.failure;
    return null;
  };
}
