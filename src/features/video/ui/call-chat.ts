/** In-memory chat message, never stored. */
export interface ChatMessage {
  id: number;
  /** Null for own messages. */
  name: string | null;
  text: string;
}

const maxMessages = 500;

/** Drops the oldest beyond the limit. */
export function appendMessage(
  chat: readonly ChatMessage[],
  message: Omit<ChatMessage, 'id'>,
): readonly ChatMessage[] {
  const id = (chat.at(-1)?.id ?? 0) + 1;
  return [...chat, { id, ...message }].slice(-maxMessages);
}
