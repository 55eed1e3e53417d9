import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';

/** What a person has done so far, and by month; days and months are those of their own zone. */
export const progressView = z.object({
  timeZone: z.string(),
  sessionsCompleted: z.number().int(),
  daysActive: z.number().int(),
  resourcesUsed: z.number().int(),
  goalsAchieved: z.number().int(),
  /** The last twelve, this one last; `month` is `YYYY-MM`. */
  months: z.array(z.object({ month: z.string(), sessions: z.number().int(), activeDays: z.number().int() })),
});

export type ProgressView = z.infer<typeof progressView>;

export const progressContract = {
  mine: procedure
    .meta({ access: 'signed_in' })
    .route({ method: 'GET', path: '/me/progress' })
    .output(progressView),
};
