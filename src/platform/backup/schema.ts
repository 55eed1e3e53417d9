import pg from 'pg';
import type { ClientBase } from 'pg';

/** Pseudo-table for waiting jobs, which are restored through the queue API. */
export const waitingJobs = 'jobs';

export const jobColumns = ['id', 'name', 'data', 'start_after'] as const;

/** Excludes generated columns. */
export interface Table {
  name: string;
  columns: string[];
}

/** Opens a connection without statement timeouts, formatting values the same way whatever the server's settings. */
export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    options:
      '-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c extra_float_digits=1 -c bytea_output=hex',
    statement_timeout: 0,
    lock_timeout: 60_000,
    idle_in_transaction_session_timeout: 0,
    connectionTimeoutMillis: 10_000,
  });
  // Without a listener, a connection error between statements would crash the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Lists all tables except Kysely's migration tables, which migrations fill themselves. */
export async function tablesOf(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not like 'kysely\\_%'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    group by c.relname order by c.relname`);
  return rows;
}

export function copyOf({ name, columns }: Table, direction: 'from stdin' | 'to stdout'): string {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  return `copy public.${pg.escapeIdentifier(name)} (${list}) ${direction}`;
}
