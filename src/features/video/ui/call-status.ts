import { useEffect, useState } from 'react';
import type { CallEvent } from './call-events.ts';
import { eventText } from './call-texts.ts';

/** Milliseconds a status message stays visible. */
const displayTime = 5_000;

/** Describes the latest event for a while. Skips chat messages while the chat is open. */
export function useStatusText(event: CallEvent | null, chatOpen: boolean): string | null {
  const [expired, setExpired] = useState<CallEvent | null>(null);
  useEffect(() => {
    if (!event) return;
    const timer = setTimeout(() => setExpired(event), displayTime);
    return () => clearTimeout(timer);
  }, [event]);
  if (!event || event === expired) return null;
  if (event.kind === 'said' && chatOpen) return null;
  return eventText(event);
}

/** The name of the last person who asked to continue by phone, until dismissed. */
export function usePhoneRequest(event: CallEvent | null): [name: string | null, dismiss: () => void] {
  const [request, setRequest] = useState<CallEvent | null>(null);
  const [dismissed, setDismissed] = useState<CallEvent | null>(null);
  if (event?.kind === 'phone' && event !== request) setRequest(event);
  return [request && request !== dismissed ? request.name : null, () => setDismissed(request)];
}
