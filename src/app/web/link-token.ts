import { useCallback, useEffect, useMemo } from 'react';
import { useLocation } from 'react-router';
import { useHydrated } from '#/web/hydrated.ts';

/** What is secret in a mailed link stands behind the #, which no server sees; null until the page's script runs. */
export function useLinkToken(): string | null {
  const { hash } = useLocation();
  const hydrated = useHydrated();
  return hydrated ? hash.slice(1) : null;
}

/**
 * The link's token, kept in this browser until `forget`: the mailed link that ends a sign-up doesn't carry it. Empty if
 * there is none.
 */
export function useKeptToken(name: string): { token: string | null; forget: () => void } {
  const linked = useLinkToken();
  const kept = useMemo(() => (linked === '' ? readKept(name) : ''), [linked, name]);
  useEffect(() => {
    if (linked) keep(name, linked);
  }, [linked, name]);
  const forget = useCallback(() => keep(name, null), [name]);
  return { token: linked === null ? null : linked || kept, forget };
}

function readKept(name: string): string {
  try {
    return localStorage.getItem(name) ?? '';
  } catch {
    // This browser has no storage.
    return '';
  }
}

function keep(name: string, token: string | null): void {
  try {
    if (token === null) localStorage.removeItem(name);
    else localStorage.setItem(name, token);
  } catch {
    // This browser has no storage.
  }
}
