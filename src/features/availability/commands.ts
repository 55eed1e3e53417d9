import { AppError, type FieldProblem } from '#/kernel/errors.ts';
import { authorise } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { WeeklyWindow } from './rules.ts';

/** More windows than this on one day are a mistake, not a schedule. */
const windowsPerDay = 12;

/**
 * Replaces a provider's weekly hours. Appointments that stand stay as they are. Refuses windows that end before they
 * begin, meet another of the same day, or aren't wall-clock times; a person may change only their own.
 */
export async function setWeeklyHours(
  ctx: Ctx,
  providerId: string,
  windows: readonly WeeklyWindow[],
): Promise<void> {
  authorise(ctx.actor, ['manage_own_availability']);
  if (ctx.actor.kind === 'person' && ctx.actor.id !== providerId)
    throw new AppError('not_found', 'specialist');
  const problems = weekProblems(windows);
  if (problems.length > 0) throw new AppError('invalid', problems[0]!.reason, { fields: problems });
  await transact(ctx, async (tx) => {
    // Two changes at once follow each other; bookings, which only point at the row, aren't held up.
    const provider = await tx.db
      .selectFrom('providers')
      .select('id')
      .where('id', '=', providerId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!provider) throw new AppError('not_found', 'specialist');
    await tx.db.deleteFrom('weekly_hours').where('provider_id', '=', providerId).execute();
    if (windows.length > 0) {
      await tx.db
        .insertInto('weekly_hours')
        .values(
          windows.map(({ weekday, from, to }) => ({
            provider_id: providerId,
            weekday,
            from_time: from,
            to_time: to,
          })),
        )
        .execute();
    }
    await recordDone(tx, {
      action: 'availability.weekly_hours_set',
      category: 'service_management',
      subject: { kind: 'provider', id: providerId },
      details: { windows: windows.length },
    });
  });
}

const wallTime = /^([01]\d|2[0-3]):[0-5]\d$/;

function weekProblems(windows: readonly WeeklyWindow[]): FieldProblem[] {
  return windows.flatMap((window, index) => {
    const reason = windowProblem(window, windows.slice(0, index));
    return reason === null ? [] : [{ field: `windows.${index}`, reason }];
  });
}

function windowProblem({ weekday, from, to }: WeeklyWindow, earlier: readonly WeeklyWindow[]): string | null {
  if (!Number.isInteger(weekday) || weekday < 1 || weekday > 7) return 'not_a_weekday';
  if (!wallTime.test(from) || !(wallTime.test(to) || to === '24:00')) return 'not_a_time';
  if (from >= to) return 'ends_before_it_begins';
  const sameDay = earlier.filter((other) => other.weekday === weekday);
  if (sameDay.length >= windowsPerDay) return 'too_many';
  return sameDay.some((other) => other.from < to && from < other.to) ? 'overlaps' : null;
}
