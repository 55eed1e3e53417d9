import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { m } from '#/texts/messages.js';
import { api, LiveDataProvider } from '#/web/api.tsx';
import { useEmergencyNews } from './emergency-line.tsx';
import { useMessagingNews } from './messaging-actions.ts';
import { unreadQuery } from './messaging-queries.ts';

/** Keeps a page's messages current, reports the unread count and shows it in the document title. */
export function MessagingWatch({ onUnread }: { onUnread: (count: number) => void }) {
  return (
    <LiveDataProvider>
      <Watch onUnread={onUnread} />
    </LiveDataProvider>
  );
}

function Watch({ onUnread }: { onUnread: (count: number) => void }) {
  useMessagingNews();
  useEmergencyNews();
  const count = useQuery(unreadQuery(api.messaging)).data?.messages ?? 0;
  useEffect(() => {
    onUnread(count);
    return () => onUnread(0);
  }, [count, onUnread]);
  useEffect(() => showCountInTitle(count), [count]);
  return null;
}

/** Prefixes the document title with the count, across navigations, until cleanup. */
function showCountInTitle(count: number): (() => void) | undefined {
  if (count === 0) return undefined;
  let own = '';
  let plain = document.title;
  const tell = () => {
    if (document.title === own) return;
    plain = document.title;
    own = m.messaging_page_title_unread({ count: String(count), title: plain });
    document.title = own;
  };
  tell();
  const observer = new MutationObserver(tell);
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  return () => {
    observer.disconnect();
    if (document.title === own) document.title = plain;
  };
}
