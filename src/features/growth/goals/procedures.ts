import { bind } from '#/platform/http/procedures.ts';
import { growing } from '../queries.ts';
import { achieveGoal, addGoal, changeGoal, removeGoal, restoreGoal, tickStep } from './commands.ts';
import { goalsContract } from './contract.ts';
import { goalsOf } from './queries.ts';

const os = bind(goalsContract);

export const goalsProcedures = os.router({
  list: os.list.handler(async ({ context, input }) => goalsOf(context, await growing(context), input)),
  add: os.add.handler(({ context, input }) => addGoal(context, input)),
  change: os.change.handler(({ context, input: { goalId, ...words } }) => changeGoal(context, goalId, words)),
  tickStep: os.tickStep.handler(({ context, input }) => tickStep(context, input)),
  achieve: os.achieve.handler(({ context, input }) => achieveGoal(context, input.goalId, input.achieved)),
  remove: os.remove.handler(({ context, input }) => removeGoal(context, input.goalId)),
  restore: os.restore.handler(({ context, input }) => restoreGoal(context, input.goalId)),
});
