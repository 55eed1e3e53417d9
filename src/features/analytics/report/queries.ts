import { sql } from 'kysely';
import { invalidField } from '#/kernel/errors.ts';
import { dayIn } from '#/features/growth/progress/rules.ts';
import { meanRating } from '#/features/providers/rules.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { usersNow, usersSince } from '../overview/queries.ts';
import { sessionsBetween } from '../sessions/queries.ts';
import type { ReportView } from '../contract.ts';
import {
  dayAfter,
  dayBefore,
  daysIn,
  monthsOf,
  percentOf,
  rangeOf,
  rangeProblem,
  weekdaysBetween,
  type Range,
} from './rules.ts';

/** Returns site stats for a date range. Throws `invalid` for an unsupported range. */
export async function reportOf(
  ctx: Ctx,
  asked: { from?: string | undefined; to?: string | undefined },
): Promise<ReportView> {
  const { timezone: timeZone } = await siteSettings(ctx);
  const today = dayIn(timeZone, ctx.now().epochMilliseconds);
  const range = rangeOf(asked, today);
  const problem = rangeProblem(range, today);
  if (problem) throw invalidField(problem.field, problem.reason);
  const months = monthsOf(range);
  const start = (day: string) =>
    new Date(Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds);
  const end = start(dayAfter(range.to));
  const bounds = [...months.map(({ from }) => start(from)), end];
  const [counts, users, grown, offeredMinutes, ratings] = await Promise.all([
    sessionsBetween(ctx, bounds),
    usersNow(ctx),
    usersSince(ctx, bounds.slice(1)),
    minutesOffered(ctx, range, start),
    ratingsBetween(ctx, bounds[0]!, end),
  ]);
  const sum = (of: (count: (typeof counts)[number]) => number) =>
    counts.reduce((total, count) => total + of(count), 0);
  const sessions = sum((count) => count.sessions);
  const bookedMinutes = sum((count) => count.bookedMinutes);
  return {
    timeZone,
    today,
    ...range,
    months: months.map(({ month }, index) => ({
      month,
      sessions: counts[index]!.sessions,
      users: users - grown[index]!,
    })),
    sessions,
    utilisation: { percent: percentOf(bookedMinutes, offeredMinutes), bookedMinutes, offeredMinutes },
    ratings,
    sessionMinutes: sessions === 0 ? null : Math.round(sum((count) => count.minutes) / sessions),
  };
}

async function minutesOffered(ctx: Ctx, range: Range, start: (day: string) => Date): Promise<number> {
  const weekly = (minutes: readonly (number | null)[], days: Range) =>
    minutes.reduce<number>((sum, one, day) => sum + (one ?? 0) * weekdaysBetween(day + 1, days), 0);
  const days = [...daysIn(range), dayAfter(range.to)];
  const starts = days.map(start);
  const sums = Array.from({ length: 7 }, (_, day) => sql`sum(weekly_minutes[${sql.lit(day + 1)}])`);
  const minutes = sql<(number | null)[]>`array[${sql.join(sums)}]::int4[]`.as('minutes');
  const [all, joined] = await Promise.all([
    ctx.db.selectFrom('tallies').select(minutes).executeTakeFirstOrThrow(),
    ctx.db
      .selectFrom('providers')
      .where('listed', '=', true)
      .where('created_at', '>=', starts[0]!)
      .select(sql<number>`width_bucket(created_at, ${sql.val(starts)}::timestamptz[])`.as('day'))
      .select(minutes)
      .groupBy('day')
      .execute(),
  ]);
  // Whoever joined on a day offered nothing before.
  return joined.reduce(
    (total, { day, minutes: theirs }) =>
      total - weekly(theirs, { from: range.from, to: dayBefore(days[day - 1]!) }),
    weekly(all.minutes, range),
  );
}

async function ratingsBetween(ctx: Ctx, from: Date, to: Date): Promise<ReportView['ratings']> {
  const { count, sum, satisfied } = await ctx.db
    .selectFrom('reviews')
    .where('state', '=', 'approved')
    .where('written_at', '>=', from)
    .where('written_at', '<', to)
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(rating), 0)::int4`.as('sum'),
      fn.countAll<number>().filterWhere('rating', '>=', 4).as('satisfied'),
    ])
    .executeTakeFirstOrThrow();
  return { mean: meanRating(sum, count), satisfied: percentOf(satisfied, count), count };
}
