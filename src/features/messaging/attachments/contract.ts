import { z } from 'zod';
import { uuid } from '#/features/access/contract.ts';

export const attachment = z.object({
  id: uuid,
  name: z.string(),
  /** Detected from content. */
  contentType: z.string(),
  /** In bytes. */
  size: z.number().int(),
  /** Pixels, as displayed; images only. */
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  /** Opens only for the two participants. */
  path: z.string(),
});

export type Attachment = z.infer<typeof attachment>;

/** Query parameters of an upload. */
export const attachmentQuery = z.object({ conversationId: uuid, name: z.string() });
