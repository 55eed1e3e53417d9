import type { Kysely } from 'kysely';
import type { Database } from '#/platform/context.ts';
import { asOwner } from '#/platform/db/grants.ts';
import { migrate } from '#/platform/db/migrate.ts';
import { installJobs } from '#/platform/jobs/jobs.ts';

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
