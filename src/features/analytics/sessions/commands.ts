import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { recount } from './queries.ts';

/** Recounts changed start times under an advisory lock. */
export async function countSessions(ctx: Ctx): Promise<void> {
  await ctx.db.transaction().execute(async (db) => {
    // A slower concurrent count could overwrite newer numbers.
    await sql`select pg_advisory_xact_lock(hashtextextended('session_counts', 0))`.execute(db);
    // One snapshot: later changes keep their marker.
    await sql`
      with changed as (delete from session_counts_changed returning starts_at)
      insert into session_counts (starts_at, sessions, minutes, booked_minutes)
      ${recount(sql`changed`)}
      on conflict (starts_at) do update set sessions = excluded.sessions, minutes = excluded.minutes,
        booked_minutes = excluded.booked_minutes`.execute(db);
  });
}
