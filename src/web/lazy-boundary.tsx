// oxlint-disable-next-line no-restricted-imports -- parts are the one place that suspends
import { Suspense, useEffect, useState, type ReactNode } from 'react';

/** Parts that take input, and those on screen whose script is still loading. */
const hydrated = new WeakSet<symbol>();
const pending = new Set<symbol>();
let rootHydrated = false;

/** How long presses wait for a part whose script doesn't come, in milliseconds. */
const patience = 3_000;

/** Sets `data-ready` on `<html>` once the page and all its parts take input; tests wait for it. */
function announceReady() {
  if (!rootHydrated || pending.size > 0) return;
  document.documentElement.dataset.ready = '';
  releasePresses();
}

/** Carries out the presses that were held until now (`held-presses.ts`). */
function releasePresses() {
  document.dispatchEvent(new Event('page-ready'));
}

/** A part of a page whose script or data may come later than the rest; shows `fallback` until then. */
export function LazyBoundary({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  const [part] = useState(() => Symbol('part'));
  useEffect(() => {
    // Effects of children run first: a part that came with the page is hydrated by now.
    if (hydrated.has(part)) return;
    pending.add(part);
    return () => {
      pending.delete(part);
      announceReady();
    };
  }, [part]);
  return (
    <Suspense fallback={fallback}>
      {children}
      <PartReady part={part} />
    </Suspense>
  );
}

function PartReady({ part }: { part: symbol }) {
  useEffect(() => {
    hydrated.add(part);
    pending.delete(part);
    announceReady();
  }, [part]);
  return null;
}

/** Stands last in the page's body: its effect runs after those of all parts. */
export function PageReady() {
  useEffect(() => {
    rootHydrated = true;
    announceReady();
    const timer = setTimeout(releasePresses, patience);
    return () => clearTimeout(timer);
  }, []);
  return null;
}
