import { sql, type Kysely } from 'kysely';
import type { Database } from '#/platform/context.ts';

/** Summarizes every table and the job queues: row count and checksum, computed by the database. */
export async function contents(of: Kysely<Database>): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely_%' order by 1`.execute(
    of,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ sum: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum
      from ${sql.table(name)} t`.execute(of);
    found[name] = rows[0]!.sum;
  }
  const jobs = await sql<{ sum: string }>`
    select count(*) || ' ' || md5(string_agg(concat(id, name, data, start_after), '' order by id)) as sum
    from jobs.job where state < 'completed'`.execute(of);
  return { ...found, jobs: jobs.rows[0]!.sum };
}
