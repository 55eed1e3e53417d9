import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import pg from 'pg';
import type { Config } from '#/platform/config.ts';
import type { Database } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import { openEmbedded } from '#/platform/db/embedded.ts';
import { migrated } from '#/platform/db/migrate.ts';
import { StartError } from '#/platform/start-error.ts';

/**
 * Runs `work` on the database at DATABASE_URL, or the demo's, and prints which, so a missing setting is noticed. Creates
 * a new database only with `make`.
 */
export async function withWorkingDatabase(
  config: Config,
  work: (url: string) => Promise<void>,
  options: { make?: boolean } = {},
): Promise<void> {
  const database = await openWorkingDatabase(config, options);
  try {
    await work(database.url);
  } finally {
    await database.close();
  }
}

export async function withConnections<Result>(
  url: string,
  count: number,
  work: (db: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  const { db } = connect(url, count);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

export async function requireMigrated(db: Kysely<Database>): Promise<void> {
  if (!(await migrated(db)))
    throw new StartError('The database isn’t at this version. Run `npm run migrate` first.');
}

async function openWorkingDatabase(config: Config, { make = false }: { make?: boolean }) {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  if (url) {
    const { host, port, database } = new pg.Client({ connectionString: url });
    console.log(`Database: ${database} on ${host}:${port} (${config.mode}).`);
    return { url, close: () => Promise.resolve() };
  }
  if (!make && !['pg18', 'database-folder'].some((name) => existsSync(join(config.dataDir, name))))
    throw new StartError(
      `DATABASE_URL isn’t set, and there is no demo database in ${config.dataDir}. Load the configuration of your installation (docs/operating.md shows how), or run npm start first.`,
    );
  console.log(`Database: the demo’s own, in ${config.dataDir}.`);
  const embedded = await openEmbedded({ dataDir: config.dataDir, log: console.log });
  return { url: embedded.url, close: () => embedded.stop() };
}
