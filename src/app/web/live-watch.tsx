import { replaceEqualDeep, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { IdleWatch } from '#/features/accounts/ui/idle-watch.tsx';
import { ReauthenticationWatch, SessionWatch } from '#/features/accounts/ui/session-watch.tsx';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { MessagingWatch } from '#/features/messaging/ui/messaging-watch.tsx';
import { DataProvider, api } from '#/web/api.tsx';
import { RealtimeProvider, useRealtime } from '#/web/realtime.tsx';
import { onRefusal } from '#/web/refusals.ts';
import { m } from '#/texts/messages.js';
import { toast } from '#/web/components/toast.tsx';

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

function SiteWatch() {
  const { site, refresh } = useSession();
  const queries = useQueryClient();
  const lost = useRef(false);
  // Refreshed first, so queries of disabled features unmount.
  const renew = () => refresh().then(() => queries.invalidateQueries());
  /** The site may change before the socket connects. */
  const compare = async () => {
    const now = await api.settings.site.call();
    if (replaceEqualDeep(site, now) !== site) await renew();
  };
  // Catches pages that missed the event or reached a server before it applied maintenance mode.
  useEffect(() => onRefusal(({ reason }) => void (reason === 'maintenance' && refresh())), [refresh]);
  useRealtime(({ type }) => {
    if (type === 'lost') lost.current = true;
    if (type === 'site.changed') void renew();
    if (type !== 'missed') return;
    // On failure the page stays as rendered.
    if (!lost.current) void compare().catch(() => undefined);
    // Missed events may concern the viewer too.
    else void refresh();
    lost.current = false;
  });
  return null;
}

/** In debug mode, shows a toast with code, reason and request id for every API error. */
function DebugWatch() {
  useEffect(
    () =>
      onRefusal(({ code, reason, requestId }) =>
        toast({ title: `${code}: ${reason}`, description: m.debug_request({ id: requestId }) }),
      ),
    [],
  );
  return null;
}
