import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { ownAnalytics } from './own/contract.ts';

export const analyticsContract = {
  /** What the administrator's dashboard counts: everybody with an account, and the specialists in the directory. */
  overview: procedure
    .meta({ access: ['view_analytics'] })
    .route({ method: 'GET', path: '/analytics/overview' })
    .output(z.object({ totalUsers: z.number().int(), activeProviders: z.number().int() })),
  /** A provider's own sessions, hours, no-shows and ratings over time. */
  own: procedure
    .meta({ access: ['view_own_analytics'] })
    .route({ method: 'GET', path: '/analytics/own' })
    .output(ownAnalytics),
};
