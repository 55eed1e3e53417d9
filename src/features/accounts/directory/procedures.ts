import { bind } from '#/platform/http/procedures.ts';
import {
  changeRole,
  editUser,
  exportUsers,
  listUsers,
  openUser,
  reactivateUser,
  removeUser,
  suspendUser,
  type Standing,
} from './commands.ts';
import { directoryContract } from './contract.ts';
import { userFigures } from './queries.ts';

const procedures = bind(directoryContract);

export function directoryProcedures(standing: Standing) {
  return procedures.router({
    figures: procedures.figures.handler(({ context }) => userFigures(context)),
    list: procedures.list.handler(({ context, input }) => listUsers(context, input)),
    open: procedures.open.handler(({ context, input }) => openUser(context, standing, input.userId)),
    edit: procedures.edit.handler(({ context, input }) => editUser(context, standing, input)),
    changeRole: procedures.changeRole.handler(({ context, input }) => changeRole(context, standing, input)),
    suspend: procedures.suspend.handler(({ context, input }) => suspendUser(context, standing, input)),
    reactivate: procedures.reactivate.handler(({ context, input }) =>
      reactivateUser(context, standing, input.userId),
    ),
    remove: procedures.remove.handler(({ context, input }) => removeUser(context, standing, input)),
    export: procedures.export.handler(({ context, input }) => exportUsers(context, input)),
  });
}
