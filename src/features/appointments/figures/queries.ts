import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { Self } from '#/features/access/rules.ts';
import { meanRating } from '#/features/providers/rules.ts';
import { requireKnownZone } from '#/kernel/zone-clock.ts';
import { requireOffered } from '../appointment/policies.ts';

/** A client's stats; months in their time zone. */
export async function clientFigures(
  ctx: Ctx,
  client: Self,
  timeZone: string,
): Promise<{ upcoming: number; sessionsThisMonth: number; hoursOfCare: number }> {
  requireKnownZone(timeZone);
  const now = ctx.now();
  const month = now.toZonedDateTimeISO(timeZone).with({ day: 1 }).startOfDay();
  const from = new Date(month.epochMilliseconds);
  const to = new Date(month.add({ months: 1 }).startOfDay().epochMilliseconds);
  const moment = new Date(now.epochMilliseconds);
  const row = await ctx.db
    .selectFrom('appointments')
    .select(({ fn, and, eb }) => {
      const upcoming = and([eb('status', 'in', ['pending', 'confirmed']), eb('ends_at', '>', moment)]);
      const thisMonth = and([
        eb('status', 'in', ['pending', 'confirmed', 'completed']),
        eb('starts_at', '>=', from),
        eb('starts_at', '<', to),
      ]);
      const seconds = sql<number>`extract(epoch from ends_at - starts_at)::float8`;
      return [
        fn.countAll<number>().filterWhere(upcoming).as('upcoming'),
        fn.countAll<number>().filterWhere(thisMonth).as('this_month'),
        fn.sum<number | null>(seconds).filterWhere('status', '=', 'completed').as('seconds'),
      ];
    })
    .where('client_id', '=', client)
    .executeTakeFirstOrThrow();
  return {
    upcoming: row.upcoming,
    sessionsThisMonth: row.this_month,
    hoursOfCare: (row.seconds ?? 0) / 3600,
  };
}

/** Returns provider dashboard stats; days and months follow the provider's time zone. */
export async function providerFigures(
  ctx: Ctx,
  self: Self,
): Promise<{
  today: number;
  thisMonth: number;
  pending: number;
  rating: number | null;
  reviewCount: number;
  timeZone: string;
}> {
  const provider = requireOffered(
    await ctx.db
      .selectFrom('providers')
      .select(['time_zone', 'rating_sum', 'rating_count'])
      .where('id', '=', self)
      .executeTakeFirst(),
  );
  const day = ctx.now().toZonedDateTimeISO(provider.time_zone).startOfDay();
  const month = day.with({ day: 1 }).startOfDay();
  const dateOf = (moment: Temporal.ZonedDateTime) => new Date(moment.epochMilliseconds);
  const moment = new Date(ctx.now().epochMilliseconds);
  const row = await ctx.db
    .selectFrom('appointments')
    .select(({ fn, and, eb }) => {
      const within = (start: Temporal.ZonedDateTime, span: { days: 1 } | { months: 1 }) =>
        and([
          eb('starts_at', '>=', dateOf(start)),
          eb('starts_at', '<', dateOf(start.add(span).startOfDay())),
        ]);
      const count = fn.countAll<number>();
      return [
        count.filterWhere(within(day, { days: 1 })).as('today'),
        count.filterWhere(within(month, { months: 1 })).as('this_month'),
        count.filterWhere(and([eb('status', '=', 'pending'), eb('ends_at', '>', moment)])).as('pending'),
      ];
    })
    .where('provider_id', '=', self)
    .where('status', '<>', 'cancelled')
    .where('starts_at', '>=', dateOf(month.subtract({ days: 1 })))
    .executeTakeFirstOrThrow();
  return {
    today: row.today,
    thisMonth: row.this_month,
    pending: row.pending,
    rating: meanRating(provider.rating_sum, provider.rating_count),
    reviewCount: provider.rating_count,
    timeZone: provider.time_zone,
  };
}
