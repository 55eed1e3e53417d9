import { bind } from '#/platform/http/procedures.ts';
import { cancelSeries, rescheduleSeries } from './commands.ts';
import { seriesContract } from './contract.ts';
import { checkMove, sessionsAhead } from './queries.ts';

const os = bind(seriesContract);

export const seriesProcedures = os.router({
  ahead: os.ahead.handler(({ context, input }) => sessionsAhead(context, input.appointmentId)),
  check: os.check.handler(({ context, input }) => checkMove(context, input)),
  cancel: os.cancel.handler(({ context, input }) => cancelSeries(context, input)),
  reschedule: os.reschedule.handler(({ context, input }) => rescheduleSeries(context, input)),
});
