import { bind } from '#/platform/http/procedures.ts';
import { reauthenticate } from './commands.ts';
import { reauthenticationContract } from './contract.ts';

const procedures = bind(reauthenticationContract);

export const reauthenticationProcedures = procedures.router({
  confirm: procedures.confirm.handler(({ context, input }) => reauthenticate(context, input)),
});
