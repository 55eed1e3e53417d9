import type { InfiniteData } from '@tanstack/react-query';
import type { api } from '#/web/api.tsx';
import type { Conversation } from '../contract.ts';

export type Messaging = typeof api.messaging;

export const firstMessages = 50;
const conversationsPage = 30;

/** Continues after the conversation with this last message. */
interface Cursor {
  beforeAt: string;
  beforeId: string;
}

export function conversationsQuery(messaging: Messaging) {
  return messaging.conversations.list.infiniteOptions({
    input: (cursor: Cursor | null) => ({ ...cursor, limit: conversationsPage }),
    initialPageParam: null as Cursor | null,
    getNextPageParam: (page) => {
      const end = page.conversations.at(-1);
      return page.more && end ? { beforeAt: end.last.sentAt, beforeId: end.id } : undefined;
    },
  });
}

export type ConversationPages = InfiniteData<{ conversations: Conversation[]; more: boolean }, Cursor | null>;

export function conversationQuery(messaging: Messaging, conversationId: string) {
  return messaging.conversations.get.queryOptions({ input: { conversationId } });
}

/** Latest messages; the keeper adds earlier and later ones to this cache entry. */
export function historyQuery(messaging: Messaging, conversationId: string) {
  return messaging.messages.list.queryOptions({ input: { conversationId, limit: firstMessages } });
}

export function draftQuery(messaging: Messaging, conversationId: string) {
  return messaging.conversations.draft.queryOptions({ input: { conversationId } });
}

/** Unread counts, shared by every badge. */
export function unreadQuery(messaging: Messaging) {
  return messaging.conversations.unread.queryOptions();
}

export function withPersonQuery(messaging: Messaging, personId: string) {
  return messaging.conversations.withPerson.queryOptions({ input: { personId } });
}

export function searchQuery(messaging: Messaging, words: string) {
  return messaging.messages.search.infiniteOptions({
    input: (next: string | null) => ({ words, ...(next === null ? {} : { next }) }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
}
