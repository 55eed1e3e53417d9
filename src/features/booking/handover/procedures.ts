import { bind } from '#/platform/http/procedures.ts';
import { lookAtHandover, restoreApproval, revokeApproval } from './commands.ts';
import { handoverContract } from './contract.ts';

const os = bind(handoverContract);

/** What administrators do with a specialist's approval and the sessions that they still have. */
export const handoverProcedures = os.router({
  sessions: os.sessions.handler(({ context, input }) => lookAtHandover(context, input.providerId)),
  revoke: os.revoke.handler(({ context, input }) => revokeApproval(context, input)),
  restore: os.restore.handler(({ context, input }) => restoreApproval(context, input.providerId)),
});
