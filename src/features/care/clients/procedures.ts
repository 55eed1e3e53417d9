import { bind } from '#/platform/http/procedures.ts';
import { selfOf } from '#/features/access/rules.ts';
import { lookAt } from '../commands.ts';
import { clientsContract } from './contract.ts';
import { clientsOf, clientView, sessionsWith } from './queries.ts';

const os = bind(clientsContract);

export const clientsProcedures = os.router({
  list: os.list.handler(({ context, input }) => clientsOf(context, selfOf(context), input)),
  get: os.get.handler(async ({ context, input }) =>
    clientView(context, await lookAt(context, input.clientId, 'client')),
  ),
  sessions: os.sessions.handler(async ({ context, input }) =>
    sessionsWith(context, await lookAt(context, input.clientId, 'client'), input),
  ),
});
