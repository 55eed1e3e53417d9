/** Walks the chain over the whole audit log and says whether it is whole; takes a head that was told before and kept. */
import { verifyChain } from '#/features/audit/chain/queries.ts';
import { breakText } from '#/features/audit/chain/rules.ts';
import { readConfig } from '#/platform/config.ts';
import { openKeyring } from '#/platform/crypto/keyring.ts';
import { connect } from '#/platform/db/database.ts';
import { openEmbedded } from '#/platform/db/embedded.ts';
import { migrated } from '#/platform/db/migrate.ts';
import { StartError } from '#/platform/start-error.ts';

try {
  const [keptHead = null] = process.argv.slice(2);
  if (keptHead !== null && !/^[0-9a-f]{64}$/.test(keptHead))
    throw new StartError('A head is 64 hexadecimal digits, as this command told it.');
  const config = readConfig(process.env);
  const embedded = config.databaseUrl
    ? null
    : await openEmbedded({ dataDir: config.dataDir, log: console.log });
  const { db } = connect(config.databaseUrl ?? embedded!.url, 1);
  try {
    if (!(await migrated(db)))
      throw new StartError('The database isn’t at this version: run `npm run migrate` first.');
    const { entries, waiting, head, broken } = await verifyChain(
      { db, keyring: openKeyring(config.encryptionKeys) },
      keptHead,
    );
    if (broken) throw new StartError(`The audit log is broken: ${breakText(broken)}.`);
    console.log(`${entries} entries, chain whole, head ${head ?? 'none'}; ${waiting} not sealed yet.`);
  } finally {
    await db.destroy();
    await embedded?.stop();
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
