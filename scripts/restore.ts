/** Restores a backup into the empty database that DATABASE_URL names (or the program's own), and puts its files back. */
import { resolve } from 'node:path';
import { reactions } from '#/app/reactions.ts';
import { lackingKeys, noteRestored } from '#/features/backups/commands.ts';
import { restoreBackup } from '#/platform/backup/restore.ts';
import { readConfig, type Config } from '#/platform/config.ts';
import { keysOf } from '#/platform/crypto/keyring.ts';
import { connect } from '#/platform/db/database.ts';
import { openEmbedded } from '#/platform/db/embedded.ts';
import { diskOf, groundOf } from '#/platform/ground.ts';
import { StartError } from '#/platform/start-error.ts';

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
  const { db } = connect(url, 2);
  try {
    const ground = groundOf(config, { db, emit: () => Promise.resolve() });
    await noteRestored(
      { ...ground, actor: { kind: 'system' }, requestId: ground.newId(), address: null },
      restored,
    );
    const lacking = lackingKeys(ground, restored.head.probes);
    if (lacking.length > 0)
      console.log(
        `${lacking.join(' and ')} can’t open what was sealed: set ${lacking.length > 1 ? 'them' : 'it'} as it was before the program starts.`,
      );
  } finally {
    await db.destroy();
  }
  if (restored.missingFiles > 0)
    console.log(`The bytes of ${restored.missingFiles} files were missing when the backup was taken.`);
  console.log(`Restored, with ${restored.files} files.`);
}

try {
  const [file] = process.argv.slice(2);
  if (!file) throw new StartError('Name the backup: npm run restore -- /path/to/italk-….backup');
  const config = readConfig(process.env);
  const embedded = config.databaseUrl
    ? null
    : await openEmbedded({ dataDir: config.dataDir, log: console.log });
  try {
    await restore(config, config.databaseUrl ?? embedded!.url, resolve(file));
  } finally {
    await embedded?.stop();
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
