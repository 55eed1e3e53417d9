import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { attentionView } from './attention/contract.ts';
import { healthView } from './health/contract.ts';
import { overviewView } from './overview/contract.ts';
import { ownAnalytics } from './own/contract.ts';
import { reportRange, reportView } from './report/contract.ts';

/** Newest first. */
const activityView = z.array(
  z.object({
    id: z.uuid(),
    at: z.iso.datetime(),
    actor: z.object({
      kind: z.enum(['person', 'guest', 'job', 'system']),
      /** Null for erased accounts. */
      name: z.string().nullable(),
    }),
    action: z.string(),
    success: z.boolean(),
  }),
);

export type ActivityView = z.infer<typeof activityView>;

export const analyticsContract = {
  overview: procedure
    .meta({ access: ['view_analytics'] })
    .route({ method: 'GET', path: '/analytics/overview' })
    .output(overviewView),
  attention: procedure
    .meta({ access: ['access_admin_panel'] })
    .route({ method: 'GET', path: '/analytics/attention' })
    .output(attentionView),
  activity: procedure
    .meta({ access: ['view_analytics'] })
    .route({ method: 'GET', path: '/analytics/activity' })
    .output(activityView),
  report: procedure
    .meta({ access: ['view_analytics'], example: () => ({ from: '2026-01-01', to: '2026-03-01' }) })
    .route({ method: 'GET', path: '/analytics/report' })
    .input(reportRange)
    .output(reportView),
  health: procedure
    .meta({ access: ['view_analytics'] })
    .route({ method: 'GET', path: '/analytics/health' })
    .output(healthView),
  own: procedure
    .meta({ access: ['view_own_analytics'] })
    .route({ method: 'GET', path: '/analytics/own' })
    .output(ownAnalytics),
};
