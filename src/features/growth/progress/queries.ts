import { sql } from 'kysely';
import type { Self } from '#/features/access/rules.ts';
import type { Sharer } from '#/features/care/sharing/policies.ts';
import type { Ctx } from '#/platform/context.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { ProgressView } from './contract.ts';
import { activeDays, lastMonths, progressByMonth, type Activity } from './rules.ts';

/** The caller, or a client sharing progress. */
type ProgressOwner = Self | Sharer<'progress'>;

/** Returns progress counted in the person's time zone. */
export async function progressOf(ctx: Ctx, self: ProgressOwner): Promise<ProgressView> {
  const timeZone = await zoneOf(ctx, self);
  const [activity, sessions, counts] = await Promise.all([
    activityOf(ctx, self),
    sessionStarts(ctx, self),
    countsOf(ctx, self),
  ]);
  const active = activeDays(activity, timeZone);
  return {
    timeZone,
    ...counts,
    daysActive: active.size,
    months: progressByMonth(sessions, active, timeZone, ctx.now().epochMilliseconds),
  };
}

/**
 * Returns distinct active quarter hours. Midnight in any time zone falls on one, so SQL needs no time zones to count
 * days.
 */
async function activityOf(ctx: Ctx, self: ProgressOwner): Promise<Activity> {
  const { rows } = await sql<{ at: Date | null; day: string | null }>`
    select distinct date_bin('15 minutes', at, 'epoch'::timestamptz) as at, null::date as day from (
      select starts_at as at from appointments where client_id = ${self} and status = 'completed'
      union all select starts_at from appointments where provider_id = ${self} and status = 'completed'
      union all select done_at from goal_steps where person_id = ${self} and done_at is not null
      union all select achieved_at from goals where person_id = ${self} and achieved_at is not null
      union all select first_at from resource_gets where person_id = ${self}
      union all select created_at from prayer_requests where client_id = ${self}
      union all select prayed_at from prayer_answers where person_id = ${self}
    ) as acts
    union all select distinct null::timestamptz, entry_date from journal_entries where person_id = ${self}
  `.execute(ctx.db);
  return {
    instants: rows.flatMap(({ at }) => (at ? [at.getTime()] : [])),
    days: rows.flatMap(({ day }) => day ?? []),
  };
}

async function sessionStarts(ctx: Ctx, self: ProgressOwner): Promise<number[]> {
  const now = ctx.now().epochMilliseconds;
  // Two extra days cover every time zone.
  const from = new Date(Date.parse(`${lastMonths('UTC', now)[0]!}-01`) - 2 * 86_400_000);
  const startsAs = (side: 'client_id' | 'provider_id') =>
    ctx.db
      .selectFrom('appointments')
      .select('starts_at')
      .where(side, '=', self)
      .where('status', '=', 'completed')
      .where('starts_at', '>=', from);
  const rows = await startsAs('client_id').unionAll(startsAs('provider_id')).execute();
  return rows.map(({ starts_at }) => starts_at.getTime());
}

async function countsOf(
  ctx: Ctx,
  self: ProgressOwner,
): Promise<Pick<ProgressView, 'sessionsCompleted' | 'resourcesUsed' | 'goalsAchieved'>> {
  const completedAs = (side: 'client_id' | 'provider_id') =>
    ctx.db
      .selectFrom('appointments')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(side, '=', self)
      .where('status', '=', 'completed');
  const row = await ctx.db
    .selectNoFrom(({ selectFrom }) => [
      completedAs('client_id').as('as_client'),
      completedAs('provider_id').as('as_provider'),
      selectFrom('goals')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('person_id', '=', self)
        .where('archived_at', 'is', null)
        .where('achieved_at', 'is not', null)
        .as('goals'),
      selectFrom('resource_gets')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('person_id', '=', self)
        .as('resources'),
    ])
    .executeTakeFirstOrThrow();
  return {
    sessionsCompleted: (row.as_client ?? 0) + (row.as_provider ?? 0),
    resourcesUsed: row.resources ?? 0,
    goalsAchieved: row.goals ?? 0,
  };
}

/** The person's time zone, or the site's. */
export async function zoneOf(ctx: Ctx, person: string): Promise<string> {
  const profile = await ctx.db
    .selectFrom('profiles')
    .select('time_zone')
    .where('id', '=', person)
    .executeTakeFirst();
  return profile?.time_zone ?? (await siteSettings(ctx)).timezone;
}
