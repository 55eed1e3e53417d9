import type { Upload } from '#/platform/http/uploads.ts';
import { uploadAttachment } from './commands.ts';
import { largestAttachment } from './contract.ts';

export const attachmentUploads: readonly Upload[] = [
  { path: '/conversations/attachments', maxBytes: largestAttachment, receive: uploadAttachment },
];
