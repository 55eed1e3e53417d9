import type { Upload } from '#/platform/http/uploads.ts';
import { uploadAttachment } from './commands.ts';
import { largestAttachment } from './contract.ts';

/** A new file for the conversation of the query's `conversationId`, under its `name`. */
export const attachmentUploads: readonly Upload[] = [
  { path: '/conversations/attachments', maxBytes: largestAttachment, receive: uploadAttachment },
];
