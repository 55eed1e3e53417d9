import { replaceEqualDeep, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { IdleWatch } from '#/features/accounts/ui/idle-watch.tsx';
import { ReauthenticationWatch } from '#/features/accounts/ui/reauthentication-watch.tsx';
import { SessionWatch } from '#/features/accounts/ui/session-watch.tsx';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { MessagingWatch } from '#/features/messaging/ui/messaging-watch.tsx';
import { DataProvider, useApi } from '#/web/api.tsx';
import { RealtimeProvider, useRealtime } from '#/web/realtime.tsx';
import { onRefusal } from '#/web/refusals.ts';
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
        <ReauthenticationWatch />
      </DataProvider>
      <IdleWatch />
      {site.debug && <DebugWatch />}
      {onUnread && <MessagingWatch onUnread={onUnread} />}
    </>
  );
}

/** Asks for the page's data again once the site has changed, and for all that is shown of it. */
function SiteWatch() {
  const api = useApi();
  const { site, refresh } = useSession();
  const queries = useQueryClient();
  const missed = useRef(false);
  // What is off by then is shown no more, and isn't asked for.
  const renew = () => refresh().then(() => queries.invalidateQueries());
  /** The site may have changed after the page was made and before its line stood. */
  const compare = async () => {
    const now = await api.settings.site.call();
    if (replaceEqualDeep(site, now) !== site) await renew();
  };
  // Also a page that didn't hear of it, or asked a server that hadn't yet, closes with the site.
  useEffect(() => onRefusal(({ reason }) => void (reason === 'maintenance' && refresh())), [refresh]);
  useRealtime(({ type }) => {
    if (type === 'lost') missed.current = true;
    if (type === 'site.changed') void renew();
    if (type !== 'connected') return;
    // Without an answer the page stays as it was made.
    if (!missed.current) void compare().catch(() => undefined);
    // What was said while the line was down wasn't heard, about whoever is signed in, either.
    else void refresh();
    missed.current = false;
  });
  return null;
}
