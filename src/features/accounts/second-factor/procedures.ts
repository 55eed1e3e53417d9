import { bind } from '#/platform/http/procedures.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  ownSecondFactor,
  removeSecondFactor,
  renewBackupCodes,
  resetSecondFactor,
} from './commands.ts';
import { secondFactorContract } from './contract.ts';
import { coverageOf } from './queries.ts';

const procedures = bind(secondFactorContract);

export const secondFactorProcedures = procedures.router({
  coverage: procedures.coverage.handler(({ context }) => coverageOf(context)),
  get: procedures.get.handler(({ context }) => ownSecondFactor(context)),
  begin: procedures.begin.handler(({ context, input }) => beginSecondFactor(context, input)),
  confirm: procedures.confirm.handler(({ context, input }) => confirmSecondFactor(context, input)),
  renewCodes: procedures.renewCodes.handler(({ context, input }) => renewBackupCodes(context, input)),
  remove: procedures.remove.handler(({ context, input }) => removeSecondFactor(context, input)),
  reset: procedures.reset.handler(({ context, input }) => resetSecondFactor(context, input)),
});
