import { bind } from '#/platform/http/procedures.ts';
import { lookAtGoals, lookAtProgress } from './commands.ts';
import { sharingContract } from './contract.ts';

const os = bind(sharingContract);

export const sharingProcedures = os.router({
  goals: os.goals.handler(({ context, input }) => lookAtGoals(context, input)),
  progress: os.progress.handler(({ context, input }) => lookAtProgress(context, input.clientId)),
});
