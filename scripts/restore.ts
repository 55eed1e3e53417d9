/** Restores a backup, including files, into the empty database at DATABASE_URL or the embedded one. */
import { copyFileSync, existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { reactions } from '#/app/reactions.ts';
import { noteHeadsRestored } from '#/features/audit/chain/commands.ts';
import { missingKeys, noteRestored } from '#/features/backups/runs/commands.ts';
import { restoreBackup } from '#/platform/backup/restore.ts';
import { ownKeyFiles, readConfig, type Config } from '#/platform/config.ts';
import { keysOf } from '#/platform/keyring.ts';
import { makeDataDir } from '#/platform/data-dir.ts';
import { openClock } from '#/platform/db/clock.ts';
import { accountOf, asOwner, grantRuntime } from '#/platform/db/grants.ts';
import { diskOf, processContext } from '#/app/process-context.ts';
import { StartError } from '#/platform/start-error.ts';
import { runCommand } from './command.ts';
import { withConnections, withWorkingDatabase } from './working-database.ts';

async function restore(config: Config, url: string, path: string): Promise<void> {
  const restored = await restoreBackup({
    url,
    path,
    keys: keysOf(config.backupKeys),
    disk: diskOf(config),
    queues: reactions.map(({ name }) => name),
    say: console.log,
  });
  for (const [table, { rows, checksum }] of restored.tables)
    console.log(`  ${table}: ${rows} rows, ${checksum}`);
  await withConnections(url, 2, async (db) => {
    const { now } = await openClock(db);
    const base = processContext(config, { db, emit: () => Promise.resolve(), now });
    await noteRestored(
      { ...base, actor: { kind: 'system' }, requestId: base.newId(), address: null },
      restored,
    );
    if (config.databaseOwnerUrl) await grantRuntime(db, accountOf(config.databaseUrl!));
    await noteHeadsRestored(config.backupDir, base.now());
    const lacking = missingKeys(base, restored.head.probes);
    if (lacking.length > 0)
      console.log(
        `${lacking.join(' and ')} can’t open the encrypted data. Before starting the program, set ${lacking.length > 1 ? 'them' : 'it'} as in the installation that was backed up, or copy ${lacking.map((name) => ownKeyFiles[name as keyof typeof ownKeyFiles]).join(' and ')} from its data folder to ${config.dataDir}.`,
      );
  });
  if (restored.missingFiles > 0)
    console.log(`${restored.missingFiles} files were already missing when the backup was taken.`);
  console.log('Everyone is signed out, and all API tokens, calendar links and emailed links have ended.');
  console.log(`Restored, with ${restored.files} files.`);
}

/** Copies generated keys from beside the backup, before a new installation generates others. */
function takeOwnKeys(path: string): void {
  const from = dirname(dirname(path));
  const to = resolve(process.env.DATA_DIR ?? './.data');
  for (const [name, file] of Object.entries(ownKeyFiles)) {
    if (process.env[name] || !existsSync(join(from, file)) || existsSync(join(to, file))) continue;
    copyFileSync(join(from, file), join(makeDataDir(to), file));
    console.log(`Copied the key from ${from} to ${join(to, file)}.`);
  }
}

await runCommand(async () => {
  const [file] = process.argv.slice(2);
  if (!file) throw new StartError('Which backup? Run: npm run restore -- /path/to/italk-….backup');
  takeOwnKeys(resolve(file));
  const config = readConfig(process.env);
  await withWorkingDatabase(
    config,
    (working) => {
      const url = config.databaseOwnerUrl ?? working;
      return asOwner(url, () => restore(config, url, resolve(file)));
    },
    { make: true },
  );
});
