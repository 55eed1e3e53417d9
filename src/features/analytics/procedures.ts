import { bind } from '#/platform/http/procedures.ts';
import { analyticsContract } from './contract.ts';
import { overview } from './queries.ts';

const os = bind(analyticsContract);

/** The administrator's figures. */
export const analyticsProcedures = os.router({
  overview: os.overview.handler(({ context }) => overview(context)),
});
