import { sql, type Kysely } from 'kysely';
import type { Database } from '../context.ts';

export interface QueueState {
  /** Of the oldest overdue job, if any. */
  dueSince: Date | null;
  failed: number;
}

/** Higher counts add no information. */
const max = 1_000;

/** Reads queue health through the fetch index, unaffected by jobs scheduled for later. */
export async function queueState(db: Kysely<Database>, now: Temporal.Instant): Promise<QueueState> {
  const [at, dayAgo] = [now, now.subtract({ hours: 24 })].map(
    ({ epochMilliseconds }) => new Date(epochMilliseconds),
  );
  const first = (state: string) => sql`(
    select start_after from jobs.job
     where job.name = queue.name and state = ${sql.lit(state)} and not blocked and start_after <= ${at}
     order by start_after limit 1)`;
  const { rows } = await sql<QueueState>`
    select min(least(${first('created')}, ${first('retry')})) as "dueSince",
      coalesce(sum((select count(*) from (
        select from jobs.job where job.name = queue.name and state = 'failed' and completed_on > ${dayAgo} limit ${max}
      ) as given_up)), 0)::int4 as failed
    from jobs.queue`.execute(db);
  return rows[0]!;
}

/** Returns a queue's latest failure within a day, including failures awaiting retry; null: none. */
export async function lastFailure(
  db: Kysely<Database>,
  queue: string,
  now: Temporal.Instant,
): Promise<Date | null> {
  const dayAgo = new Date(now.subtract({ hours: 24 }).epochMilliseconds);
  const { rows } = await sql<{ at: Date | null }>`
    select max(coalesce(completed_on, started_on)) as at from (
      select completed_on, started_on from jobs.job
       where name = ${queue} and state in ('retry', 'failed') and coalesce(completed_on, started_on) > ${dayAgo}
       limit ${max}) as failures`.execute(db);
  return rows[0]!.at;
}
