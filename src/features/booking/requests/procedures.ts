import { bind } from '#/platform/http/procedures.ts';
import { askForTime, confirmRequest } from './commands.ts';
import { requestsContract } from './contract.ts';
import { readRequest } from './queries.ts';

const os = bind(requestsContract);

export function requestsProcedures({ rateLimitFactor }: { rateLimitFactor: number }) {
  return os.router({
    ask: os.ask.handler(({ context, input }) => askForTime(context, input, rateLimitFactor)),
    read: os.read.handler(({ context, input }) => readRequest(context, input.token)),
    confirm: os.confirm.handler(({ context, input }) => confirmRequest(context, input)),
  });
}
