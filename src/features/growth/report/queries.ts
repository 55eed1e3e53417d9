import type { Self } from '#/features/access/rules.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { GoalView } from '../goals/contract.ts';
import { goalsOf } from '../goals/queries.ts';
import type { ProgressView } from '../progress/contract.ts';
import { progressOf } from '../progress/queries.ts';

/** Reveals nothing about the session's content. */
interface ReportedSession {
  startsAt: Date;
  minutes: number;
  name: string;
}

/** Excludes journal and prayers. */
export interface ProgressReport {
  siteName: string;
  name: string;
  progress: ProgressView;
  goals: GoalView[];
  sessions: ReportedSession[];
}

/** Maximum items per list. */
const max = 100;

export async function reportOf(ctx: Ctx, self: Self): Promise<ProgressReport> {
  const [site, profile, progress, open, achieved] = await Promise.all([
    siteSettings(ctx),
    ctx.db.selectFrom('profiles').select('full_name').where('id', '=', self).executeTakeFirstOrThrow(),
    progressOf(ctx, self),
    goalsOf(ctx, self, { state: 'open', limit: max, offset: 0 }),
    goalsOf(ctx, self, { state: 'achieved', limit: max, offset: 0 }),
  ]);
  return {
    siteName: site.site_name,
    name: profile.full_name,
    progress,
    goals: [...open.goals, ...achieved.goals],
    sessions: await sessionsOf(ctx, self, progress),
  };
}

/** Latest first. */
async function sessionsOf(
  ctx: Ctx,
  self: Self,
  { months, timeZone }: ProgressView,
): Promise<ReportedSession[]> {
  const firstDay = Temporal.PlainDate.from(`${months[0]!.month}-01`);
  const from = new Date(firstDay.toZonedDateTime(timeZone).epochMilliseconds);
  const sessionsAs = (own: 'client_id' | 'provider_id', other: 'client_id' | 'provider_id') =>
    ctx.db
      .selectFrom('appointments')
      .innerJoin('profiles', 'profiles.id', `appointments.${other}`)
      .select(['starts_at', 'ends_at', 'full_name'])
      .where(own, '=', self)
      .where('status', '=', 'completed')
      .where('starts_at', '>=', from);
  const rows = await ctx.db
    .selectFrom(
      sessionsAs('client_id', 'provider_id').unionAll(sessionsAs('provider_id', 'client_id')).as('completed'),
    )
    .selectAll()
    .orderBy('starts_at', 'desc')
    .limit(max)
    .execute();
  return rows.map(({ starts_at, ends_at, full_name }) => ({
    startsAt: starts_at,
    minutes: (ends_at.getTime() - starts_at.getTime()) / 60_000,
    name: full_name,
  }));
}
