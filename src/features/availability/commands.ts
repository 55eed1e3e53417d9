import { AppError, type FieldProblem } from '#/kernel/errors.ts';
import { authorise, type Self } from '#/features/access/rules.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { changesIn } from '#/features/audit/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { forgetPages, publish } from '#/platform/realtime/publish.ts';
import type { AvailabilityDraft, AvailabilityView } from './contract.ts';
import { availabilityOf, frameOf, lockHours } from './queries.ts';
import { defaultWeek, type WeeklyWindow } from './rules.ts';
import { weeklyProblems, weekProblems } from './week/rules.ts';

declare module '#/platform/jobs/events.ts' {
  interface Events {
    /** What can be booked with a provider may be more or less than before. */
    'availability.changed': { providerId: string };
  }
}

/** What a change of hours is filed as; the details hold closed words and numbers only. */
export interface HoursChange {
  action: Action;
  details: Readonly<Record<string, string | number | boolean>>;
}

/** A provider's row, held while their hours are changed. */
export type LockedHours = Awaited<ReturnType<typeof lockHours>>;

/**
 * Changes what can be booked with a provider, one change after the other and never in the midst of a booking; a person
 * may change only their own. What is stored is filed and told.
 */
export async function changeHours<T>(
  ctx: Ctx,
  providerId: string,
  work: (tx: TxCtx, locked: LockedHours) => Promise<{ answer: T; change: HoursChange | null }>,
): Promise<T> {
  authorise(ctx.actor, ['manage_own_availability']);
  if (ctx.actor.kind === 'person' && ctx.actor.id !== providerId)
    throw new AppError('not_found', 'specialist');
  return transact(ctx, async (tx) => {
    const { answer, change } = await work(tx, await lockHours(tx, providerId));
    if (!change) return answer;
    await recordDone(tx, {
      ...change,
      category: 'service_management',
      subject: { kind: 'provider', id: providerId },
    });
    await tx.emit(tx, 'availability.changed', { providerId });
    await publish(tx, [`person:${providerId}`], { type: 'availability.changed', id: providerId });
    return answer;
  });
}

/** Refuses what has problems, by its fields; else does nothing. */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  const [first] = problems;
  if (first) throw new AppError('invalid', first.reason, { fields: [...problems] });
}

/**
 * Replaces a provider's weekly hours and nothing else. Appointments that stand stay as they are. Refuses windows that
 * end before they begin, meet another of the same day, or aren't wall-clock times.
 */
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

/** Gives a provider who has never had hours the default week; nothing to anybody else. May run again. */
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
 * Stores a provider's week, terms, rest and zone together. Refuses with every field that is wrong, and with
 * `changed_meanwhile` what was made of an older version; appointments that stand stay as they are.
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
    // The zone and the lengths stand on public pages, and the zone is that of the person's account.
    await forgetPages(tx);
    await publish(tx, [`person:${providerId}`], { type: 'accounts.profile_changed', id: providerId });
    const after = await availabilityOf(tx, providerId);
    const zone = before.timeZone !== after.timeZone && { timeZone: 'changed' };
    return {
      answer: after,
      change: {
        action: 'availability.saved',
        details: { windows: week.weekly.length, ...changesIn(toldOf(before), toldOf(after)), ...zone },
      },
    };
  });
}

/** A week for the audit log: its total hours and its terms. */
function toldOf({ weekly, terms, rest }: AvailabilityView) {
  const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
  const open = weekly.reduce((sum, { from, to }) => sum + minutes(to) - minutes(from), 0);
  return { ...terms, weeklyHours: open / 60, rest: rest.kind };
}

/** Says whether bookings wait until the provider confirms them; those that stand stay as they are. */
export async function setApproval(
  ctx: Ctx,
  providerId: Self,
  approvesFirst: boolean,
): Promise<{ approvesFirst: boolean }> {
  return changeHours(ctx, providerId, async (tx) => {
    const before = await availabilityOf(tx, providerId);
    await tx.db
      .updateTable('providers')
      .set({ approves_first: approvesFirst })
      .where('id', '=', providerId)
      .execute();
    await forgetPages(tx);
    return {
      answer: { approvesFirst },
      change: {
        action: 'availability.approval_set',
        details: changesIn({ approvesFirst: before.approvesFirst }, { approvesFirst }),
      },
    };
  });
}
