import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { isAnythingKept } from './mark.ts';

/** Whether this page was opened as the offline page: it is then a guest's, whoever is signed in. */
const openedOffline = typeof location !== 'undefined' && location.pathname === '/offline';

/** Whether sessions may be on their way into this device's keeping: who signs out then has to be told to the keeper. */
let isKeeping = false;

/** Installs the service worker and keeps a client's upcoming sessions on their device, once the page has nothing else to do. */
export function DeviceKeeper() {
  const { viewer, site, leaving } = useSession();
  const wanted = site.flags.includes('mobile_app_access');
  const { pathname } = useLocation();
  useEffect(() => {
    // Anew with each page that is opened, but not while its person signs out, who would be refused.
    if (leaving || openedOffline || pathname === '/offline' || !('serviceWorker' in navigator)) return;
    // Nothing depends on either; the next page tries again.
    const keep = () => {
      keepWorker(wanted).catch(() => undefined);
      // Whom nothing is kept for, as a guest, asks the network for nothing more.
      isKeeping ||= (wanted && viewer?.role === 'client') || isAnythingKept();
      if (!isKeeping) return;
      import('./keeper.ts')
        .then(({ keepUpcoming }) => keepUpcoming(wanted ? viewer : null))
        .catch(() => undefined);
    };
    // What belongs to whoever has just signed out goes at once.
    if (!viewer && isAnythingKept()) return keep();
    // Not every browser tells when it is idle.
    const soon = setTimeout(keep, 1_500);
    return () => clearTimeout(soon);
  }, [viewer, leaving, wanted, pathname]);
  return null;
}

/** Registers the service worker, or takes it away where the feature is off. */
async function keepWorker(wanted: boolean): Promise<void> {
  const { serviceWorker } = navigator;
  if (wanted) await serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  else {
    for (const one of await serviceWorker.getRegistrations()) await one.unregister();
    for (const name of await caches.keys()) await caches.delete(name);
  }
}
