import { sql, type Transaction } from 'kysely';
import type { Database } from '#/platform/context.ts';

/** Counts all sessions again, after appointments were stored without the triggers that count them. */
export async function recountSessions(tx: Transaction<Database>): Promise<void> {
  await sql`truncate session_counts, session_counts_changed, session_days`.execute(tx);
  await sql`insert into session_counts
    select starts_at, count(*) filter (where status in ('confirmed', 'completed')),
      coalesce(sum(extract(epoch from ends_at - starts_at) / 60) filter (where status in ('confirmed', 'completed')), 0),
      coalesce(sum(extract(epoch from ends_at - starts_at) / 60) filter (where status <> 'cancelled'), 0)
    from appointments group by starts_at`.execute(tx);
  await sql`insert into session_days
    select (starts_at at time zone 'UTC')::date, sum(sessions), sum(minutes), sum(booked_minutes)
      from session_counts group by 1`.execute(tx);
}
