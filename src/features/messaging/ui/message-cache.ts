import type { QueryClient } from '@tanstack/react-query';
import type { Conversation } from '../contract.ts';
import { placed, type History } from './history.ts';
import {
  conversationQuery,
  conversationsQuery,
  historyQuery,
  unreadQuery,
  type ConversationPages,
  type Messaging,
} from './messaging-queries.ts';

export type MessageCache = ReturnType<typeof createMessageCache>;

/** Messaging's part of the query cache. */
export function createMessageCache(queries: QueryClient, messaging: Messaging) {
  const keyOf = (conversationId: string) => historyQuery(messaging, conversationId).queryKey;
  return {
    history: (conversationId: string) => queries.getQueryData<History>(keyOf(conversationId)),
    setHistory: (conversationId: string, history: History) =>
      queries.setQueryData<History>(keyOf(conversationId), history),
    updateHistory: (conversationId: string, change: (before: History) => History) =>
      queries.setQueryData<History>(keyOf(conversationId), (before) => before && change(before)),
    removeHistory: (conversationId: string) => queries.removeQueries({ queryKey: keyOf(conversationId) }),

    show(conversation: Conversation) {
      queries.setQueryData(conversationQuery(messaging, conversation.id).queryKey, conversation);
      queries.setQueryData<ConversationPages>(
        conversationsQuery(messaging).queryKey,
        (before) => before && placed(before, conversation),
      );
    },

    /** Reduces the unread counts by one conversation's messages. */
    reduceUnread(messages: number) {
      queries.setQueryData(
        unreadQuery(messaging).queryKey,
        (before) =>
          before && {
            messages: Math.max(0, before.messages - messages),
            conversations: Math.max(0, before.conversations - (messages > 0 ? 1 : 0)),
          },
      );
    },
    refetchUnread: () => void queries.invalidateQueries({ queryKey: unreadQuery(messaging).queryKey }),
  };
}
