import { z } from 'zod';

/** Null uses the site's terms. */
export const ownTerms = z.object({
  /** Minutes: 30, 60, 90 or a service's own length. */
  sessionLengths: z.array(z.number().int().min(15).max(240)).min(1).max(10).nullable(),
  bufferMinutes: z.number().int().min(0).max(120).nullable(),
  noticeHours: z.number().int().min(0).max(720).nullable(),
  dailyMaximum: z.number().int().min(1).max(100).nullable(),
});

export type OwnTerms = z.infer<typeof ownTerms>;
