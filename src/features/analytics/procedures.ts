import { bind } from '#/platform/http/procedures.ts';
import { selfOf } from '#/features/access/rules.ts';
import { recentActivity } from './activity/queries.ts';
import { analyticsContract } from './contract.ts';
import { healthOf, type HealthConfig } from './health/queries.ts';
import { overview } from './overview/queries.ts';
import { ownAnalytics } from './own/queries.ts';
import { reportOf } from './report/queries.ts';

const os = bind(analyticsContract);

export const analyticsProcedures = (config: HealthConfig) =>
  os.router({
    overview: os.overview.handler(({ context }) => overview(context)),
    activity: os.activity.handler(({ context }) => recentActivity(context)),
    report: os.report.handler(({ context, input }) => reportOf(context, input)),
    health: os.health.handler(({ context }) => healthOf(context, config)),
    own: os.own.handler(({ context }) => ownAnalytics(context, selfOf(context))),
  });
