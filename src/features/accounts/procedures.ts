import { bind } from '#/platform/http/procedures.ts';
import { updatePreferences } from './commands.ts';
import { accountsContract } from './contract.ts';
import { viewerOf } from './queries.ts';

const procedures = bind(accountsContract);

export const accountsProcedures = {
  me: procedures.me.handler(({ context }) => viewerOf(context)),
  updatePreferences: procedures.updatePreferences.handler(({ context, input }) =>
    updatePreferences(context, input),
  ),
};
