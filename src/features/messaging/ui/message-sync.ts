import type { QueryClient } from '@tanstack/react-query';
import type { Conversation } from '../contract.ts';
import {
  type Messaging,
  firstMessages,
  conversationQuery,
  conversationsQuery,
  historyQuery,
  unreadQuery,
  type ConversationPages,
} from './messaging-queries.ts';
import { createUnsentMessages, withFailure, type Unsent, type UnsentMessages } from './unsent-messages.ts';
import { isRefusal } from '#/web/failures.ts';
import { messageFailureText } from './failure-text.ts';
import { appended, latest, prepended, placed, type History } from './history.ts';

/** Client-side messaging state outside the query cache: unsent messages and catch-up progress. */
export type MessageSync = ReturnType<typeof createSync>;

const keepers = new WeakMap<QueryClient, MessageSync>();

export function syncOf(queries: QueryClient, messaging: Messaging): MessageSync {
  const known = keepers.get(queries) ?? createSync(queries, messaging);
  keepers.set(queries, known);
  return known;
}

function createSync(queries: QueryClient, messaging: Messaging) {
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
    /** Text typed but not saved, by conversation. */
    typed: new Map<string, string>(),
    ...loader,
    ...outbox,

    /** Resends failed messages and fetches missed ones. */
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

/** Sends messages, and shows them as unsent until the server has them. */
function createOutbox({
  messaging,
  cache,
  unsent,
  loader,
  renew,
}: {
  messaging: Messaging;
  cache: MessageCache;
  unsent: UnsentMessages;
  loader: HistoryLoader;
  renew: (conversationId: string) => Promise<void>;
}) {
  const sending = new Set<string>();

  const sendOne = async (conversationId: string, { id, text, attachments }: Unsent) => {
    const message = await messaging.messages.send.call({
      conversationId,
      messageId: id,
      text,
      attachmentIds: attachments.map((attachment) => attachment.id),
    });
    cache.updateHistory(conversationId, (before) => appended(before, [message]));
    const shown = (cache.history(conversationId)?.messages.at(-1)?.seq ?? 0) >= message.seq;
    if (!shown && !loader.isDetached(conversationId)) await loader.catchUp(conversationId);
    unsent.confirm(conversationId, [message]);
    void renew(conversationId);
  };

  /** Sends a conversation's unsent messages one at a time to preserve their order. */
  const flush = async (conversationId: string) => {
    if (sending.has(conversationId)) return;
    sending.add(conversationId);
    try {
      for (;;) {
        const next = unsent.list(conversationId).find(({ failure }) => failure === null);
        if (!next) return;
        try {
          await sendOne(conversationId, next);
        } catch (error) {
          const again = !isRefusal(error);
          const failure = messageFailureText(error);
          unsent.update(conversationId, (all) => withFailure(all, next.id, failure, again));
          if (again) return;
          void renew(conversationId);
        }
      }
    } finally {
      sending.delete(conversationId);
    }
  };

  const retry = (conversationId: string, which: (one: Unsent) => boolean) => {
    unsent.update(conversationId, (all) => all.map((one) => (which(one) ? { ...one, failure: null } : one)));
    void flush(conversationId);
  };

  return {
    send(conversationId: string, message: Pick<Unsent, 'id' | 'text' | 'attachments' | 'writtenAt'>) {
      unsent.update(conversationId, (all) => [...all, { ...message, failure: null, again: false }]);
      // Sent messages appear at the end.
      if (loader.isDetached(conversationId)) loader.loadLatest(conversationId).catch(() => undefined);
      void flush(conversationId);
    },
    retry: (conversationId: string, id: string) => retry(conversationId, (one) => one.id === id),
    discard: (conversationId: string, id: string) =>
      unsent.update(conversationId, (all) => all.filter((one) => one.id !== id)),
    /** Resends messages that failed without a connection. */
    retryAll() {
      for (const [conversationId, all] of unsent.conversations())
        if (all.some(({ again }) => again)) retry(conversationId, ({ again }) => again);
    },
  };
}

/** Number of messages per request. */
const pageSize = 100;
const catchUpSize = 200;
const aroundSize = 50;

type HistoryLoader = ReturnType<typeof createHistoryLoader>;

/** Loads conversations' histories, and keeps those on screen up to date. */
function createHistoryLoader(messaging: Messaging, cache: MessageCache, unsent: UnsentMessages) {
  const opened = new Set<string>();
  /** Loaded, but not up to the latest message. */
  const detached = new Set<string>();
  const lastSeq = (conversationId: string) => cache.history(conversationId)?.messages.at(-1)?.seq;

  const catchUp = oneAtATime(async (conversationId) => {
    for (let more = true; more;) {
      const after = lastSeq(conversationId);
      if (after === undefined || detached.has(conversationId)) return;
      const found = await messaging.messages.list.call({ conversationId, after, limit: catchUpSize });
      cache.updateHistory(conversationId, (before) => appended(before, found.messages));
      unsent.confirm(conversationId, found.messages);
      more = found.more;
    }
  });

  return {
    catchUp,
    isDetached: (conversationId: string) => detached.has(conversationId),

    changed(conversationId: string) {
      if (opened.has(conversationId)) void catchUp(conversationId);
    },
    /** Fetches missed messages after a reconnect. */
    catchUpOpened() {
      for (const conversationId of opened) void catchUp(conversationId);
    },

    async loadOlder(conversationId: string) {
      const before = cache.history(conversationId)?.messages[0]?.seq;
      if (before === undefined || before <= 1) return;
      const found = await messaging.messages.list.call({ conversationId, before, limit: pageSize });
      cache.updateHistory(conversationId, (known) => prepended(known, found.messages));
    },
    async loadNewer(conversationId: string) {
      const after = lastSeq(conversationId);
      if (after === undefined) return;
      const found = await messaging.messages.list.call({ conversationId, after, limit: pageSize });
      cache.updateHistory(conversationId, (known) => appended(known, found.messages));
      unsent.confirm(conversationId, found.messages);
      if (!found.more) detached.delete(conversationId);
    },
    async loadAround(conversationId: string, seq: number) {
      const after = Math.max(0, seq - aroundSize / 2);
      const found = await messaging.messages.list.call({ conversationId, after, limit: aroundSize });
      if (found.more) detached.add(conversationId);
      else detached.delete(conversationId);
      cache.setHistory(conversationId, found);
    },
    async loadLatest(conversationId: string) {
      const found = await messaging.messages.list.call({ conversationId, limit: firstMessages });
      detached.delete(conversationId);
      cache.setHistory(conversationId, found);
      unsent.confirm(conversationId, found.messages);
      void catchUp(conversationId);
    },

    /** Marks a conversation as on screen until the returned cleanup runs. */
    enter(conversationId: string) {
      opened.add(conversationId);
      void catchUp(conversationId);
      return () => {
        opened.delete(conversationId);
        // Reset the history, so the conversation reopens fast at its latest message.
        if (detached.delete(conversationId)) cache.removeHistory(conversationId);
        else cache.updateHistory(conversationId, latest);
      };
    },
  };
}

/** In milliseconds. */
const retryDelay = 5_000;

/** Runs `work` once at a time per conversation; calls during a run trigger one more. Network errors are retried. */
function oneAtATime(work: (conversationId: string) => Promise<void>) {
  const running = new Map<string, { again: boolean; done: Promise<void> }>();
  const run = (conversationId: string): Promise<void> => {
    const current = running.get(conversationId);
    if (current) {
      current.again = true;
      return current.done;
    }
    const state = { again: false, done: Promise.resolve() };
    running.set(conversationId, state);
    state.done = (async () => {
      try {
        do {
          state.again = false;
          await work(conversationId);
        } while (state.again);
      } catch (error) {
        // A refused request would fail again, so only retry network errors.
        if (!isRefusal(error)) setTimeout(() => void run(conversationId), retryDelay);
      } finally {
        running.delete(conversationId);
      }
    })();
    return state.done;
  };
  return run;
}

type MessageCache = ReturnType<typeof createMessageCache>;

/** Messaging's part of the query cache. */
function createMessageCache(queries: QueryClient, messaging: Messaging) {
  const keyOf = (conversationId: string) => historyQuery(messaging, conversationId).queryKey;
  return {
    history: (conversationId: string) => queries.getQueryData<History>(keyOf(conversationId)),
    setHistory: (conversationId: string, history: History) =>
      queries.setQueryData<History>(keyOf(conversationId), history),
    updateHistory: (conversationId: string, change: (before: History) => History) =>
      queries.setQueryData<History>(keyOf(conversationId), (before) => before && change(before)),
    removeHistory: (conversationId: string) => queries.removeQueries({ queryKey: keyOf(conversationId) }),

    /** Answers may arrive out of order, so a receipt stays. */
    show(answered: Conversation) {
      const { queryKey } = conversationQuery(messaging, answered.id);
      const shown = queries.getQueryData<Conversation>(queryKey)?.readByOther ?? 0;
      const conversation = { ...answered, readByOther: Math.max(answered.readByOther, shown) };
      queries.setQueryData(queryKey, conversation);
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
