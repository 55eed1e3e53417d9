import pg from 'pg';
import { copyIn, copyOut } from '#/platform/db/copy.ts';
import { StartError } from '#/platform/start-error.ts';
import { RowsDigest, type BackupRecord, type End, type RowsSummary } from './records.ts';
import { copyOf, jobColumns, waitingJobs, type Table } from './schema.ts';
import type { Transaction } from 'kysely';
import { PgBoss, fromKysely } from 'pg-boss';
import type { Database } from '#/platform/context.ts';

/** Loads all tables with foreign keys dropped, then recreates and validates them. */
export async function loadTables(
  client: pg.Client,
  records: AsyncGenerator<BackupRecord>,
  schema: readonly Table[],
): Promise<Map<string, RowsSummary>> {
  const { rows: references } = await client.query<{ table: string; name: string; made: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as made
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
    order by conrelid::regclass::text, conname`);
  const names = schema.map(({ name }) => `public.${pg.escapeIdentifier(name)}`);
  for (const { table, name } of references)
    await client.query(`alter table ${table} drop constraint ${name}`);
  // The restored rows already contain the triggers' effects.
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  // Removes base data from migrations; the backup has its own version.
  await client.query(`truncate ${names.join(', ')}`);
  await client.query(
    `create temporary table waiting_jobs (id uuid, name text, data jsonb, start_after timestamptz) on commit drop`,
  );
  const loaded = await loadRows(client, records, schema);
  // Foreign key checks and job lookups need current statistics for good plans.
  await client.query(`analyze waiting_jobs, ${names.join(', ')}`);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  for (const { table, name, made } of references)
    await client.query(`alter table ${table} add constraint ${name} ${made}`);
  return loaded;
}

async function loadRows(
  client: pg.Client,
  records: AsyncGenerator<BackupRecord>,
  schema: readonly Table[],
): Promise<Map<string, RowsSummary>> {
  const loaded = new Map<string, RowsSummary>();
  const known = new Set(schema.map(({ name }) => name));
  for (let step = await records.next(); !step.done; step = await records.next()) {
    if (step.value.kind !== 'table') continue;
    const { table, columns } = step.value.value;
    if (table !== waitingJobs && !known.has(table)) throw new Error(`a backup has an unknown table ${table}`);
    const statement =
      table === waitingJobs
        ? `copy waiting_jobs (${jobColumns.join(', ')}) from stdin`
        : copyOf({ name: table, columns }, 'from stdin');
    async function* rows(): AsyncGenerator<Buffer> {
      for (let next = await records.next(); !next.done; next = await records.next()) {
        if (next.value.kind === 'data') yield next.value.bytes;
        if (next.value.kind !== 'rows') continue;
        loaded.set(table, next.value.value);
        return;
      }
    }
    await copyIn(client, statement, rows());
  }
  return loaded;
}

export async function restoreSequences(client: pg.Client, { sequences }: End): Promise<void> {
  for (const [name, last] of Object.entries(sequences))
    await client.query('select setval($1::regclass, $2::bigint)', [
      `public.${pg.escapeIdentifier(name)}`,
      last,
    ]);
}

/** Reads every table back and throws if row counts or checksums differ. */
export async function compareTables(
  client: pg.Client,
  schema: readonly Table[],
  loaded: ReadonlyMap<string, RowsSummary>,
): Promise<Map<string, RowsSummary>> {
  const checked = new Map<string, RowsSummary>();
  for (const table of schema) {
    const seen = new RowsDigest();
    const rows = copyOut(client, copyOf(table, 'to stdout'), (row) => seen.add(row));
    for (let step = await rows.next(); !step.done; step = await rows.next());
    const there = seen.summary();
    const wanted = loaded.get(table.name);
    if (there.rows !== wanted?.rows || there.checksum !== wanted.checksum)
      throw new StartError(
        `Table ${table.name} had ${there.rows} rows after loading instead of the backup’s ${wanted?.rows ?? 0}, so nothing was restored.`,
      );
    checked.set(table.name, there);
  }
  return checked;
}

const jobsAtOnce = 1_000;

/** Requeues waiting jobs in the same transaction; skips queues that no longer exist. */
export async function restoreJobs(
  client: pg.Client,
  tx: Transaction<Database>,
  url: string,
  waiting: RowsSummary,
): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    schema: 'jobs',
    max: 1,
    migrate: false,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => undefined);
  await boss.start();
  try {
    const { rows: queues } = await client.query<{ name: string }>('select name from jobs.queue');
    for (const { name } of queues) {
      for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
        const { rows } = await client.query<{ id: string; data: object; startAfter: string }>(
          // A `Date` would lose the microseconds.
          `select id, data, to_char(start_after at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "startAfter"
            from waiting_jobs where name = $1 and id > $2 order by id limit $3`,
          [name, after, jobsAtOnce],
        );
        if (rows.length === 0) break;
        await boss.insert(name, rows, { db: fromKysely(tx) });
        after = rows.at(-1)!.id;
      }
    }
  } finally {
    await boss.stop({ graceful: false });
  }
  await client.query('analyze jobs.job');
  const { rows } = await client.query<{ lost: number }>(
    `select count(*)::int as lost from waiting_jobs w join jobs.queue using (name)
      where not exists (select from jobs.job j where j.name = w.name and j.id = w.id)`,
  );
  if (rows[0]!.lost > 0)
    throw new StartError(
      `${rows[0]!.lost} of ${waiting.rows} waiting jobs couldn’t be restored, so nothing was restored.`,
    );
}
