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
import { StartError } from '#/platform/start-error.ts';
import { runCommand } from './command.ts';
import { requireMigrated, withConnections, withWorkingDatabase } from './working-database.ts';

async function backedUp({ backupDir, backupKeys }: Config) {
  const heads = await backupHeads(backupDir, keysOf(backupKeys));
  return heads.flatMap(({ takenAt, probes }) => {
    const hash = probes[auditHead];
    return hash ? [{ hash, at: Temporal.Instant.from(takenAt) }] : [];
  });
}

await runCommand(async () => {
  const [keptHead = null] = process.argv.slice(2);
  if (keptHead !== null && !/^[0-9a-f]{64}$/.test(keptHead))
    throw new StartError('The head must be 64 hexadecimal digits, as this command printed it.');
  const config = readConfig(process.env);
  await withWorkingDatabase(config, (url) =>
    withConnections(url, 1, async (db) => {
      await requireMigrated(db);
      const { entries, waiting, head, broken } = await verifyChain(
        { db, keyring: openKeyring(config.encryptionKeys) },
        [...(await savedHeads(config.backupDir, await backedUp(config))), ...(keptHead ? [keptHead] : [])],
      );
      if (broken) throw new StartError(`The audit log is broken: ${breakText(broken)}.`);
      console.log(`${entries} entries, chain intact, head ${head ?? 'none'}; ${waiting} not sealed yet.`);
    }),
  );
});
