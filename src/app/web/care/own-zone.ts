import { useHydrated } from '#/web/hydrated.ts';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { deviceZone } from '#/web/times.ts';

/** The zone in which times are told to who is signed in: their own, else their device's once the page has come to life. */
export function useOwnZone(): string {
  const hydrated = useHydrated();
  const own = useViewer()?.timeZone;
  return own ?? (hydrated ? deviceZone() : 'UTC');
}
