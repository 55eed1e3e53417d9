import { z } from 'zod';

const date = z.iso.date().regex(/^2\d/);

/** Inclusive, in the site's time zone; defaults to six months. */
export const reportRange = z.object({ from: date.optional(), to: date.optional() });

export const reportView = z.object({
  timeZone: z.string(),
  today: z.iso.date(),
  from: z.iso.date(),
  to: z.iso.date(),
  /** Oldest first; edges may be partial months. */
  months: z.array(
    z.object({
      /** `YYYY-MM`. */
      month: z.string(),
      /** Confirmed or completed sessions that have started. */
      sessions: z.number().int(),
      /** At the month's end, or now. */
      users: z.number().int(),
    }),
  ),
  sessions: z.number().int(),
  /**
   * Booked share of listed providers' weekly hours; canceled appointments don't count. Uses today's hours without date
   * overrides, from each provider's join date.
   */
  utilisation: z.object({
    percent: z.number().int().nullable(),
    bookedMinutes: z.number().int(),
    offeredMinutes: z.number().int(),
  }),
  /** Mean to one decimal; satisfied means 4 or 5 stars. */
  ratings: z.object({
    mean: z.number().nullable(),
    satisfied: z.number().int().nullable(),
    count: z.number().int(),
  }),
  /** Whole minutes. */
  sessionMinutes: z.number().int().nullable(),
});

export type ReportView = z.infer<typeof reportView>;
