import { m } from '#/texts/messages.js';
import type { Conversation, Counterpart } from '../contract.ts';

/** The other one's name, or that there is none any more. */
export function counterpartName({ name, erased }: Pick<Counterpart, 'name' | 'erased'>): string {
  return erased ? m.messaging_erased() : name;
}

/** The beginning of the last message, and whose it is where it is one's own. */
export function previewText({ mine, text, attachments }: Conversation['last']): string {
  // Messages may have several lines; a row has one.
  const words = text === '' ? filesText(attachments) : text.replaceAll(/\s+/g, ' ');
  return mine ? m.messaging_row_mine({ text: words }) : words;
}

function filesText(count: number): string {
  return count === 1 ? m.messaging_row_files_one() : m.messaging_row_files({ count });
}

/** How many messages wait, in words. */
export function unreadText(count: number): string {
  return count === 1 ? m.messaging_row_unread_one() : m.messaging_row_unread({ count });
}
