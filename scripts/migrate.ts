/**
 * Migrates the database at DATABASE_URL, or the embedded one while the program is stopped. With DATABASE_OWNER_URL,
 * migrates as that account, then grants the program's account access.
 */
import { reactions } from '#/app/reactions.ts';
import { readConfig } from '#/platform/config.ts';
import { accountOf, grantRuntime } from '#/platform/db/grants.ts';
import { install } from '#/app/install.ts';
import { runCommand } from './command.ts';
import { withConnections, withWorkingDatabase } from './working-database.ts';

await runCommand(async () => {
  const config = readConfig(process.env);
  await withWorkingDatabase(config, (working) => {
    const url = config.databaseOwnerUrl ?? working;
    return withConnections(url, 2, async (db) => {
      const queues = reactions.map(({ name }) => name);
      const ran = await install(db, url, queues);
      if (config.databaseOwnerUrl) await grantRuntime(db, accountOf(config.databaseUrl!));
      console.log(ran.length > 0 ? `Migrated: ${ran.join(', ')}.` : 'The database is up to date.');
    });
  });
});
