import type { Conversation, Message } from '../contract.ts';
import { firstMessages, type ConversationPages } from './messaging-queries.ts';

/** Loaded messages, in order and without gaps. */
export interface History {
  messages: Message[];
  /** From the first page only; compare `seq` instead. */
  more: boolean;
}

/** Appends new messages, skipping duplicates and any that would leave a gap. */
export function appended(history: History, found: readonly Message[]): History {
  const messages = [...history.messages];
  for (const one of found) if (one.seq === (messages.at(-1)?.seq ?? 0) + 1) messages.push(one);
  return messages.length === history.messages.length ? history : { ...history, messages };
}

export function prepended(history: History, found: readonly Message[]): History {
  const first = history.messages[0]?.seq ?? 0;
  const earlier = found.filter(({ seq }) => seq < first);
  return earlier.length === 0 || earlier.at(-1)?.seq !== first - 1
    ? history
    : { ...history, messages: [...earlier, ...history.messages] };
}

export function latest(history: History): History {
  const messages = history.messages.slice(-firstMessages);
  return messages.length === history.messages.length ? history : { messages, more: true };
}

/** Rendered or skipped together, by `seq` / `blockSize`. */
export interface Block {
  key: number;
  messages: readonly Message[];
}

const blockSize = 25;

/** Groups messages into blocks, reusing unchanged block objects so `memo` skips them. */
export function blocksOf(messages: readonly Message[], before: readonly Block[]): Block[] {
  const known = new Map(before.map((block) => [block.key, block]));
  const blocks: Block[] = [];
  for (let from = 0; from < messages.length;) {
    const key = Math.floor(messages[from]!.seq / blockSize);
    let to = from + 1;
    while (to < messages.length && Math.floor(messages[to]!.seq / blockSize) === key) to += 1;
    const old = known.get(key);
    const same =
      old?.messages.length === to - from &&
      old.messages[0] === messages[from] &&
      old.messages.at(-1) === messages[to - 1];
    blocks.push(same ? old : { key, messages: messages.slice(from, to) });
    from = to;
  }
  return blocks;
}

/**
 * Moves a conversation to its sorted position in the cached pages, or drops it if it belongs beyond the loaded ones.
 */
export function placed(data: ConversationPages, conversation: Conversation): ConversationPages {
  const pages = data.pages.map((page) => ({
    ...page,
    conversations: page.conversations.filter(({ id }) => id !== conversation.id),
  }));
  for (const page of pages) {
    const at = page.conversations.findIndex((one) => isNewer(conversation, one));
    if (at < 0) continue;
    page.conversations.splice(at, 0, conversation);
    return { ...data, pages };
  }
  const end = pages.at(-1);
  if (end && !end.more) end.conversations.push(conversation);
  return { ...data, pages };
}

function isNewer(one: Conversation, other: Conversation): boolean {
  if (one.last.sentAt === other.last.sentAt) return one.id > other.id;
  return one.last.sentAt > other.last.sentAt;
}
