import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import limits from 'virtual:limits/messaging.conversations.keepDraft';
import { useMessaging } from './messaging-acts.ts';
import { draftQuery } from './messaging-queries.ts';

/** Autosave debounce, in milliseconds. */
const pause = 700;

/**
 * Autosaves a conversation draft to the server, so it follows the person across devices. `held` pauses autosave while a
 * message is sending: until it arrives, the server's draft is its only other copy.
 */
export function useDraft(conversationId: string, held: boolean): [string, (text: string) => void] {
  const messaging = useMessaging();
  const queries = useQueryClient();
  const { data } = useQuery({ ...draftQuery(messaging, conversationId), staleTime: 0 });
  // Null until the first edit here; until then the server's draft applies.
  const [written, setWritten] = useState<string | null>(null);
  const kept = data?.text;
  const { queryKey } = draftQuery(messaging, conversationId);
  const waiting = useRef<string | null>(null);
  const keep = () => {
    const text = waiting.current;
    if (text === null || text.length > limits.text!.max!) return;
    waiting.current = null;
    queries.setQueryData(queryKey, { text });
    messaging.conversations.keepDraft.call({ conversationId, text }).catch(() => {
      // The next keystroke, or leaving the page, retries.
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
