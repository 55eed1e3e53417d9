/**
 * Migrates the database at DATABASE_URL, or the embedded one while the program is stopped. With DATABASE_OWNER_URL,
 * migrates as that account, then grants the program's account access.
 */
import { reactions } from '#/app/reactions.ts';
import { readConfig } from '#/platform/config.ts';
import { connect } from '#/platform/db/database.ts';
import { accountOf, grantRuntime } from '#/platform/db/grants.ts';
import { install } from '#/app/install.ts';
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
