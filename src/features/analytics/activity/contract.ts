import { z } from 'zod';

/** What was done last, the latest first: lines of the audit log. */
export const activityView = z.array(
  z.object({
    id: z.uuid(),
    at: z.iso.datetime(),
    actor: z.object({
      kind: z.enum(['person', 'guest', 'job', 'system']),
      /** A person's, or a job's; null for a person whose account is erased. */
      name: z.string().nullable(),
    }),
    /** Its closed name, such as `booking.booked`. */
    action: z.string(),
    success: z.boolean(),
  }),
);

export type ActivityView = z.infer<typeof activityView>;
