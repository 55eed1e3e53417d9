import { sealedColumn as column } from '#/platform/sealed-column.ts';

/** Messaging's encrypted columns. Ciphertexts are bound to the names declared here. */
export const sealed = {
  subject: column('conversations', 'subject'),
  text: column('messages', 'text'),
  draft: column('message_drafts', 'text'),
} as const;
