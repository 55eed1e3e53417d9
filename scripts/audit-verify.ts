/**
 * Verifies the audit log's whole hash chain, including heads saved beside and inside backups, and an optional one from
 * the command line.
 */
import { savedHeads, verifyChain } from '#/features/audit/chain/queries.ts';
import { breakText } from '#/features/audit/chain/rules.ts';
import { auditHead } from '#/platform/backup/backups.ts';
import { backupHeads } from '#/platform/backup/restore.ts';
import { readConfig, type Config } from '#/platform/config.ts';
import { keysOf, openKeyring } from '#/platform/keyring.ts';
import { connect } from '#/platform/db/database.ts';
import { migrated } from '#/platform/db/migrate.ts';
import { StartError } from '#/platform/start-error.ts';
import { openWorkingDatabase } from './working-database.ts';

async function backedUp({ backupDir, backupKeys }: Config) {
  const heads = await backupHeads(backupDir, keysOf(backupKeys));
  return heads.flatMap(({ takenAt, probes }) => {
    const hash = probes[auditHead];
    return hash ? [{ hash, at: Temporal.Instant.from(takenAt) }] : [];
  });
}

try {
  const [keptHead = null] = process.argv.slice(2);
  if (keptHead !== null && !/^[0-9a-f]{64}$/.test(keptHead))
    throw new StartError('The head must be 64 hexadecimal digits, as this command printed it.');
  const config = readConfig(process.env);
  const database = await openWorkingDatabase(config);
  const { db } = connect(database.url, 1);
  try {
    if (!(await migrated(db)))
      throw new StartError('The database isn’t at this version. Run `npm run migrate` first.');
    const { entries, waiting, head, broken } = await verifyChain(
      { db, keyring: openKeyring(config.encryptionKeys) },
      [...(await savedHeads(config.backupDir, await backedUp(config))), ...(keptHead ? [keptHead] : [])],
    );
    if (broken) throw new StartError(`The audit log is broken: ${breakText(broken)}.`);
    console.log(`${entries} entries, chain intact, head ${head ?? 'none'}; ${waiting} not sealed yet.`);
  } finally {
    await db.destroy();
    await database.close();
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
