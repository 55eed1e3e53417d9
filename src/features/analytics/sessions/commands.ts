import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { countedAnew } from './queries.ts';

/** Counts anew what begins at the moments whose appointments have changed; one process at a time. */
export async function countSessions(ctx: Ctx): Promise<void> {
  await ctx.db.transaction().execute(async (db) => {
    // Who began to count earlier and ended later would take back what was counted in between.
    await sql`select pg_advisory_xact_lock(hashtextextended('session_counts', 0))`.execute(db);
    // One statement sees one state: a change that it doesn't see leaves its mark for the next time.
    await sql`
      with changed as (delete from session_counts_changed returning starts_at)
      insert into session_counts (starts_at, sessions, minutes, booked_minutes)
      ${countedAnew(sql`changed`)}
      on conflict (starts_at) do update set sessions = excluded.sessions, minutes = excluded.minutes,
        booked_minutes = excluded.booked_minutes`.execute(db);
  });
}
