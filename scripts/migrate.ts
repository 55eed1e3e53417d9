/**
 * Brings the database that DATABASE_URL names (or the program's own, while it doesn't run) to this version; where
 * DATABASE_OWNER_URL is set, under that account, which then lets the program's account use the tables.
 */
import { reactions } from '#/app/reactions.ts';
import { readConfig } from '#/platform/config.ts';
import { connect } from '#/platform/db/database.ts';
import { accountOf, grantRuntime } from '#/platform/db/grants.ts';
import { install } from '#/platform/db/install.ts';
import { StartError } from '#/platform/start-error.ts';
import { openWorkingDatabase } from './working-database.ts';

try {
  const config = readConfig(process.env);
  const database = await openWorkingDatabase(config);
  const url = config.databaseOwnerUrl ?? database.url;
  const { db } = connect(url, 2);
  try {
    const ran = await install(
      db,
      url,
      reactions.map(({ name }) => name),
    );
    if (config.databaseOwnerUrl) await grantRuntime(db, accountOf(config.databaseUrl!));
    console.log(ran.length > 0 ? `Migrated: ${ran.join(', ')}.` : 'The database is up to date.');
  } finally {
    await db.destroy();
    await database.close();
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
