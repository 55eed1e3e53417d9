import { createContext, use, useEffect, useState } from 'react';
import { useHydrated } from './hydrated.ts';

/** When the server rendered the page, in epoch milliseconds; null where it didn't. */
export const RenderedAtContext = createContext<number | null>(null);

/** Milliseconds between clock updates. */
const tick = 30_000;

/** When the server loaded the page's data, in epoch milliseconds; null if it loaded none. */
export const LoadedAtContext = createContext<number | null>(null);

/** Returns the current time in epoch milliseconds; before hydration the server's, or null if the page has no data. */
export function useNow(): number | null {
  const loadedAt = use(LoadedAtContext);
  const hydrated = useHydrated();
  const [now, setNow] = useState(() => (hydrated ? Date.now() : loadedAt));
  useEffect(() => {
    const take = () => setNow(Date.now());
    take();
    const timer = setInterval(take, tick);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Like `useNow`, but fixed for the day, so query keys stay stable and match what the server loaded. */
export function useOpenedAt(): number | null {
  const loadedAt = use(LoadedAtContext);
  const now = useNow();
  const [opened, setOpened] = useState(loadedAt ?? now);
  if (now !== null && (opened === null || dayOf(opened) !== dayOf(now))) setOpened(now);
  return opened;
}

function dayOf(instant: number): string {
  return new Date(instant).toDateString();
}
