import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { api } from '#/web/api.tsx';
import { useRealtime, useSendFrame } from '#/web/realtime.tsx';
import { syncOf, type MessageSync } from './message-sync.ts';
import { unreadQuery } from './messaging-queries.ts';
import type { Unsent } from './unsent-messages.ts';

/** Milliseconds that it's shown and between sends. */
const writingStands = 5_000;
const writingSaid = 3_000;

export function useMessageSync(): MessageSync {
  return syncOf(useQueryClient(), api.messaging);
}

const nothing: readonly Unsent[] = [];

export function useUnsentMessages(conversationId: string): readonly Unsent[] {
  const keeper = useMessageSync();
  return useSyncExternalStore(
    keeper.subscribe,
    () => keeper.unsentIn(conversationId),
    () => nothing,
  );
}

/** Keeps cached messaging queries current from realtime events. Mount once per page. */
export function useMessagingNews(): void {
  const queries = useQueryClient();
  const keeper = useMessageSync();
  useRealtime(({ type, id }) => {
    if (type === 'missed') {
      const { list, get, unread } = api.messaging.conversations;
      for (const query of [list, get, unread]) void queries.invalidateQueries({ queryKey: query.key() });
      keeper.reconnected();
    } else if (type === 'messages.changed' || type === 'messages.read') {
      void queries.invalidateQueries({ queryKey: unreadQuery(api.messaging).queryKey });
      void keeper.renew(id);
      if (type === 'messages.changed') keeper.changed(id);
    }
  });
  // Short network drops may not close the socket.
  useEffect(() => {
    window.addEventListener('online', keeper.reconnected);
    return () => window.removeEventListener('online', keeper.reconnected);
  }, [keeper]);
}

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
    // Their message has arrived.
    set(id, type === 'messages.typing');
    if (type === 'messages.typing')
      timers.current.set(
        id,
        setTimeout(() => set(id, false), writingStands),
      );
  });
  return writing;
}

/** Returns a throttled keystroke handler. */
export function useSendTyping(conversationId: string): () => void {
  const say = useSendFrame();
  const last = useRef(0);
  return () => {
    const now = Date.now();
    if (now - last.current < writingSaid) return;
    last.current = now;
    say({ type: 'messages.typing', conversationId });
  };
}
