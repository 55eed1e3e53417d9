import { z } from 'zod';

const tally = z.object({
  sessions: z.number().int(),
  hours: z.number(),
  noShows: z.number().int(),
  cancelled: z.number().int(),
  /** One decimal; null without approved reviews. */
  rating: z.number().nullable(),
  reviews: z.number().int(),
});

export const ownAnalytics = z.object({
  timeZone: z.string(),
  /** Twelve months, oldest first; `month` is `2026-03`. */
  months: z.array(tally.extend({ month: z.string() })),
  total: tally,
});

export type OwnAnalytics = z.infer<typeof ownAnalytics>;
export type Tally = z.infer<typeof tally>;
