import type { Selectable } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { sealedColumn as column } from '#/platform/sealed-column.ts';
import type { ContactMessagesTable } from '../tables.ts';

/** All encrypted contact columns. Only place defining their binding. */
export const sealed = {
  name: column('contact_messages', 'sealed_name'),
  subject: column('contact_messages', 'sealed_subject'),
  message: column('contact_messages', 'sealed_message'),
  note: column('contact_messages', 'sealed_note'),
} as const;

export const writtenColumns = [
  'id',
  'name',
  'sealed_name',
  'email',
  'subject',
  'sealed_subject',
  'message',
  'sealed_message',
] as const;

type WrittenRow = Pick<Selectable<ContactMessagesTable>, (typeof writtenColumns)[number]>;

export function writtenIn({ keyring }: Pick<Ctx, 'keyring'>, row: WrittenRow) {
  const { id, email } = row;
  return {
    name: sealed.name.openOrClear(keyring, id, row.sealed_name, row.name) ?? '',
    email,
    subject: sealed.subject.openOrClear(keyring, id, row.sealed_subject, row.subject) ?? '',
    message: sealed.message.openOrClear(keyring, id, row.sealed_message, row.message) ?? '',
  };
}

export function noteIn(
  { keyring }: Pick<Ctx, 'keyring'>,
  { id, note, sealed_note }: Pick<Selectable<ContactMessagesTable>, 'id' | 'note' | 'sealed_note'>,
): string {
  return sealed.note.openOrClear(keyring, id, sealed_note, note) ?? '';
}
