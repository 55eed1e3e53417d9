/** Backs up files and the database at DATABASE_URL, or the embedded one while the program is stopped. */
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { backUpNow } from '#/features/backups/runs/commands.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Database } from '#/platform/context.ts';
import { readConfig, type Config } from '#/platform/config.ts';
import { openClock } from '#/platform/db/clock.ts';
import { backupsOf, processContext } from '#/app/process-context.ts';
import { StartError } from '#/platform/start-error.ts';
import { runCommand } from './command.ts';
import { requireMigrated, withConnections, withWorkingDatabase } from './working-database.ts';

async function backUp(config: Config, url: string, db: Kysely<Database>): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  await requireMigrated(db);
  const { now } = await openClock(db);
  const base = processContext(config, { db, emit: () => Promise.resolve(), now });
  const ctx = { ...base, actor: { kind: 'system' }, requestId: base.newId(), address: null } as const;
  const taken = await backUpNow(ctx, backupsOf(config, url), stopping.signal);
  const path = join(config.backupDir, taken.fileName!);
  if (!process.env.BACKUP_KEYS)
    console.log(
      `The keys are in ${config.dataDir}, so anyone with that folder can read the backup. Keep copies of backup-key, encryption-key and private-notes-key somewhere else.`,
    );
  console.log(
    `Backed up ${taken.rows} rows and ${taken.files} files into ${path} (${taken.bytes} bytes, plus the files folder beside it).`,
  );
  if (taken.missingFiles > 0)
    throw new StartError(
      `The backup is incomplete: ${taken.missingFiles} files aren’t in ${config.s3 ? `the bucket ${config.s3.bucket}` : join(config.dataDir, 'files')}. Set ${config.s3 ? 'S3_BUCKET' : 'DATA_DIR'} to the running program’s value, and back up again.`,
    );
}

await runCommand(async () => {
  const config = readConfig(process.env);
  try {
    await withWorkingDatabase(config, (url) => withConnections(url, 2, (db) => backUp(config, url, db)));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new StartError('Another backup is running. Wait until it ends.', { cause: error });
  }
});
