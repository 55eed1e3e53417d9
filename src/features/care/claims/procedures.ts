import { bind } from '#/platform/http/procedures.ts';
import { acceptClaim, declineClaim } from './commands.ts';
import { claimsContract } from './contract.ts';
import { readClaim } from './queries.ts';

const os = bind(claimsContract);

export const claimsProcedures = os.router({
  read: os.read.handler(({ context, input }) => readClaim(context, input.token)),
  accept: os.accept.handler(({ context, input }) => acceptClaim(context, input.token)),
  decline: os.decline.handler(({ context, input }) => declineClaim(context, input.token)),
});
