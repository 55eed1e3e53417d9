import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useApi } from '#/web/api.tsx';
import { useRealtime, useSay } from '#/web/realtime.tsx';
import { keeperOf, type MessageKeeper, type Unsent } from './message-keeper.ts';
import { unreadQuery, type Messaging } from './messaging-queries.ts';

/** How long 'is writing' stands without being said again, and how often at most it is said, in milliseconds. */
const writingStands = 5_000;
const writingSaid = 3_000;

/** The API as far as messages go. */
export function useMessaging(): Messaging {
  return useApi().messaging;
}

/** What this browser keeps of who is signed in. */
export function useKeeper(): MessageKeeper {
  return keeperOf(useQueryClient(), useMessaging());
}

const nothing: readonly Unsent[] = [];

/** What is on its way in a conversation, or wasn't sent. */
export function useUnsent(conversationId: string): readonly Unsent[] {
  const keeper = useKeeper();
  return useSyncExternalStore(
    keeper.subscribe,
    () => keeper.unsentIn(conversationId),
    () => nothing,
  );
}

/** Keeps everything that is shown of messages as the server has it; stands once on a page. */
export function useMessagingNews(): void {
  const queries = useQueryClient();
  const messaging = useMessaging();
  const keeper = useKeeper();
  useRealtime(({ type, id }) => {
    if (type === 'connected') {
      const { list, get, unread } = messaging.conversations;
      for (const query of [list, get, unread]) void queries.invalidateQueries({ queryKey: query.key() });
      keeper.lineIsBack();
    } else if (type === 'messages.changed' || type === 'messages.read') {
      void queries.invalidateQueries({ queryKey: unreadQuery(messaging).queryKey });
      void keeper.renew(id);
      if (type === 'messages.changed') keeper.changed(id);
    }
  });
  // A short loss may leave the socket standing.
  useEffect(() => {
    window.addEventListener('online', keeper.lineIsBack);
    return () => window.removeEventListener('online', keeper.lineIsBack);
  }, [keeper]);
}

/** The conversations in which the other one is writing now. */
export function useWriting(): ReadonlySet<string> {
  const [writing, setWriting] = useState<ReadonlySet<string>>(new Set());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const all = timers.current;
    return () => {
      for (const timer of all.values()) clearTimeout(timer);
    };
  }, []);
  const set = (id: string, is: boolean) =>
    setWriting((before) => {
      if (before.has(id) === is) return before;
      const after = new Set(before);
      if (is) after.add(id);
      else after.delete(id);
      return after;
    });
  useRealtime(({ type, id }) => {
    if (type !== 'messages.typing' && type !== 'messages.changed') return;
    clearTimeout(timers.current.get(id));
    // What they wrote has come.
    set(id, type === 'messages.typing');
    if (type === 'messages.typing')
      timers.current.set(
        id,
        setTimeout(() => set(id, false), writingStands),
      );
  });
  return writing;
}

/** Gives what to call with every letter: the other one hears that one is writing, not more often than need be. */
export function useSayWriting(conversationId: string): () => void {
  const say = useSay();
  const last = useRef(0);
  return () => {
    const now = Date.now();
    if (now - last.current < writingSaid) return;
    last.current = now;
    say({ type: 'messages.typing', conversationId });
  };
}
