import { z } from 'zod';

/** A figure now and as it was at the end of last month, by the site's time zone. */
const compared = z.object({ now: z.number().int(), before: z.number().int() });

/** What the place comes to today. */
export const overviewView = z.object({
  /** Everybody with an account that wasn't erased. */
  totalUsers: compared,
  /** Specialists who stand in the directory. */
  activeProviders: compared,
  /** Applications that wait for a decision. */
  pendingApprovals: compared,
  /**
   * Sessions that have begun this month, confirmed or completed; `before` counts last month's up to the same day and
   * time, or to its end where it is shorter. `running` is how many of them are under way now.
   */
  activeSessions: compared.extend({ running: z.number().int() }),
});

export type OverviewView = z.infer<typeof overviewView>;
