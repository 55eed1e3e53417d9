import { z } from 'zod';

/** A file that a message brings. */
export const attachment = z.object({
  id: z.uuid(),
  name: z.string(),
  /** As its bytes show it to be. */
  contentType: z.string(),
  /** In bytes. */
  size: z.number().int(),
  /** Of a picture, as it is seen, in pixels. */
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  /** Of our own origin; opens for the two of the conversation. */
  path: z.string(),
});

export type Attachment = z.infer<typeof attachment>;

/** The largest one, in bytes. */
export const largestAttachment = 10 * 1024 * 1024;

/** What goes with the bytes of a new one. */
export const attachmentQuery = z.object({ conversationId: z.uuid(), name: z.string() });
