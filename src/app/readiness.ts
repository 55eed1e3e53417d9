import { sql, type Kysely } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { migrated } from '#/platform/db/migrate.ts';
import type { Files } from '#/platform/files/files.ts';

/** How long a check may take, in milliseconds: load balancers don't wait long, and one that isn't done isn't ready. */
const checkMs = 2_000;

/** Whether this process can serve: its database, its migrations and its files. Never throws, and answers in time. */
export async function readiness(
  db: Kysely<Database>,
  files: Pick<Files, 'ready'>,
): Promise<{ database: boolean; migrations: boolean; files: boolean }> {
  const [database, migrations, storage] = await Promise.all([
    inTime(sql`select 1`.execute(db).then(() => true)),
    inTime(migrated(db)),
    inTime(files.ready()),
  ]);
  return { database, migrations, files: storage };
}

function inTime(check: Promise<boolean>): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => {
    setTimeout(resolve, checkMs, false).unref();
  });
  return Promise.race([check.catch(() => false), late]);
}
