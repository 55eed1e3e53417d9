import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { removeBackup, requestBackup } from './commands.ts';
import { backupsContract } from './contract.ts';
import { backupsPersonal } from './personal.ts';
import { backupsOverview } from './queries.ts';
import { keepBackups } from './runs/commands.ts';

const os = bind(backupsContract);

export const backups = defineFeature({
  handlers: ({ backupDir }: { backupDir: string }) => ({
    backups: os.router({
      overview: os.overview.handler(({ context }) => backupsOverview(context, backupDir)),
      request: os.request.handler(({ context }) => requestBackup(context)),
      remove: os.remove.handler(({ context, input }) => removeBackup(context, input.backupId)),
    }),
  }),
  schedules: (parts) => [
    { name: 'backups', every: { seconds: 3 }, run: (ctx, signal) => keepBackups(ctx, parts.backups, signal) },
  ],
  personal: [backupsPersonal],
});
