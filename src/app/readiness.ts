import { sql, type Kysely } from 'kysely';
import type { Database } from '#/platform/context.ts';
import { migrated } from '#/platform/db/migrate.ts';
import type { Files } from '#/platform/files/files.ts';

/** Milliseconds per check. Load balancers won't wait long, so a slow check counts as not ready. */
const checkMs = 2_000;

/** Checks the database, migrations and file storage. Never throws, and always answers within the timeout. */
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
