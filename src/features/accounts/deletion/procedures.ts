import { bind } from '#/platform/http/procedures.ts';
import { keepAccount, requestDeletion } from './commands.ts';
import { deletionContract } from './contract.ts';

const procedures = bind(deletionContract);

export const deletionProcedures = {
  request: procedures.request.handler(({ context, input }) => requestDeletion(context, input)),
  keep: procedures.keep.handler(({ context }) => keepAccount(context)),
};
