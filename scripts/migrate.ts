/** Brings the database that DATABASE_URL names (or the program's own, while it doesn't run) to this version. */
import { reactions } from '#/app/reactions.ts';
import { readConfig } from '#/platform/config.ts';
import { connect } from '#/platform/db/database.ts';
import { openEmbedded } from '#/platform/db/embedded.ts';
import { install } from '#/platform/db/install.ts';
import { StartError } from '#/platform/start-error.ts';

try {
  const config = readConfig(process.env);
  const embedded = config.databaseUrl
    ? null
    : await openEmbedded({ dataDir: config.dataDir, log: console.log });
  const url = config.databaseUrl ?? embedded!.url;
  const { db } = connect(url, 2);
  try {
    const ran = await install(
      db,
      url,
      reactions.map(({ name }) => name),
    );
    console.log(ran.length > 0 ? `Migrated: ${ran.join(', ')}.` : 'The database is up to date.');
  } finally {
    await db.destroy();
    await embedded?.stop();
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
