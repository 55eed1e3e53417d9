import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import { changesIn } from '#/features/audit/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { clearPageCache, publish } from '#/platform/realtime/publish.ts';
import type { AvailabilityDraft, AvailabilityView } from '../contract.ts';
import { availabilityOf, frameOf } from '../queries.ts';
import { defaultWeek, type WeeklyWindow } from '../rules.ts';
import { changeHours, refuseProblems } from '../commands.ts';
import { weeklyProblems, weekProblems } from './rules.ts';

/** Replaces weekly hours; existing appointments stay. Throws for reversed, overlapping or malformed windows. */
export async function setWeeklyHours(
  ctx: Ctx,
  providerId: string,
  windows: readonly WeeklyWindow[],
): Promise<void> {
  await changeHours(ctx, providerId, async (tx) => {
    const { placeIds } = await frameOf(tx, providerId);
    refuseProblems(weeklyProblems(windows, 'windows', placeIds));
    await replaceWeek(tx, providerId, windows);
    return {
      answer: null,
      change: { action: 'availability.weekly_hours_set', details: { windows: windows.length } },
    };
  });
}

/** Sets default hours for new providers; idempotent. */
export async function setFirstWeek(ctx: Ctx, providerId: string): Promise<void> {
  await changeHours(ctx, providerId, async (tx, { version }) => {
    const hours = await tx.db
      .selectFrom('weekly_hours')
      .select('weekday')
      .where('provider_id', '=', providerId)
      .limit(1)
      .executeTakeFirst();
    if (hours || version > 1) return { answer: undefined, change: null };
    await replaceWeek(tx, providerId, defaultWeek);
    const details = { windows: defaultWeek.length };
    return { answer: undefined, change: { action: 'availability.weekly_hours_set', details } };
  });
}

async function replaceWeek(tx: TxCtx, providerId: string, windows: readonly WeeklyWindow[]): Promise<void> {
  await tx.db.deleteFrom('weekly_hours').where('provider_id', '=', providerId).execute();
  if (windows.length === 0) return;
  await tx.db
    .insertInto('weekly_hours')
    .values(
      windows.map(({ weekday, from, to, placeId }) => ({
        provider_id: providerId,
        weekday,
        from_time: from,
        to_time: to,
        place_id: placeId ?? null,
      })),
    )
    .execute();
}

/**
 * Saves week, terms, rest and time zone together; existing appointments stay. Throws `invalid` with every wrong field,
 * `changed_meanwhile` for a stale version.
 */
export async function saveWeek(
  ctx: Ctx,
  providerId: Self,
  week: AvailabilityDraft & { version: number },
): Promise<AvailabilityView> {
  return changeHours(ctx, providerId, async (tx, locked) => {
    refuseProblems(weekProblems(week, await frameOf(tx, providerId)));
    if (locked.version !== week.version) throw new AppError('conflict', 'changed_meanwhile');
    const before = await availabilityOf(tx, providerId);
    await replaceWeek(tx, providerId, week.weekly);
    const { terms, rest } = week;
    await tx.db
      .updateTable('providers')
      .set({
        time_zone: week.timeZone,
        session_lengths: terms.sessionLengths && [...new Set(terms.sessionLengths)].toSorted((a, b) => a - b),
        buffer_minutes: terms.bufferMinutes,
        notice_hours: terms.noticeHours,
        daily_maximum: terms.dailyMaximum,
        rest_kind: rest.kind,
        rest_place: rest.place?.name ?? null,
        rest_latitude: rest.place?.latitude ?? null,
        rest_longitude: rest.place?.longitude ?? null,
        rest_time_zone: rest.place?.timeZone ?? null,
        availability_version: week.version + 1,
      })
      .where('id', '=', providerId)
      .execute();
    // Public pages show these.
    await clearPageCache(tx);
    await publish(tx, [`person:${providerId}`], { type: 'accounts.profile_changed', id: providerId });
    const after = await availabilityOf(tx, providerId);
    const zone = before.timeZone !== after.timeZone && { timeZone: 'changed' };
    return {
      answer: after,
      change: {
        action: 'availability.saved',
        details: {
          windows: week.weekly.length,
          ...changesIn(loggedFields(before), loggedFields(after)),
          ...zone,
        },
      },
    };
  });
}

function loggedFields({ weekly, terms, rest }: AvailabilityView) {
  const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
  const open = weekly.reduce((sum, { from, to }) => sum + minutes(to) - minutes(from), 0);
  return { ...terms, weeklyHours: open / 60, rest: rest.kind };
}
