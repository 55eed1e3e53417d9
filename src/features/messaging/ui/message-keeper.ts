import type { QueryClient } from '@tanstack/react-query';
import { isRefusal } from '#/web/failures.ts';
import type { Attachment } from '../attachments/contract.ts';
import type { Conversation, Message } from '../contract.ts';
import { messageFailureText } from './failure-text.ts';
import { appended, latest, placed, prepended, type History } from './history.ts';
import {
  conversationQuery,
  conversationsQuery,
  firstMessages,
  historyQuery,
  unreadQuery,
  type ConversationPages,
  type Messaging,
} from './messaging-queries.ts';

/** A message the server hasn't confirmed yet. */
export interface Unsent {
  /** Reused by retries, so nothing is duplicated. */
  id: string;
  text: string;
  attachments: readonly Attachment[];
  writtenAt: string;
  failure: string | null;
  /** Whether it's resent once the connection returns. */
  again: boolean;
}

const older = 100;
const newer = 200;
const around = 50;
/** Retry delay for catch-up, in milliseconds. */
const patience = 5_000;

/** Client-side messaging state outside the query cache: unsent messages and catch-up progress. */
export type MessageKeeper = ReturnType<typeof createKeeper>;

const keepers = new WeakMap<QueryClient, MessageKeeper>();

export function keeperOf(queries: QueryClient, messaging: Messaging): MessageKeeper {
  const known = keepers.get(queries) ?? createKeeper(queries, messaging);
  keepers.set(queries, known);
  return known;
}

