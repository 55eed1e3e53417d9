import { bind } from '#/platform/http/procedures.ts';
import { memberOf } from '../membership/queries.ts';
import { closeEmergency, openInEmergency } from './commands.ts';
import { emergencyContract } from './contract.ts';
import { openedNow, toldOf } from './queries.ts';

const os = bind(emergencyContract);

export const emergencyProcedures = os.router({
  open: os.open.handler(({ context, input }) => openInEmergency(context, input)),
  current: os.current.handler(async ({ context }) => ({ opened: await openedNow(context) })),
  close: os.close.handler(({ context, input }) => closeEmergency(context, input.accessId)),
  told: os.told.handler(async ({ context, input }) =>
    toldOf(context, await memberOf(context, input.conversationId)),
  ),
});
