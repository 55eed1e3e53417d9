import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { useHydrated } from '#/web/hydrated.ts';

/** Age in milliseconds at which times are reloaded. */
const oldest = 30_000;

/** Loads a page's open times again after a booking, and when someone comes back to old ones. */
export function useFreshTimes(times: unknown): void {
  const { revalidate } = useRevalidator();
  const { isOpen } = useBooking();
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) void revalidate();
    wasOpen.current = isOpen;
  }, [isOpen, revalidate]);

  // The times in the HTML may be old: the script may start long after it loaded.
  const [ofDocument, setOfDocument] = useState(!useHydrated());
  useEffect(() => {
    const loadedAt = ofDocument ? 0 : performance.now();
    const refresh = () => {
      if (document.visibilityState !== 'visible' || performance.now() - loadedAt < oldest) return;
      setOfDocument(false);
      void revalidate();
    };
    refresh();
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- new times are as old as this effect
  }, [times, ofDocument, revalidate]);
}
