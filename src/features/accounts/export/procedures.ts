import { bind } from '#/platform/http/procedures.ts';
import { openExport, ownExport, ownExports, removeExport, requestExport } from './commands.ts';
import { exportsContract } from './contract.ts';

const procedures = bind(exportsContract);

export const exportsProcedures = {
  list: procedures.list.handler(({ context }) => ownExports(context)),
  get: procedures.get.handler(({ context, input }) => ownExport(context, input.exportId)),
  request: procedures.request.handler(({ context }) => requestExport(context)),
  open: procedures.open.handler(({ context, input }) => openExport(context, input.exportId)),
  remove: procedures.remove.handler(({ context, input }) => removeExport(context, input.exportId)),
};
