import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useSite, useViewer } from '#/features/accounts/ui/session.tsx';

import { isAnythingKept } from './store.ts';

/** Whether this page was opened as the offline page: it is then a guest's, whoever is signed in. */
const openedOffline = typeof location !== 'undefined' && location.pathname === '/offline';

/** Installs the service worker and keeps a client's upcoming sessions on their device, once the page has nothing else to do. */
export function DeviceKeeper() {
  const viewer = useViewer();
  const wanted = useSite().flags.includes('mobile_app_access');
  const { pathname } = useLocation();
  useEffect(() => {
    // Anew with each page that is opened.
    if (openedOffline || pathname === '/offline' || !('serviceWorker' in navigator)) return;
    const keep = () =>
      void import('./keeper.ts')
        .then(({ keepWorker, keepUpcoming }) =>
          Promise.all([keepWorker(wanted), keepUpcoming(wanted ? viewer : null)]),
        )
        // Nothing depends on it; the next page tries again.
        .catch(() => undefined);
    // What belongs to whoever has just signed out goes at once.
    if (!viewer && isAnythingKept()) return keep();
    // Not every browser tells when it is idle.
    const soon = setTimeout(keep, 1_500);
    return () => clearTimeout(soon);
  }, [viewer, wanted, pathname]);
  return null;
}
