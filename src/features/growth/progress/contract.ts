import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';

/** Days and months use the person's time zone. */
export const progressView = z.object({
  timeZone: z.string(),
  sessionsCompleted: z.number().int(),
  daysActive: z.number().int(),
  resourcesUsed: z.number().int(),
  goalsAchieved: z.number().int(),
  /** Twelve months, oldest first; `month` is `2026-03`. */
  months: z.array(z.object({ month: z.string(), sessions: z.number().int(), activeDays: z.number().int() })),
});

export type ProgressView = z.infer<typeof progressView>;

export const progressContract = {
  mine: procedure
    .meta({ access: 'signed_in' })
    .route({ method: 'GET', path: '/me/progress' })
    .output(progressView),
};
