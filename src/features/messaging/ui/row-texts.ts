import { m } from '#/texts/messages.js';
import type { Conversation, Counterpart } from '../contract.ts';

export function counterpartName({ name, erased }: Pick<Counterpart, 'name' | 'erased'>): string {
  return erased ? m.web_erased_account() : name;
}

export function previewText({ mine, text, attachments }: Conversation['last']): string {
  // Messages may span lines; rows don't.
  const words = text === '' ? m.messaging_row_files({ count: attachments }) : text.replaceAll(/\s+/g, ' ');
  return mine ? m.messaging_row_mine({ text: words }) : words;
}

export function unreadText(count: number): string {
  return m.messaging_row_unread({ count });
}
