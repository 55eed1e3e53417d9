import { sql } from 'kysely';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { sessionsBetween } from '../sessions/queries.ts';
import type { OverviewView } from './contract.ts';
import { monthSoFar } from './rules.ts';

/** Hours; no session is longer. */
const longestSession = 24;

/** Returns site totals, now and at the end of last month. */
export async function overview(ctx: Ctx): Promise<OverviewView> {
  const now = ctx.now();
  const { timezone } = await siteSettings(ctx);
  const month = monthSoFar(timezone, now);
  const start = new Date(month.thisMonth);
  const [users, usersBefore, providers, approvals, [lastMonth], [thisMonth], running] = await Promise.all([
    usersNow(ctx),
    usersSince(ctx, [start]),
    activeProviders(ctx, start),
    pendingApprovals(ctx, start),
    // Inclusive end, as for this month.
    sessionsBetween(ctx, [
      new Date(month.lastMonth),
      new Date(Math.min(month.lastMonthSoFar + 1, month.thisMonth)),
    ]),
    sessionsBetween(ctx, [start, new Date(now.epochMilliseconds + 1)]),
    sessionsRunning(ctx),
  ]);
  return {
    totalUsers: { now: users, before: users - usersBefore[0]! },
    activeProviders: providers,
    pendingApprovals: approvals,
    activeSessions: { now: thisMonth!.sessions, before: lastMonth!.sessions, running },
  };
}

/** Counts claimed accounts that aren't erased. */
export async function usersNow(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select ((select coalesce(sum(accounts), 0) from tallies)
      - (select count(*) from users join profiles using (id)
          where email like '%@unclaimed.invalid' and erased_at is null))::int4 as n`.execute(ctx.db);
  return rows[0]!.n;
}

/** Returns net growth since each moment; moments ascend. */
export async function usersSince(ctx: Ctx, moments: readonly Date[]): Promise<number[]> {
  const spans = sql`${sql.val(moments)}::timestamptz[]`;
  const ends = [...moments.slice(1), 'infinity'];
  const first = moments[0]!;
  const { rows } = await sql<{ span: number; grown: number }>`
    select span, sum(grown)::int4 as grown from (
      -- An index alone tells who is there, span by span.
      select span::int4, (select count(*) from profiles
          where erased_at is null and created_at >= begins and created_at < ends) as grown
        from unnest(${spans}, ${ends}::timestamptz[]) with ordinality as spans (begins, ends, span)
      union all
      -- An account that nobody has claimed isn't a user's.
      select width_bucket(created_at, ${spans}), -count(*) from users
       where email like '%@unclaimed.invalid' and created_at >= ${first} group by 1
      union all
      -- Who was erased in the meantime was there before, unless they came in the meantime, too.
      select width_bucket(erased_at, ${spans}), -count(*) from profiles where erased_at >= ${first} group by 1
      union all
      select width_bucket(created_at, ${spans}), count(*) from profiles
       where erased_at >= ${first} and created_at >= ${first} group by 1
    ) as changes group by span`.execute(ctx.db);
  const bySpan = new Map(rows.map(({ span, grown }) => [span, grown]));
  const grown = moments.map((_, index) => bySpan.get(index + 1) ?? 0);
  return grown.map((_, index) => grown.slice(index).reduce((sum, one) => sum + one, 0));
}

/** Counts listed providers with a valid license. */
async function activeProviders(ctx: Ctx, moment: Date): Promise<{ now: number; before: number }> {
  const lapsed = (at: Date) => sql`(select count(*) from providers
    where listed and licensed_until < (${at}::timestamptz at time zone 'UTC')::date)`;
  const { rows } = await sql<{ now: number; before: number }>`
    select (listed - ${lapsed(new Date(ctx.now().epochMilliseconds))})::int4 as now,
      (listed - ${lapsed(moment)}
        - (select coalesce(sum(change), 0) from listing_changes where at >= ${moment}))::int4 as before
    from (select coalesce(sum(listed), 0) as listed from tallies) as totals`.execute(ctx.db);
  return rows[0]!;
}

async function pendingApprovals(ctx: Ctx, moment: Date): Promise<{ now: number; before: number }> {
  return ctx.db
    .selectFrom('provider_applications')
    .select(({ fn, and, or, eb }) => [
      fn.countAll<number>().filterWhere('status', '=', 'pending').as('now'),
      fn
        .countAll<number>()
        .filterWhere(
          and([
            eb('submitted_at', '<', moment),
            or([eb('decided_at', 'is', null), eb('decided_at', '>=', moment)]),
          ]),
        )
        .as('before'),
    ])
    .executeTakeFirstOrThrow();
}

async function sessionsRunning(ctx: Ctx): Promise<number> {
  const now = ctx.now();
  const { n } = await ctx.db
    .selectFrom('appointments')
    .where('starts_at', '<=', new Date(now.epochMilliseconds))
    .where('starts_at', '>', new Date(now.subtract({ hours: longestSession }).epochMilliseconds))
    .where('ends_at', '>', new Date(now.epochMilliseconds))
    .where('status', '=', 'confirmed')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}
