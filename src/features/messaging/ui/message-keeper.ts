import type { QueryClient } from '@tanstack/react-query';
import type { Conversation } from '../contract.ts';
import { createHistoryLoader } from './history-loader.ts';
import { createMessageCache } from './message-cache.ts';
import type { Messaging } from './messaging-queries.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { createOutbox } from './outbox.ts';
import { createUnsentMessages } from './unsent-messages.ts';

/** Client-side messaging state outside the query cache: unsent messages and catch-up progress. */
export type MessageKeeper = ReturnType<typeof createKeeper>;

const keepers = new WeakMap<QueryClient, MessageKeeper>();

export function keeperOf(queries: QueryClient, messaging: Messaging): MessageKeeper {
  const known = keepers.get(queries) ?? createKeeper(queries, messaging);
  keepers.set(queries, known);
  return known;
}

function createKeeper(queries: QueryClient, messaging: Messaging) {
  const cache = createMessageCache(queries, messaging);
  const unsent = createUnsentMessages();
  const renew = oneAtATime(async (conversationId) => {
    cache.show(await messaging.conversations.get.call({ conversationId }));
  });
  const loader = createHistoryLoader(messaging, cache, unsent);
  const outbox = createOutbox({ messaging, cache, unsent, loader, renew });

  return {
    subscribe: unsent.subscribe,
    unsentIn: unsent.list,
    renew,
    show: cache.show,
    ...loader,
    ...outbox,

    /** Resends failed messages and fetches missed ones after a reconnect. */
    reconnected() {
      outbox.retryAll();
      loader.catchUpOpened();
    },

    /** Marks messages read up to `seq`: optimistically in the cache, then on the server. */
    async read(conversation: Conversation, seq: number) {
      const unread = seq >= conversation.lastSeq ? 0 : conversation.unread;
      cache.show({ ...conversation, readSeq: Math.max(conversation.readSeq, seq), unread });
      cache.reduceUnread(conversation.unread - unread);
      cache.show(await messaging.conversations.read.call({ conversationId: conversation.id, seq }));
      cache.refetchUnread();
    },
  };
}
