import { sql, type Kysely } from 'kysely';
import type { Database } from '#/platform/context.ts';

/**
 * Counts this database's connections that wait for a lock; other tests share the server. Don't pass a transaction: all
 * its reads see one snapshot.
 */
export async function blockedConnections(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]!.count;
}
