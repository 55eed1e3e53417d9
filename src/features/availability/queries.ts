import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Schedule } from './rules.ts';

/** A provider's weekly hours and the exceptions of the last two days and to come, in one statement; `not_found` for anyone else. */
export async function scheduleOf(ctx: Ctx, providerId: string): Promise<Schedule> {
  const found = await scheduleRow(ctx, providerId).executeTakeFirst();
  if (!found) throw new AppError('not_found', 'specialist');
  return found;
}

/** The same as a query, for statements that ask for more at once. */
export function scheduleRow(ctx: Ctx, providerId: string) {
  // Two days back in UTC: no zone's today is left out.
  const since = ctx.now().subtract({ hours: 48 }).toString().slice(0, 10);
  return ctx.db
    .selectFrom('providers')
    .where('providers.id', '=', providerId)
    .select(({ selectFrom }) => [
      'providers.time_zone as timeZone',
      jsonArrayFrom(
        selectFrom('weekly_hours')
          .whereRef('weekly_hours.provider_id', '=', 'providers.id')
          .select(['weekday', 'from_time as from', 'to_time as to'])
          .orderBy('weekday')
          .orderBy('from_time'),
      ).as('weekly'),
      jsonArrayFrom(
        selectFrom('date_exceptions')
          .whereRef('date_exceptions.provider_id', '=', 'providers.id')
          .where('date', '>=', since)
          .select(['date', 'windows'])
          .orderBy('date'),
      ).as('exceptions'),
    ]);
}
