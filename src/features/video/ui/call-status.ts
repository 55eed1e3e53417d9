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
  const [name, setName] = useState<string | null>(null);
  const requestedBy = event?.kind === 'phone' ? event.name : null;
  if (requestedBy && requestedBy !== name) setName(requestedBy);
  return [name, () => setName('')];
}
