import { useState } from 'react';
import { useGuestSessions } from '#/features/attendees/ui/guest-list.ts';
import { useWaits } from '#/features/waitlist/ui/waits.ts';
import { lazyPart } from '#/web/lazy-part.tsx';

// Few people have any of these.
const OpenOffers = lazyPart(async () => (await import('#/features/waitlist/ui/open-offers.tsx')).OpenOffers);
const WaitingList = lazyPart(
  async () => (await import('#/features/waitlist/ui/waiting-list.tsx')).WaitingList,
);
const GuestSessions = lazyPart(
  async () => (await import('#/features/attendees/ui/guest-sessions.tsx')).GuestSessions,
);

export function OwnOffers(props: { now: number; timeZone: string; className?: string }) {
  const any = useHadAny(useWaits());
  return any && <OpenOffers {...props} />;
}

export function OwnWaits(props: { timeZone: string }) {
  const any = useHadAny(useWaits());
  return any && <WaitingList {...props} />;
}

export function OwnGuestSessions(props: { timeZone: string }) {
  const any = useHadAny(useGuestSessions());
  return any && <GuestSessions {...props} />;
}

/** Whether there was anything to show since the page was opened: dialogs and errors outlive the last entry. */
function useHadAny({ data, isError }: { data?: readonly unknown[]; isError: boolean }): boolean {
  const any = isError || (data !== undefined && data.length > 0);
  const [ever, setEver] = useState(any);
  if (any && !ever) setEver(true);
  return ever;
}
