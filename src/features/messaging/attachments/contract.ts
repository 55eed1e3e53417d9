import { z } from 'zod';

/** A file that a message brings. */
export const attachment = z.object({
  id: z.uuid(),
  name: z.string(),
  /** As its bytes show it to be. */
  contentType: z.string(),
  /** In bytes. */
  size: z.number().int(),
  /** Of our own origin; opens for the two of the conversation. */
  path: z.string(),
});

export type Attachment = z.infer<typeof attachment>;

/** The largest one, in bytes. */
export const largestAttachment = 10 * 1024 * 1024;
