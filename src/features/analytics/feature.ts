import { selfOf } from '#/features/access/rules.ts';
import { onReplica } from '#/platform/db/replica.ts';
import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { attentionOf } from './attention/queries.ts';
import { analyticsContract } from './contract.ts';
import { healthOf, type HealthConfig } from './health/queries.ts';
import { overview } from './overview/queries.ts';
import { ownAnalytics } from './own/queries.ts';
import { recentActivity } from './queries.ts';
import { reportAsCsv, reportAsPdf } from './report/commands.ts';
import { reportOf } from './report/queries.ts';
import { countSessions } from './sessions/commands.ts';
import { sumTallies } from './tallies/commands.ts';

export const analytics = defineFeature({
  handlers: (config: HealthConfig) => ({
    analytics: handle(analyticsContract, {
      overview: onReplica(overview),
      attention: attentionOf,
      activity: recentActivity,
      report: onReplica(reportOf),
      health: (ctx) => healthOf(ctx, config),
      own: (ctx) => ownAnalytics(ctx, selfOf(ctx)),
    }),
  }),
  downloads: [
    {
      path: '/analytics/report.csv',
      make: async (ctx, query) => ({
        filename: 'analytics.csv',
        contentType: 'text/csv; charset=utf-8',
        bytes: await reportAsCsv(ctx, query),
      }),
    },
    {
      path: '/analytics/report.pdf',
      make: async (ctx, query) => ({
        filename: 'analytics.pdf',
        contentType: 'application/pdf',
        bytes: await reportAsPdf(ctx, query),
      }),
    },
  ],
  schedules: () => [
    {
      name: 'figures',
      every: { minutes: 1 },
      run: async (ctx) => {
        await Promise.all([countSessions(ctx), sumTallies(ctx)]);
      },
    },
  ],
});
