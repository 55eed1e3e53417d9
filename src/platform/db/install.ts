import type { Kysely } from 'kysely';
import { installJobs } from '../jobs/jobs.ts';
import type { Database } from '../context.ts';
import { asOwner } from './grants.ts';
import { migrate } from './migrate.ts';

/**
 * Runs pending migrations and creates job queues; returns the migrations that ran. Throws a StartError if the account
 * lacks permission.
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
