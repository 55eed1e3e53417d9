import type { Kysely } from 'kysely';
import { installJobs } from '../jobs/jobs.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';

/** Brings a database to this program's state: its migrations, then the job queues; returns the migrations that ran. */
export async function install(
  db: Kysely<Database>,
  url: string,
  queues: readonly string[],
): Promise<string[]> {
  const ran = await migrate(db);
  await installJobs(url, queues);
  return ran;
}
