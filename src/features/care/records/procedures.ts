import { bind } from '#/platform/http/procedures.ts';
import { bookNew, changeRecord, inviteClient } from './commands.ts';
import { recordsContract } from './contract.ts';

const os = bind(recordsContract);

export const recordsProcedures = os.router({
  book: os.book.handler(({ context, input }) => bookNew(context, input)),
  change: os.change.handler(({ context, input }) => changeRecord(context, input)),
  invite: os.invite.handler(({ context, input }) => inviteClient(context, input.clientId)),
});
