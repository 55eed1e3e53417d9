import type { QueryClient } from '@tanstack/react-query';
import { AppError } from '#/kernel/errors.ts';
import type { Attachment } from '../attachments/contract.ts';
import type { Conversation, Message } from '../contract.ts';
import { failureText } from './failure-text.ts';
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

/** A message that the server hasn't said it has. */
export interface Unsent {
  /** The one under which it is sent, however often. */
  id: string;
  text: string;
  attachments: readonly Attachment[];
  writtenAt: string;
  /** Why it wasn't sent; null while it is on its way. */
  failure: string | null;
  /** Whether it goes by itself once the line is back. */
  again: boolean;
}

/** How many messages are asked for at once, before and after those that are loaded. */
const older = 100;
const newer = 200;
/** How many messages are loaded around one that is looked up. */
const around = 50;
/** How long a catching-up that failed waits until it tries again, in milliseconds. */
const patience = 5_000;

/** What one browser keeps of a person's conversations beside the queries: what is on its way, and how far it has caught up. */
export type MessageKeeper = ReturnType<typeof createKeeper>;

const keepers = new WeakMap<QueryClient, MessageKeeper>();

/** The keeper that belongs to the person whose queries these are. */
export function keeperOf(queries: QueryClient, messaging: Messaging): MessageKeeper {
  const known = keepers.get(queries) ?? createKeeper(queries, messaging);
  keepers.set(queries, known);
  return known;
}

function createKeeper(queries: QueryClient, messaging: Messaging) {
  const unsent = new Map<string, readonly Unsent[]>();
  const listeners = new Set<() => void>();
  const sending = new Set<string>();
  /** Conversations that are on the screen. */
  const opened = new Set<string>();
  /** Conversations that show a part of their history which doesn't reach to its end. */
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

  /** What has arrived is no longer on its way. */
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

  /** Shows a conversation as it is now, wherever it is shown. */
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

  /** Sends what waits in a conversation, one after the other, so that it arrives as it was written. */
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
          const again = !(error instanceof AppError);
          const failure = failureText(error);
          // Without a line the next one wouldn't get further; what was refused doesn't hold up the others.
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

    /** Something was written in a conversation. */
    changed(conversationId: string) {
      if (opened.has(conversationId)) void catchUp(conversationId);
    },

    send(conversationId: string, message: Pick<Unsent, 'id' | 'text' | 'attachments' | 'writtenAt'>) {
      setUnsent(conversationId, (all) => [...all, { ...message, failure: null, again: false }]);
      // What one has just written stands at the end of all.
      if (detached.has(conversationId)) loadLatest(conversationId).catch(() => undefined);
      void flush(conversationId);
    },
    retry: (conversationId: string, id: string) => retry(conversationId, (one) => one.id === id),
    discard: (conversationId: string, id: string) =>
      setUnsent(conversationId, (all) => all.filter((one) => one.id !== id)),

    /** After the line was down: what couldn't go goes, and what came meanwhile is fetched. */
    lineIsBack() {
      for (const [conversationId, all] of unsent)
        if (all.some(({ again }) => again)) retry(conversationId, ({ again }) => again);
      for (const conversationId of opened) void catchUp(conversationId);
    },

    /** One has read up to a message: shown at once, and told to the server. */
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

    /** Whether what is loaded of a history is a part that doesn't reach to its end. */
    isDetached: (conversationId: string) => detached.has(conversationId),
    async loadOlder(conversationId: string) {
      const before = historyOf(conversationId)?.messages[0]?.seq;
      if (before === undefined || before <= 1) return;
      const found = await messaging.messages.list.call({ conversationId, before, limit: older });
      setHistory(conversationId, (known) => prepended(known, found.messages));
    },
    /** Goes on towards the end from a part that doesn't reach to it. */
    async loadNewer(conversationId: string) {
      const after = historyOf(conversationId)?.messages.at(-1)?.seq;
      if (after === undefined) return;
      const found = await messaging.messages.list.call({ conversationId, after, limit: older });
      setHistory(conversationId, (known) => appended(known, found.messages));
      settle(conversationId, found.messages);
      if (!found.more) detached.delete(conversationId);
    },
    /** Shows the part of the history around a message. */
    async loadAround(conversationId: string, seq: number) {
      const after = Math.max(0, seq - around / 2);
      const found = await messaging.messages.list.call({ conversationId, after, limit: around });
      if (found.more) detached.add(conversationId);
      else detached.delete(conversationId);
      queries.setQueryData<History>(keyOf(conversationId), found);
    },
    loadLatest,
    /** A conversation is on the screen, from now until what this gives is called. */
    enter(conversationId: string) {
      opened.add(conversationId);
      void catchUp(conversationId);
      return () => {
        opened.delete(conversationId);
        // It opens at its end again, as fast as before.
        if (detached.delete(conversationId)) queries.removeQueries({ queryKey: keyOf(conversationId) });
        else setHistory(conversationId, latest);
      };
    },
  };
}

/** Does something for a conversation once at a time; asked for meanwhile, it is done once more. What fails is tried again. */
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
        // What is refused would be refused again; without a line, its return asks anew.
        if (!(error instanceof AppError)) setTimeout(() => void run(conversationId), patience);
      } finally {
        busy.delete(conversationId);
      }
    })();
    return state.done;
  };
  return run;
}
