import { bind } from '#/platform/http/procedures.ts';
import { changeFlags, setFlagScope, turnFlag, type FindPeople } from './commands.ts';
import { flagsContract } from './contract.ts';
import { flagViews } from './queries.ts';

const os = bind(flagsContract);

export const flagsProcedures = (findPeople: FindPeople) =>
  os.router({
    list: os.list.handler(({ context }) => flagViews(context)),
    turn: os.turn.handler(({ context, input }) => turnFlag(context, input)),
    setScope: os.setScope.handler(({ context, input }) => setFlagScope(context, input, findPeople)),
    changeMany: os.changeMany.handler(({ context, input }) => changeFlags(context, input)),
  });
