import { bind } from '#/platform/http/procedures.ts';
import { lookAtHandover, restoreApproval, revokeApproval } from './commands.ts';
import { handoverContract } from './contract.ts';

const os = bind(handoverContract);

export const handoverProcedures = os.router({
  sessions: os.sessions.handler(({ context, input }) => lookAtHandover(context, input.providerId)),
  revoke: os.revoke.handler(({ context, input }) => revokeApproval(context, input)),
  restore: os.restore.handler(({ context, input }) => restoreApproval(context, input.providerId)),
});
