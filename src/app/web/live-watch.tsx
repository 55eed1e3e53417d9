import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { IdleWatch } from '#/features/accounts/ui/idle-watch.tsx';
import { SessionWatch } from '#/features/accounts/ui/session-watch.tsx';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { MessagingWatch } from '#/features/messaging/ui/messaging-watch.tsx';
import { DataProvider } from '#/web/api.tsx';
import { RealtimeProvider, useRealtime } from '#/web/realtime.tsx';
import { DebugWatch } from './debug-watch.tsx';

/** Keeps the page of who is signed in true: what the site offers them and, where they have messages, how many wait. */
export function LiveWatch({ onUnread }: { onUnread: ((count: number) => void) | null }) {
  const { site } = useSession();
  return (
    <>
      <DataProvider>
        <RealtimeProvider>
          <SiteWatch />
          <SessionWatch />
        </RealtimeProvider>
      </DataProvider>
      <IdleWatch />
      {site.debug && <DebugWatch />}
      {onUnread && <MessagingWatch onUnread={onUnread} />}
    </>
  );
}

/** Asks for the page's data again once the site has changed, and for all that is shown of it. */
function SiteWatch() {
  const { refresh } = useSession();
  const queries = useQueryClient();
  const missed = useRef(false);
  useRealtime(({ type }) => {
    if (type === 'lost') missed.current = true;
    // What was said while the line was down wasn't heard.
    if (type !== 'site.changed' && !(type === 'connected' && missed.current)) return;
    missed.current = false;
    // What is off by then is shown no more, and isn't asked for.
    void refresh().then(() => (type === 'site.changed' ? queries.invalidateQueries() : undefined));
  });
  return null;
}
