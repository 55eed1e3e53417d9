import { bind } from '#/platform/http/procedures.ts';
import { practiceOf } from '../queries.ts';
import { approveCredential, rejectCredential, submitCredential, withdrawCredential } from './commands.ts';
import { credentialsContract } from './contract.ts';
import { ownCredentials, waitingCredentialCount, waitingCredentials } from './queries.ts';

const os = bind(credentialsContract);

export const credentialsProcedures = os.router({
  mine: os.mine.handler(async ({ context }) => ownCredentials(context, await practiceOf(context))),
  submit: os.submit.handler(({ context, input }) => submitCredential(context, input)),
  withdraw: os.withdraw.handler(({ context, input }) => withdrawCredential(context, input.credentialId)),
  waitingCount: os.waitingCount.handler(({ context }) => waitingCredentialCount(context)),
  waiting: os.waiting.handler(({ context, input }) => waitingCredentials(context, input)),
  approve: os.approve.handler(({ context, input }) => approveCredential(context, input.credentialId)),
  reject: os.reject.handler(({ context, input }) =>
    rejectCredential(context, input.credentialId, input.reason),
  ),
});
