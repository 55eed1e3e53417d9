import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { hasRelay } from './call-rules.ts';

const memory = 'italk-hide-address';

export function hidesAddress(): boolean {
  try {
    return localStorage.getItem(memory) === '1';
  } catch {
    // Without storage, nothing is remembered.
    return false;
  }
}

/** Shown only with a TURN server. */
export function HiddenAddress({ appointmentId }: { appointmentId: string }) {
  const servers = useQuery({
    ...api.video.iceServers.queryOptions({ input: { appointmentId } }),
    staleTime: Infinity,
  });
  const [hidden, setHidden] = useState(hidesAddress);
  if (!servers.data) return null;
  const offered = hasRelay(servers.data);
  if (!offered && !hidden) return null;
  return (
    <Switch
      label={m.video_hide_address()}
      description={offered ? m.video_hide_address_hint() : m.video_hide_address_missing()}
      checked={hidden}
      onChange={({ target }) => {
        try {
          localStorage.setItem(memory, target.checked ? '1' : '0');
          setHidden(target.checked);
        } catch {
          // If storage fails, the switch stays unchanged.
        }
      }}
    />
  );
}
