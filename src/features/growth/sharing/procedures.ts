import { sharerOf } from '#/features/care/sharing/queries.ts';
import { bind } from '#/platform/http/procedures.ts';
import { goalsOf } from '../goals/queries.ts';
import { progressOf } from '../progress/queries.ts';
import { growing } from '../queries.ts';
import { sharingContract } from './contract.ts';

const os = bind(sharingContract);

/** The procedures of what clients share. */
export const sharingProcedures = os.router({
  goals: os.goals.handler(async ({ context, input }) => {
    await growing(context);
    return goalsOf(context, await sharerOf(context, input.clientId, 'goals'), input);
  }),
  progress: os.progress.handler(async ({ context, input }) => {
    await growing(context);
    return progressOf(context, await sharerOf(context, input.clientId, 'progress'));
  }),
});
