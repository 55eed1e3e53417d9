import { sql } from 'kysely';
import type { Ctx } from '../context.ts';

/** Advisory lock that blocks deletion while a backup copies a snapshot's files. */
export const backupLock = `hashtextextended('bytes', 0)`;

/**
 * Returns true while a backup holds the lock. Call after listing removed files and before deleting their bytes: later
 * snapshots can't refer to files removed earlier.
 */
export async function isBackupRunning({ db }: Pick<Ctx, 'db'>): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from pg_locks where locktype = 'advisory' and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) | objid::bigint = ${sql.raw(backupLock)}) as held`.execute(db);
  return rows[0]!.held;
}
