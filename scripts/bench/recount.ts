import { sql, type Transaction } from 'kysely';
import type { Database } from '#/platform/context.ts';

/** Counts anew what reports show, after rows were stored without the triggers that count them. */
export async function recount(tx: Transaction<Database>): Promise<void> {
  await sql`truncate session_counts, session_counts_changed, session_days`.execute(tx);
  await sql`insert into session_counts
    select starts_at, count(*) filter (where status in ('confirmed', 'completed')),
      coalesce(sum(extract(epoch from ends_at - starts_at) / 60) filter (where status in ('confirmed', 'completed')), 0),
      coalesce(sum(extract(epoch from ends_at - starts_at) / 60) filter (where status <> 'cancelled'), 0)
    from appointments group by starts_at`.execute(tx);
  await sql`insert into session_days
    select (starts_at at time zone 'UTC')::date, sum(sessions), sum(minutes), sum(booked_minutes)
      from session_counts group by 1`.execute(tx);
  await sql`truncate tallies`.execute(tx);
  await sql`insert into tallies (accounts, listed, weekly_minutes)
    select (select count(*) from profiles where erased_at is null), count(*), (
        select array_agg(minutes order by day) from (
          select day, sum(weekly_minutes[day])::int as minutes
            from providers, generate_series(1, 7) day where listed group by day) as days)
      from providers where listed`.execute(tx);
}
