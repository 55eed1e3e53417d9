import { sql } from 'kysely';
import type { Self } from '#/features/access/rules.ts';
import { requireProvider } from '#/features/availability/policies.ts';
import { lastMonths } from '#/features/growth/progress/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import type { OwnAnalytics, Tally } from '../contract.ts';
import { meanRating } from '#/features/providers/rules.ts';

/** Returns a provider's stats for twelve months. Throws `not_found` for anyone else. */
export async function ownAnalytics(ctx: Ctx, self: Self): Promise<OwnAnalytics> {
  const found = await ctx.db
    .selectFrom('providers')
    .select('time_zone')
    .where('id', '=', self)
    .executeTakeFirst();
  const timeZone = requireProvider(found).time_zone;
  const names = lastMonths(timeZone, ctx.now().epochMilliseconds);
  const [sessions, ratings] = await Promise.all([
    sessionsByMonth(ctx, self, names),
    ratingsByMonth(ctx, self, names, timeZone),
  ]);
  const counted = names.map((month): Counted & { month: string } => ({
    ...(sessions.get(month) ?? { sessions: 0, hours: 0, noShows: 0, cancelled: 0 }),
    ...(ratings.get(month) ?? { reviews: 0, ratingSum: 0 }),
    month,
  }));
  return {
    timeZone,
    months: counted.map((part) => ({ month: part.month, ...tallyOf([part]) })),
    total: tallyOf(counted),
  };
}

async function sessionsByMonth(
  ctx: Ctx,
  self: Self,
  months: readonly string[],
): Promise<Map<string, Pick<Counted, 'sessions' | 'hours' | 'noShows' | 'cancelled'>>> {
  const month = sql<string>`to_char(local_date, 'YYYY-MM')`;
  const rows = await ctx.db
    .selectFrom('appointments')
    .select(({ fn }) => [
      month.as('month'),
      fn.countAll<number>().filterWhere('status', '=', 'completed').as('sessions'),
      fn.countAll<number>().filterWhere('status', '=', 'no_show').as('noShows'),
      fn.countAll<number>().filterWhere('status', '=', 'cancelled').as('cancelled'),
      sql<number>`coalesce(extract(epoch from sum(ends_at - starts_at) filter (where status = 'completed')), 0)::float8 / 3600`.as(
        'hours',
      ),
    ])
    .where('provider_id', '=', self)
    // Two extra days cover every time zone.
    .where('starts_at', '>=', new Date(Date.parse(`${months[0]}-01`) - 2 * 86_400_000))
    .where('local_date', '>=', `${months[0]}-01`)
    .where('status', 'in', ['completed', 'no_show', 'cancelled'])
    .groupBy(month)
    .execute();
  return new Map(rows.map(({ month: name, ...counted }) => [name, counted]));
}

async function ratingsByMonth(
  ctx: Ctx,
  self: Self,
  months: readonly string[],
  timeZone: string,
): Promise<Map<string, Pick<Counted, 'reviews' | 'ratingSum'>>> {
  // The database doesn't need the time zone.
  const bounds = months.map(
    (month) => new Date(Temporal.PlainDate.from(`${month}-01`).toZonedDateTime(timeZone).epochMilliseconds),
  );
  const number = sql<number>`width_bucket(written_at, ${sql.val(bounds)}::timestamptz[])`;
  const rows = await ctx.db
    .selectFrom('reviews')
    .select(({ fn }) => [
      number.as('number'),
      fn.countAll<number>().as('reviews'),
      sql<number>`sum(rating)::int4`.as('ratingSum'),
    ])
    .where('provider_id', '=', self)
    .where('state', '=', 'approved')
    .where('written_at', '>=', bounds[0]!)
    .groupBy('number')
    .execute();
  return new Map(rows.map(({ number: index, ...counted }) => [months[index - 1]!, counted]));
}

interface Counted extends Omit<Tally, 'rating'> {
  ratingSum: number;
}

/** Adds up periods, weighting every rating equally. */
function tallyOf(parts: readonly Counted[]): Tally {
  const sum = (of: (part: Counted) => number) => parts.reduce((total, part) => total + of(part), 0);
  const reviews = sum((part) => part.reviews);
  return {
    sessions: sum((part) => part.sessions),
    hours: sum((part) => part.hours),
    noShows: sum((part) => part.noShows),
    cancelled: sum((part) => part.cancelled),
    rating: meanRating(
      sum((part) => part.ratingSum),
      reviews,
    ),
    reviews,
  };
}
