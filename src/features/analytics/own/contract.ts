import { z } from 'zod';

/** What a provider's sessions came to in a span of time. */
const tally = z.object({
  /** Sessions that took place. */
  sessions: z.number().int(),
  /** Hours of those. */
  hours: z.number(),
  noShows: z.number().int(),
  cancelled: z.number().int(),
  /** Mean of the approved reviews, to one decimal; null without any. */
  rating: z.number().nullable(),
  reviews: z.number().int(),
});

/** A provider's own figures by month of their own zone. */
export const ownAnalytics = z.object({
  timeZone: z.string(),
  /** The last twelve, this one last; `month` is `YYYY-MM`. */
  months: z.array(tally.extend({ month: z.string() })),
  /** All of them together. */
  total: tally,
});

export type OwnAnalytics = z.infer<typeof ownAnalytics>;
export type Tally = z.infer<typeof tally>;
