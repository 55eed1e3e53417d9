import type { Conversation, Message } from '../contract.ts';
import { firstMessages, type ConversationPages } from './messaging-queries.ts';

/** The messages of a conversation that are loaded: in their order, without a gap. */
export interface History {
  messages: Message[];
  /** Of the first page that was asked for; `seq` says it better. */
  more: boolean;
}

/** With what came after it; what is known already, or would leave a gap, is left out. */
export function appended(history: History, found: readonly Message[]): History {
  const messages = [...history.messages];
  for (const one of found) if (one.seq === (messages.at(-1)?.seq ?? 0) + 1) messages.push(one);
  return messages.length === history.messages.length ? history : { ...history, messages };
}

/** With what came before it. */
export function prepended(history: History, found: readonly Message[]): History {
  const first = history.messages[0]?.seq ?? 0;
  const earlier = found.filter(({ seq }) => seq < first);
  return earlier.length === 0 || earlier.at(-1)?.seq !== first - 1
    ? history
    : { ...history, messages: [...earlier, ...history.messages] };
}

/** The end of it, as it opens. */
export function latest(history: History): History {
  const messages = history.messages.slice(-firstMessages);
  return messages.length === history.messages.length ? history : { messages, more: true };
}

/** The messages that are drawn or left out together: those whose numbers have the same quotient. */
export interface Block {
  key: number;
  messages: readonly Message[];
}

/** How many messages are drawn or left out together. */
const blockSize = 25;

/** The messages in blocks; a block that hasn't changed is the one it was, so that it isn't drawn anew. */
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

/** The pages of conversations with one as it is now, in its place; one that belongs further back than they reach isn't in them. */
export function placed(data: ConversationPages, conversation: Conversation): ConversationPages {
  const pages = data.pages.map((page) => ({
    ...page,
    conversations: page.conversations.filter(({ id }) => id !== conversation.id),
  }));
  for (const page of pages) {
    const at = page.conversations.findIndex((one) => comesFirst(conversation, one));
    if (at < 0) continue;
    page.conversations.splice(at, 0, conversation);
    return { ...data, pages };
  }
  const end = pages.at(-1);
  if (end && !end.more) end.conversations.push(conversation);
  return { ...data, pages };
}

function comesFirst(one: Conversation, other: Conversation): boolean {
  if (one.last.sentAt === other.last.sentAt) return one.id > other.id;
  return one.last.sentAt > other.last.sentAt;
}
