import type { Attachment } from '../attachments/contract.ts';

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

export type UnsentMessages = ReturnType<typeof createUnsentMessages>;

const none: readonly Unsent[] = [];

/** By conversation, in the order of writing. */
export function createUnsentMessages() {
  const unsent = new Map<string, readonly Unsent[]>();
  const listeners = new Set<() => void>();

  const update = (conversationId: string, change: (before: readonly Unsent[]) => readonly Unsent[]) => {
    unsent.set(conversationId, change(unsent.get(conversationId) ?? none));
    for (const listener of listeners) listener();
  };

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    list: (conversationId: string) => unsent.get(conversationId) ?? none,
    conversations: () => [...unsent],
    update,
    /** Removes messages that arrived. */
    confirm(conversationId: string, sent: readonly { id: string }[]) {
      const ids = new Set(sent.map(({ id }) => id));
      if (unsent.get(conversationId)?.some(({ id }) => ids.has(id)))
        update(conversationId, (all) => all.filter(({ id }) => !ids.has(id)));
    },
  };
}

/**
 * Marks a message as failed. Offline (`again`), later messages would fail too; a refused message doesn't block them.
 */
export function withFailure(
  all: readonly Unsent[],
  id: string,
  failure: string,
  again: boolean,
): readonly Unsent[] {
  return all.map((one) =>
    one.id === id || (again && one.failure === null) ? { ...one, failure, again } : one,
  );
}
