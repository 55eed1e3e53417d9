import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { longestMessage } from './limits.ts';
import { useMessaging } from './messaging-acts.ts';
import { draftQuery } from './messaging-queries.ts';

/** How long one pauses until what one has begun to write is kept, in milliseconds. */
const pause = 700;

/**
 * What one has begun to write in a conversation: kept by the server while one writes, and there again on every device.
 * `held` while something is on its way: until it has arrived, the server's draft is the only other copy of it.
 */
export function useDraft(conversationId: string, held: boolean): [string, (text: string) => void] {
  const messaging = useMessaging();
  const queries = useQueryClient();
  const { data } = useQuery({ ...draftQuery(messaging, conversationId), staleTime: 0 });
  // Null until one writes here: until then it is what the server has.
  const [written, setWritten] = useState<string | null>(null);
  const kept = data?.text;
  const { queryKey } = draftQuery(messaging, conversationId);
  const waiting = useRef<string | null>(null);
  const keep = () => {
    const text = waiting.current;
    if (text === null || text.length > longestMessage) return;
    waiting.current = null;
    queries.setQueryData(queryKey, { text });
    messaging.conversations.keepDraft.call({ conversationId, text }).catch(() => {
      // The next letter, or leaving the page, tries again.
      waiting.current ??= text;
    });
  };
  const latest = useRef(keep);
  useEffect(() => {
    latest.current = keep;
  });
  useEffect(() => {
    if (written === null || held) return;
    waiting.current = written.trim();
    const timer = setTimeout(() => latest.current(), pause);
    return () => clearTimeout(timer);
  }, [written, held]);
  useEffect(() => {
    const hidden = () => {
      if (document.visibilityState === 'hidden') latest.current();
    };
    document.addEventListener('visibilitychange', hidden);
    return () => {
      document.removeEventListener('visibilitychange', hidden);
      latest.current();
    };
  }, []);
  return [written ?? kept ?? '', setWritten];
}
