import { bind } from '#/platform/http/procedures.ts';
import { dismiss, sendAgain, sendAllAgain } from './commands.ts';
import { undeliveredContract } from './contract.ts';
import { undeliveredMails } from './queries.ts';

const os = bind(undeliveredContract);

export const undeliveredProcedures = os.router({
  list: os.list.handler(({ context, input }) => undeliveredMails(context, input)),
  sendAgain: os.sendAgain.handler(({ context, input }) => sendAgain(context, input.mailId)),
  sendAllAgain: os.sendAllAgain.handler(({ context }) => sendAllAgain(context)),
  dismiss: os.dismiss.handler(({ context, input }) => dismiss(context, input.mailId)),
});
