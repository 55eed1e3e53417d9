import { z } from 'zod';

const date = z.iso.date().regex(/^2\d/);

/** The days of a report, both counted in, by the site's time zone; without them, the last six months with this one. */
export const reportRange = z.object({ from: date.optional(), to: date.optional() });

/** What the place came to from one day to another. */
export const reportView = z.object({
  timeZone: z.string(),
  /** The site's day now. */
  today: z.iso.date(),
  from: z.iso.date(),
  to: z.iso.date(),
  /** Oldest first; the first and the last one may be parts of months. */
  months: z.array(
    z.object({
      /** `YYYY-MM`. */
      month: z.string(),
      /** Confirmed or completed ones that have begun. */
      sessions: z.number().int(),
      /** Everybody with an account, at its end or now. */
      users: z.number().int(),
    }),
  ),
  sessions: z.number().int(),
  /**
   * Of the minutes that the weekly hours of listed specialists offer in the range, those that are or were booked by
   * appointments that nobody cancelled, in percent. The hours are today's, without single days off, and count for
   * each specialist from the day on which they came. Null where nothing is offered.
   */
  utilisation: z.object({
    percent: z.number().int().nullable(),
    bookedMinutes: z.number().int(),
    offeredMinutes: z.number().int(),
  }),
  /** Of the approved reviews that were written in the range: their mean to one decimal, and the share of 4 and 5 in percent. */
  ratings: z.object({
    mean: z.number().nullable(),
    satisfied: z.number().int().nullable(),
    count: z.number().int(),
  }),
  /** Mean length of the sessions in whole minutes; null without any. */
  sessionMinutes: z.number().int().nullable(),
});

export type ReportView = z.infer<typeof reportView>;
