import { bind } from '#/platform/http/procedures.ts';
import { sharingContract } from './contract.ts';
import { sharedGoals, sharedProgress } from './queries.ts';

const os = bind(sharingContract);

/** The procedures of what clients share. */
export const sharingProcedures = os.router({
  goals: os.goals.handler(({ context, input }) => sharedGoals(context, input)),
  progress: os.progress.handler(({ context, input }) => sharedProgress(context, input.clientId)),
});
