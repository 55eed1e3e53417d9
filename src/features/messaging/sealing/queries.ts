import { sealedColumn as column } from '#/platform/crypto/sealed-column.ts';

/** Every column of messaging whose texts are sealed; what they are bound to stands here alone. */
export const sealed = {
  subject: column('conversations', 'subject'),
  text: column('messages', 'text'),
  draft: column('message_drafts', 'text'),
} as const;
