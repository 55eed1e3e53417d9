import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { hasStoredData } from './mark.ts';

/** The offline page is rendered for guests, regardless of sign-in. */
const openedOffline = typeof location !== 'undefined' && location.pathname === '/offline';

/** Whether signing out must erase stored sessions. */
let isKeeping = false;

/** Installs the service worker and stores a client's upcoming sessions offline, once the page is idle. */
export function DeviceStorage() {
  const { state, viewer, site } = useSession();
  const wanted = site.flags.includes('mobile_app_access');
  const { pathname } = useLocation();
  useEffect(() => {
    // Runs on each navigation, except while the session changes, when requests would be refused.
    if (state === 'loading' || openedOffline || pathname === '/offline' || !('serviceWorker' in navigator))
      return;
    // Both are best effort; the next page retries.
    const keep = () => {
      setWorker(wanted).catch(() => undefined);
      // Guests with nothing stored trigger no extra requests.
      isKeeping ||= (wanted && viewer?.role === 'client') || hasStoredData();
      if (!isKeeping) return;
      import('./upcoming.ts')
        .then(({ storeUpcoming }) => storeUpcoming(wanted ? viewer : null))
        .catch(() => undefined);
    };
    // After sign-out, erase stored sessions immediately.
    if (!viewer && hasStoredData()) return keep();
    // Not every browser supports `requestIdleCallback`.
    const soon = setTimeout(keep, 1_500);
    return () => clearTimeout(soon);
  }, [state, viewer, wanted, pathname]);
  return null;
}

/** Unregisters the worker if the feature is off. */
async function setWorker(wanted: boolean): Promise<void> {
  const { serviceWorker } = navigator;
  if (wanted) await serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  else {
    for (const one of await serviceWorker.getRegistrations()) await one.unregister();
    for (const name of await caches.keys()) await caches.delete(name);
  }
}
