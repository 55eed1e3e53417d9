import { appended, latest, prepended } from './history.ts';
import type { MessageCache } from './message-cache.ts';
import { firstMessages, type Messaging } from './messaging-queries.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { UnsentMessages } from './unsent-messages.ts';

/** Number of messages per request. */
const pageSize = 100;
const catchUpSize = 200;
const aroundSize = 50;

export type HistoryLoader = ReturnType<typeof createHistoryLoader>;

/** Loads conversations' histories, and keeps those on screen up to date. */
export function createHistoryLoader(messaging: Messaging, cache: MessageCache, unsent: UnsentMessages) {
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
