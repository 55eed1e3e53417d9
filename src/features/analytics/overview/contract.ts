import { z } from 'zod';

/** Now and at the end of last month, by site time zone. */
const compared = z.object({ now: z.number().int(), before: z.number().int() });

export const overviewView = z.object({
  totalUsers: compared,
  /** Providers listed in the directory. */
  activeProviders: compared,
  pendingApprovals: compared,
  /** Confirmed or completed, started this month. `before` counts last month up to the same day and time, or its end. */
  activeSessions: compared.extend({ running: z.number().int() }),
});

export type OverviewView = z.infer<typeof overviewView>;
