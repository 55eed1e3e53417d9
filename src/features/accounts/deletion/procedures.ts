import { bind } from '#/platform/http/procedures.ts';
import { keepAccount, requestDeletion } from './commands.ts';
import { deletionContract } from './contract.ts';

const procedures = bind(deletionContract);

export function deletionProcedures({ adminEmails }: { adminEmails: readonly string[] }) {
  return {
    request: procedures.request.handler(({ context, input }) => requestDeletion(context, adminEmails, input)),
    keep: procedures.keep.handler(({ context }) => keepAccount(context)),
  };
}
