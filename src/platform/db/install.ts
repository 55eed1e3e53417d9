import type { Kysely } from 'kysely';
import { installJobs } from '../jobs/jobs.ts';
import type { Database } from './database.ts';
import { asOwner } from './grants.ts';
import { migrate } from './migrate.ts';

/**
 * Brings a database to this program's state: its migrations, then the job queues; returns the migrations that ran. Throws a
 * StartError for an account that may not.
 */
export async function install(
  db: Kysely<Database>,
  url: string,
  queues: readonly string[],
): Promise<string[]> {
  return asOwner(url, async () => {
    const ran = await migrate(db);
    await installJobs(url, queues);
    return ran;
  });
}
