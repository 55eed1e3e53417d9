import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { removeBackup, requestBackup } from './commands.ts';
import { backupsContract } from './contract.ts';
import { backupsPersonal } from './personal.ts';
import { backupsOverview } from './queries.ts';
import { runBackups } from './runs/commands.ts';

export const backups = defineFeature({
  handlers: ({ backupDir }: { backupDir: string }) => ({
    backups: handle(backupsContract, {
      overview: (ctx) => backupsOverview(ctx, backupDir),
      request: requestBackup,
      remove: (ctx, input) => removeBackup(ctx, input.backupId),
    }),
  }),
  schedules: (parts) => [
    { name: 'backups', every: { seconds: 3 }, run: (ctx, signal) => runBackups(ctx, parts.backups, signal) },
  ],
  personal: [backupsPersonal],
});
