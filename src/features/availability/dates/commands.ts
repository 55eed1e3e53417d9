import { sql } from 'kysely';
import type { Self } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { changeHours, refuseProblems } from '../commands.ts';
import type { AvailabilityView } from '../contract.ts';
import { fillHolidays } from '../holidays/commands.ts';
import { availabilityOf, frameOf, todayIn } from '../queries.ts';
import type { WallWindow } from '../rules.ts';
import { shortestOf } from '../week/rules.ts';
import { datesIn, datesProblems, rangeProblem } from './rules.ts';

/** Inclusive dates. */
interface Dates {
  from: string;
  to: string;
}

/** Overrides weekly hours; no windows means days off. */
export async function setDates(
  ctx: Ctx,
  providerId: Self,
  input: {
    from: string;
    to?: string | undefined;
    windows: readonly WallWindow[];
    note: string;
    replaces?: Dates | undefined;
  },
): Promise<AvailabilityView> {
  return changeHours(ctx, providerId, async (tx, { timeZone, sessionLengths }) => {
    const { from, to = from, note } = input;
    const { placeIds, servicesMinutes } = await frameOf(tx, providerId);
    const shortestMinutes = shortestOf(sessionLengths, servicesMinutes);
    const today = todayIn(tx, timeZone);
    refuseProblems(datesProblems({ ...input, to, today, timeZone, placeIds, shortestMinutes }));
    if (input.replaces) await restoreWeek(tx, providerId, input.replaces);
    const dates = datesIn(from, to);
    const windows = JSON.stringify(input.windows.toSorted((a, b) => (a.from < b.from ? -1 : 1)));
    await tx.db
      .insertInto('date_exceptions')
      .values(dates.map((date) => ({ provider_id: providerId, date, windows, note, holiday: null })))
      .onConflict((conflict) =>
        conflict.columns(['provider_id', 'date']).doUpdateSet(({ ref }) => ({
          windows: ref('excluded.windows'),
          note,
          // Undoing a holiday’s removal keeps it a holiday.
          holiday:
            input.windows.length > 0
              ? null
              : sql<string>`case when date_exceptions.holiday = ${note} then ${note} end`,
        })),
      )
      .execute();
    const details = { from, to, dates: dates.length, windows: input.windows.length };
    return {
      answer: await availabilityOf(tx, providerId),
      change: { action: 'availability.dates_set', details },
    };
  });
}

/**
 * Restores weekly hours. Removing an override restores the holiday beneath; removing a holiday cancels it for that
 * date.
 */
export async function removeDates(
  ctx: Ctx,
  providerId: Self,
  { from, to = from }: { from: string; to?: string | undefined },
): Promise<AvailabilityView> {
  return changeHours(ctx, providerId, async (tx) => {
    const problem = rangeProblem({ from, to });
    refuseProblems(problem ? [problem] : []);
    const removed = await restoreWeek(tx, providerId, { from, to });
    return {
      answer: await availabilityOf(tx, providerId),
      change:
        removed > 0 ? { action: 'availability.dates_removed', details: { from, to, dates: removed } } : null,
    };
  });
}

/** Returns how many dates changed. */
async function restoreWeek(tx: TxCtx, providerId: string, { from, to }: Dates): Promise<number> {
  const own = await tx.db
    .deleteFrom('date_exceptions')
    .where('provider_id', '=', providerId)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .where('holiday', 'is', null)
    .returning('date')
    .execute();
  const holidays = await tx.db
    .updateTable('date_exceptions')
    .set({ windows: null })
    .where('provider_id', '=', providerId)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .where('holiday', 'is not', null)
    .where('windows', 'is not', null)
    .returning('date')
    .execute();
  if (own.length > 0) await fillHolidays(tx, providerId);
  return own.length + holidays.length;
}
