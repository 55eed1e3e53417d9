import { z } from 'zod';

/** Newest first. */
export const activityView = z.array(
  z.object({
    id: z.uuid(),
    at: z.iso.datetime(),
    actor: z.object({
      kind: z.enum(['person', 'guest', 'job', 'system']),
      /** Null for erased accounts. */
      name: z.string().nullable(),
    }),
    action: z.string(),
    success: z.boolean(),
  }),
);

export type ActivityView = z.infer<typeof activityView>;
