import { bind } from '#/platform/http/procedures.ts';
import { findChoices } from '../choices/queries.ts';
import { find } from './commands.ts';
import { findingContract } from './contract.ts';
import { nextStarts } from './queries.ts';

const os = bind(findingContract);

export const findingProcedures = os.router({
  find: os.find.handler(({ context, input }) => find(context, input)),
  choices: os.choices.handler(({ context }) => findChoices(context)),
  nextStarts: os.nextStarts.handler(({ context, input }) => nextStarts(context, input)),
});
