import { bind } from '#/platform/http/procedures.ts';
import { confirmAddressChange, readAddressChange, undoAddressChange } from './commands.ts';
import { addressChangeContract } from './contract.ts';

const procedures = bind(addressChangeContract);

export const addressChangeProcedures = procedures.router({
  get: procedures.get.handler(({ context, input }) => readAddressChange(context, input.token)),
  undo: procedures.undo.handler(({ context, input }) => undoAddressChange(context, input.token)),
  confirm: procedures.confirm.handler(({ context, input }) => confirmAddressChange(context, input.token)),
});
