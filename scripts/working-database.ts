import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '#/platform/config.ts';
import { openEmbedded } from '#/platform/db/embedded.ts';
import { StartError } from '#/platform/start-error.ts';

export interface WorkingDatabase {
  url: string;
  close(): Promise<void>;
}

/**
 * Opens the database at DATABASE_URL, or the demo's, and prints which, so a missing setting is noticed. Creates a new
 * database only with `make`.
 */
export async function openWorkingDatabase(config: Config, { make = false } = {}): Promise<WorkingDatabase> {
  if (config.databaseUrl) {
    const { host, port, database } = new pg.Client({ connectionString: config.databaseUrl });
    console.log(`Database: ${database} on ${host}:${port} (${config.mode}).`);
    return { url: config.databaseUrl, close: () => Promise.resolve() };
  }
  if (!make && !['pg18', 'database-folder'].some((name) => existsSync(join(config.dataDir, name))))
    throw new StartError(
      `DATABASE_URL isn’t set, and there is no demo database in ${config.dataDir}. Load the configuration of your installation (docs/operating.md shows how), or run npm start first.`,
    );
  console.log(`Database: the demo’s own, in ${config.dataDir}.`);
  const embedded = await openEmbedded({ dataDir: config.dataDir, log: console.log });
  return { url: embedded.url, close: () => embedded.stop() };
}
