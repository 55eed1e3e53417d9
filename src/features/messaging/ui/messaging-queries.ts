import type { InfiniteData } from '@tanstack/react-query';
import type { Api } from '#/web/api.tsx';
import type { Conversation, messagingContract } from '../contract.ts';

/** The API as far as messages go. */
export type Messaging = Api<{ messaging: typeof messagingContract }>['messaging'];

/** How many messages a conversation opens with. */
export const firstMessages = 50;
const conversationsPage = 30;

/** Where a page of conversations goes on: after the one with this last message. */
interface Cursor {
  beforeAt: string;
  beforeId: string;
}

/** The pages of one's own conversations, the latest first. */
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

/** The pages of conversations as they are kept in the browser. */
export type ConversationPages = InfiniteData<{ conversations: Conversation[]; more: boolean }, Cursor | null>;

/** One conversation. */
export function conversationQuery(messaging: Messaging, conversationId: string) {
  return messaging.conversations.get.queryOptions({ input: { conversationId } });
}

/** The latest messages of a conversation; what comes before and after is put to them. */
export function historyQuery(messaging: Messaging, conversationId: string) {
  return messaging.messages.list.queryOptions({ input: { conversationId, limit: firstMessages } });
}

/** What one has begun to write in a conversation. */
export function draftQuery(messaging: Messaging, conversationId: string) {
  return messaging.conversations.draft.queryOptions({ input: { conversationId } });
}

/** How many messages wait for oneself: the one figure that is shown everywhere. */
export function unreadQuery(messaging: Messaging) {
  return messaging.conversations.unread.queryOptions();
}

/** Whom one would write to. */
export function withPersonQuery(messaging: Messaging, personId: string) {
  return messaging.conversations.withPerson.queryOptions({ input: { personId } });
}

/** The pages of one's own messages that hold some words. */
export function searchQuery(messaging: Messaging, words: string) {
  return messaging.messages.search.infiniteOptions({
    input: (next: string | null) => ({ words, ...(next === null ? {} : { next }) }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
}
