import { sql, type RawBuilder } from 'kysely';
import type { Ctx } from '#/platform/context.ts';

export interface SessionCount {
  /** Confirmed or completed, already started. */
  sessions: number;
  minutes: number;
  /** Past and future, without canceled appointments. */
  bookedMinutes: number;
}

/** Start times without remaining appointments return zero. */
export function recount(changed: RawBuilder<unknown>): RawBuilder<unknown> {
  const held = sql`filter (where a.status in ('confirmed', 'completed'))`;
  const minutes = sql`sum(extract(epoch from a.ends_at - a.starts_at) / 60)`;
  return sql`
    select c.starts_at, (count(*) ${held})::int4 as sessions, coalesce(${minutes} ${held}, 0)::int4 as minutes,
      coalesce(${minutes} filter (where a.status <> 'cancelled'), 0)::int4 as booked_minutes
    from (select distinct starts_at from ${changed}) as c
    left join appointments as a on a.starts_at = c.starts_at
    group by c.starts_at`;
}

/** Counts sessions between ascending bounds. Recounts changed start times, so results are exact. */
export async function sessionsBetween(ctx: Ctx, bounds: readonly Date[]): Promise<SessionCount[]> {
  const now = new Date(ctx.now().epochMilliseconds);
  const [first, last] = [sql`${bounds[0]!}::timestamptz`, sql`${bounds.at(-1)!}::timestamptz`];
  const counted = sql`sessions, minutes, booked_minutes`;
  const { rows } = await sql<{ span: number } & SessionCount>`
    with parted as (
      -- The days in which a bound stands, or the present, are counted moment by moment.
      select distinct (at at time zone 'UTC')::date as day from unnest(${[...bounds, now]}::timestamptz[]) as at
    ),
    changed as (
      select distinct starts_at from session_counts_changed where starts_at >= ${first} and starts_at < ${last}
    ),
    counts as (
      select day::timestamp at time zone 'UTC' as starts_at, ${counted} from session_days
       where day > (${first} at time zone 'UTC')::date and day < (${last} at time zone 'UTC')::date
         and day not in (select day from parted)
      union all
      -- The offset keeps the days apart, so that each is read from the index.
      select starts_at, ${counted} from parted cross join lateral (
        select starts_at, ${counted} from session_counts
         where starts_at >= greatest(day::timestamp at time zone 'UTC', ${first})
           and starts_at < least((day + 1)::timestamp at time zone 'UTC', ${last}) offset 0) as moments
      union all
      -- What has changed since is taken out and recounted.
      select starts_at, -sessions, -minutes, -booked_minutes from changed join session_counts using (starts_at)
      union all (${recount(sql`changed`)})
    )
    select width_bucket(starts_at, ${sql.val(bounds)}::timestamptz[]) as span,
      coalesce(sum(sessions) filter (where starts_at <= ${now}), 0)::int4 as sessions,
      coalesce(sum(minutes) filter (where starts_at <= ${now}), 0)::int4 as minutes,
      sum(booked_minutes)::int4 as "bookedMinutes"
    from counts group by 1`.execute(ctx.db);
  const found = new Map(rows.map(({ span, ...count }) => [span, count]));
  return bounds
    .slice(1)
    .map((_, index) => found.get(index + 1) ?? { sessions: 0, minutes: 0, bookedMinutes: 0 });
}
