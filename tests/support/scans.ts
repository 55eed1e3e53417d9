import { sql, type Kysely } from 'kysely';
import type { Database } from '#/platform/context.ts';

/** Returns the tables that `read` scanned sequentially, according to PostgreSQL's statistics. */
export async function scannedBy(
  db: Kysely<Database>,
  tables: readonly string[],
  read: () => Promise<unknown>,
): Promise<string[]> {
  const before = await scans(db, tables);
  await read();
  const after = await scans(db, tables);
  return tables.filter((table) => after.get(table) !== before.get(table));
}

async function scans(db: Kysely<Database>, tables: readonly string[]): Promise<Map<string, number>> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ relname: string; seq_scan: number }>`
    select relname, seq_scan from pg_stat_user_tables where relname = any(${sql.val(tables)})`.execute(db);
  return new Map(rows.map(({ relname, seq_scan }) => [relname, seq_scan]));
}
