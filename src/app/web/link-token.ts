import { useLocation } from 'react-router';
import { useHydrated } from '#/web/hydrated.ts';

/** What is secret in a mailed link stands behind the #, which no server sees; null until the page's script runs. */
export function useLinkToken(): string | null {
  const { hash } = useLocation();
  const hydrated = useHydrated();
  return hydrated ? hash.slice(1) : null;
}
