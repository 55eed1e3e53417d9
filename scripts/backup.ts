/** Takes a backup of the database that DATABASE_URL names (or the program's own, while it doesn't run) and of its files. */
import { join } from 'node:path';
import { backUpNow } from '#/features/backups/commands.ts';
import { AppError } from '#/kernel/errors.ts';
import { readConfig, type Config } from '#/platform/config.ts';
import { connect } from '#/platform/db/database.ts';
import { openEmbedded } from '#/platform/db/embedded.ts';
import { migrated } from '#/platform/db/migrate.ts';
import { backupsOf, groundOf } from '#/platform/ground.ts';
import { StartError } from '#/platform/start-error.ts';

async function backUp(config: Config, url: string): Promise<void> {
  const { db } = connect(url, 2);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  try {
    if (!(await migrated(db))) {
      throw new StartError('The database isn’t at this version: run `npm run migrate` first.');
    }
    const ground = groundOf(config, { db, emit: () => Promise.resolve() });
    const ctx = { ...ground, actor: { kind: 'system' }, requestId: ground.newId(), address: null } as const;
    const taken = await backUpNow(ctx, backupsOf(config, url), stopping.signal);
    const path = join(config.backupDir, taken.fileName!);
    console.log(
      `Backed up ${taken.rows} rows and ${taken.files} files into ${path} (${taken.bytes} bytes, and the files beside it).`,
    );
    if (taken.missingFiles > 0)
      console.log(`The bytes of ${taken.missingFiles} files were missing, and aren’t in the backup.`);
  } finally {
    await db.destroy();
  }
}

try {
  const config = readConfig(process.env);
  const embedded = config.databaseUrl
    ? null
    : await openEmbedded({ dataDir: config.dataDir, log: console.log });
  try {
    await backUp(config, config.databaseUrl ?? embedded!.url);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new StartError('Another backup is under way: wait until it has ended.', { cause: error });
  } finally {
    await embedded?.stop();
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
