import { bind } from '#/platform/http/procedures.ts';
import { selfOf } from '#/features/access/rules.ts';
import { analyticsContract } from './contract.ts';
import { ownAnalytics } from './own/queries.ts';
import { overview } from './queries.ts';

const os = bind(analyticsContract);

/** The administrator's figures, and a provider's own. */
export const analyticsProcedures = os.router({
  overview: os.overview.handler(({ context }) => overview(context)),
  own: os.own.handler(({ context }) => ownAnalytics(context, selfOf(context))),
});
