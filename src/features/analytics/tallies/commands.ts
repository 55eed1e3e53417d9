import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';

/** Sums up the changes of totals. */
export async function sumTallies({ db }: Ctx): Promise<void> {
  const minutes = Array.from({ length: 7 }, (_, day) => sql`sum(weekly_minutes[${sql.lit(day + 1)}])`);
  // One statement, so no read misses any.
  await sql`
    with changes as (
      delete from tallies where (select count(*) from tallies) > 1 returning accounts, listed, weekly_minutes
    )
    insert into tallies (accounts, listed, weekly_minutes)
    select sum(accounts), sum(listed), array[${sql.join(minutes)}]::int4[] from changes having count(*) > 0`.execute(
    db,
  );
}