function createKeeper(queries: QueryClient, messaging: Messaging) {
  const unsent = new Map<string, readonly Unsent[]>();
  const listeners = new Set<() => void>();
  const sending = new Set<string>();
  const opened = new Set<string>();
  /** Conversations whose loaded history stops short of the latest message. */
  const detached = new Set<string>();
  const none: readonly Unsent[] = [];

  const setUnsent = (conversationId: string, change: (before: readonly Unsent[]) => readonly Unsent[]) => {
    unsent.set(conversationId, change(unsent.get(conversationId) ?? none));
    for (const listener of listeners) listener();
  };
  const keyOf = (conversationId: string) => historyQuery(messaging, conversationId).queryKey;
  const historyOf = (conversationId: string) => queries.getQueryData<History>(keyOf(conversationId));
  const setHistory = (conversationId: string, change: (before: History) => History) =>
    queries.setQueryData<History>(keyOf(conversationId), (before) => before && change(before));

  const settle = (conversationId: string, found: readonly Message[]) => {
    const ids = new Set(found.map(({ id }) => id));
    if (unsent.get(conversationId)?.some(({ id }) => ids.has(id)))
      setUnsent(conversationId, (all) => all.filter(({ id }) => !ids.has(id)));
  };

  const catchUp = oneAtATime(async (conversationId) => {
    for (let more = true; more;) {
      const after = historyOf(conversationId)?.messages.at(-1)?.seq;
      if (after === undefined || detached.has(conversationId)) return;
      const found = await messaging.messages.list.call({ conversationId, after, limit: newer });
      setHistory(conversationId, (before) => appended(before, found.messages));
      settle(conversationId, found.messages);
      more = found.more;
    }
  });

  const show = (conversation: Conversation) => {
    queries.setQueryData(conversationQuery(messaging, conversation.id).queryKey, conversation);
    queries.setQueryData<ConversationPages>(
      conversationsQuery(messaging).queryKey,
      (before) => before && placed(before, conversation),
    );
  };

  const renew = oneAtATime(async (conversationId) => {
    show(await messaging.conversations.get.call({ conversationId }));
  });

  /** Sends a conversation's unsent messages one at a time to preserve their order. */
  const flush = async (conversationId: string) => {
    if (sending.has(conversationId)) return;
    sending.add(conversationId);
    try {
      for (;;) {
        const next = unsent.get(conversationId)?.find(({ failure }) => failure === null);
        if (!next) return;
        try {
          const message = await messaging.messages.send.call({
            conversationId,
            messageId: next.id,
            text: next.text,
            attachmentIds: next.attachments.map(({ id }) => id),
          });
          setHistory(conversationId, (before) => appended(before, [message]));
          const shown = (historyOf(conversationId)?.messages.at(-1)?.seq ?? 0) >= message.seq;
          if (!shown && !detached.has(conversationId)) await catchUp(conversationId);
          settle(conversationId, [message]);
          void renew(conversationId);
        } catch (error) {
          const again = !isRefusal(error);
          const failure = messageFailureText(error);
          // Offline, later messages would fail too; a refused message doesn't block them.
          setUnsent(conversationId, (all) =>
            all.map((one) =>
              one.id === next.id || (again && one.failure === null) ? { ...one, failure, again } : one,
            ),
          );
          if (again) return;
        }
      }
    } finally {
      sending.delete(conversationId);
    }
  };

  const retry = (conversationId: string, which: (one: Unsent) => boolean) => {
    setUnsent(conversationId, (all) => all.map((one) => (which(one) ? { ...one, failure: null } : one)));
    void flush(conversationId);
  };

  const loadLatest = async (conversationId: string) => {
    const found = await messaging.messages.list.call({ conversationId, limit: firstMessages });
    detached.delete(conversationId);
    queries.setQueryData<History>(keyOf(conversationId), found);
    settle(conversationId, found.messages);
    void catchUp(conversationId);
  };

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    unsentIn: (conversationId: string) => unsent.get(conversationId) ?? none,
    renew,
    show,

    changed(conversationId: string) {
      if (opened.has(conversationId)) void catchUp(conversationId);
    },

    send(conversationId: string, message: Pick<Unsent, 'id' | 'text' | 'attachments' | 'writtenAt'>) {
      setUnsent(conversationId, (all) => [...all, { ...message, failure: null, again: false }]);
      // Sent messages appear at the end, so load it.
      if (detached.has(conversationId)) loadLatest(conversationId).catch(() => undefined);
      void flush(conversationId);
    },
    retry: (conversationId: string, id: string) => retry(conversationId, (one) => one.id === id),
    discard: (conversationId: string, id: string) =>
      setUnsent(conversationId, (all) => all.filter((one) => one.id !== id)),

    /** Resends failed messages and fetches missed ones after a reconnect. */
    lineIsBack() {
      for (const [conversationId, all] of unsent)
        if (all.some(({ again }) => again)) retry(conversationId, ({ again }) => again);
      for (const conversationId of opened) void catchUp(conversationId);
    },

    /** Marks messages read up to `seq`: optimistically in the cache, then on the server. */
    async read(conversation: Conversation, seq: number) {
      const unread = seq >= conversation.lastSeq ? 0 : conversation.unread;
      show({ ...conversation, readSeq: Math.max(conversation.readSeq, seq), unread });
      const fewer = conversation.unread - unread;
      queries.setQueryData(
        unreadQuery(messaging).queryKey,
        (before) =>
          before && {
            messages: Math.max(0, before.messages - fewer),
            conversations: Math.max(0, before.conversations - (fewer > 0 ? 1 : 0)),
          },
      );
      show(await messaging.conversations.read.call({ conversationId: conversation.id, seq }));
      void queries.invalidateQueries({ queryKey: unreadQuery(messaging).queryKey });
    },

    isDetached: (conversationId: string) => detached.has(conversationId),
    async loadOlder(conversationId: string) {
      const before = historyOf(conversationId)?.messages[0]?.seq;
      if (before === undefined || before <= 1) return;
      const found = await messaging.messages.list.call({ conversationId, before, limit: older });
      setHistory(conversationId, (known) => prepended(known, found.messages));
    },
    async loadNewer(conversationId: string) {
      const after = historyOf(conversationId)?.messages.at(-1)?.seq;
      if (after === undefined) return;
      const found = await messaging.messages.list.call({ conversationId, after, limit: older });
      setHistory(conversationId, (known) => appended(known, found.messages));
      settle(conversationId, found.messages);
      if (!found.more) detached.delete(conversationId);
    },
    async loadAround(conversationId: string, seq: number) {
      const after = Math.max(0, seq - around / 2);
      const found = await messaging.messages.list.call({ conversationId, after, limit: around });
      if (found.more) detached.add(conversationId);
      else detached.delete(conversationId);
      queries.setQueryData<History>(keyOf(conversationId), found);
    },
    loadLatest,
    /** Marks a conversation as on screen until the returned cleanup runs. */
    enter(conversationId: string) {
      opened.add(conversationId);
      void catchUp(conversationId);
      return () => {
        opened.delete(conversationId);
        // Reset the history, so the conversation reopens fast at its latest message.
        if (detached.delete(conversationId)) queries.removeQueries({ queryKey: keyOf(conversationId) });
        else setHistory(conversationId, latest);
      };
    },
  };
}

/** Runs `work` once at a time per conversation; calls during a run trigger one more. Network errors are retried. */
function oneAtATime(work: (conversationId: string) => Promise<void>) {
  const busy = new Map<string, { again: boolean; done: Promise<void> }>();
  const run = (conversationId: string): Promise<void> => {
    const under = busy.get(conversationId);
    if (under) {
      under.again = true;
      return under.done;
    }
    const state = { again: false, done: Promise.resolve() };
    busy.set(conversationId, state);
    state.done = (async () => {
      try {
        do {
          state.again = false;
          await work(conversationId);
        } while (state.again);
      } catch (error) {
        // A refused request would fail again, so only retry network errors.
        if (!isRefusal(error)) setTimeout(() => void run(conversationId), patience);
      } finally {
        busy.delete(conversationId);
      }
    })();
    return state.done;
  };
  return run;
}
