import { bind } from '#/platform/http/procedures.ts';
import { lookForNames } from './commands.ts';
import { namesContract } from './contract.ts';
import { namesOf } from './queries.ts';

const os = bind(namesContract);

export const namesProcedures = os.router({
  of: os.of.handler(({ context, input }) => namesOf(context, input.ids)),
  find: os.find.handler(({ context, input }) => lookForNames(context, input)),
});
