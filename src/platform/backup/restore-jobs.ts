import type { Transaction } from 'kysely';
import { PgBoss, fromKysely } from 'pg-boss';
import type pg from 'pg';
import type { Database } from '../context.ts';
import { StartError } from '../start-error.ts';
import type { RowsSummary } from './records.ts';

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
      `${rows[0]!.lost} of ${waiting.rows} waiting jobs weren’t restored, so nothing was.`,
    );
}
