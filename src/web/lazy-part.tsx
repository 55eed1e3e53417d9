// oxlint-disable-next-line no-restricted-imports -- parts are the one place that suspends
import { createElement, lazy, memo, Suspense, useEffect, useState } from 'react';
import type { ComponentType, FunctionComponent, ReactNode } from 'react';
import { retryWithBackoff } from './network.ts';

/** Hydrated parts, and visible parts still loading. */
const hydrated = new WeakSet<symbol>();
const pending = new Set<symbol>();
let rootHydrated = false;

/** Time after which queued clicks are tried although parts are missing, in milliseconds (`queued-clicks.ts`). */
const patience = 3_000;

/** Sets `data-ready` on `<html>` once all parts are interactive; tests wait for it. */
function announceReady() {
  if (!rootHydrated || pending.size > 0) return;
  document.documentElement.dataset.ready = '';
  document.dispatchEvent(new Event('page-ready'));
}

/**
 * Loads a component on first render. Retries failed loads: indefinitely offline, a few times online. Renders again only
 * for other props: until the code is there, React would replace what the server sent, and presses on it would be lost.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback?: () => ReactNode,
): FunctionComponent<P> {
  const Loaded = lazy(async () => ({
    default: await (typeof window === 'undefined' ? load() : retryWithBackoff(load, { tries: 5 })),
  }));
  return memo(function LazyPart(props: P) {
    const [part] = useState(() => Symbol('part'));
    useEffect(() => {
      // Child effects run first: such parts are hydrated.
      if (hydrated.has(part)) return;
      pending.add(part);
      return () => {
        pending.delete(part);
        announceReady();
      };
    }, [part]);
    return (
      <Suspense fallback={fallback?.()}>
        {createElement(Loaded, props)}
        <PartReady part={part} />
      </Suspense>
    );
  });
}

function PartReady({ part }: { part: symbol }) {
  useEffect(() => {
    hydrated.add(part);
    pending.delete(part);
    announceReady();
  }, [part]);
  return null;
}

/** Last in the body: its effect runs last. */
export function PageReady() {
  useEffect(() => {
    rootHydrated = true;
    announceReady();
    const timer = setTimeout(() => document.dispatchEvent(new Event('page-late')), patience);
    return () => clearTimeout(timer);
  }, []);
  return null;
}
