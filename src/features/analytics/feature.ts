import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { attentionOf } from './attention/queries.ts';
import { analyticsContract } from './contract.ts';
import { healthOf, type HealthConfig } from './health/queries.ts';
import { overview } from './overview/queries.ts';
import { ownAnalytics } from './own/queries.ts';
import { recentActivity } from './queries.ts';
import { reportAsCsv, reportAsPdf } from './report/commands.ts';
import { reportOf } from './report/queries.ts';
import { countSessions } from './sessions/commands.ts';

const os = bind(analyticsContract);

export const analytics = defineFeature({
  handlers: (config: HealthConfig) => ({
    analytics: os.router({
      overview: os.overview.handler(({ context }) => overview(context)),
      attention: os.attention.handler(({ context }) => attentionOf(context)),
      activity: os.activity.handler(({ context }) => recentActivity(context)),
      report: os.report.handler(({ context, input }) => reportOf(context, input)),
      health: os.health.handler(({ context }) => healthOf(context, config)),
      own: os.own.handler(({ context }) => ownAnalytics(context, selfOf(context))),
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
  schedules: () => [{ name: 'figures', every: { minutes: 1 }, run: countSessions }],
});
