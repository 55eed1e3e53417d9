import { bind } from '#/platform/http/procedures.ts';
import { requestBackup } from './commands.ts';
import { backupsContract } from './contract.ts';
import { removeBackup } from './deletion/commands.ts';
import { backupsOverview } from './queries.ts';

const os = bind(backupsContract);

export function backupsProcedures({ backupDir }: { backupDir: string }) {
  return os.router({
    overview: os.overview.handler(({ context }) => backupsOverview(context, backupDir)),
    request: os.request.handler(({ context }) => requestBackup(context)),
    remove: os.remove.handler(({ context, input }) => removeBackup(context, input.backupId)),
  });
}
