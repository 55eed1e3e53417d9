import { AppError, type FieldProblem } from '#/kernel/errors.ts';
import { authorize, type Self } from '#/features/access/rules.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { changesIn } from '#/features/audit/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { clearPageCache, publish } from '#/platform/realtime/publish.ts';
import { requireOwnHours } from './policies.ts';
import { availabilityOf, lockHours } from './queries.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'availability.changed': { providerId: string };
  }
}

/** Fixed words and numbers only. */
export interface HoursChange {
  action: Action;
  details: Readonly<Record<string, string | number | boolean>>;
}

export type LockedHours = Awaited<ReturnType<typeof lockHours>>;

/**
 * Changes availability under a lock shared with bookings; people can change only their own. Audits it and emits
 * `availability.changed`.
 */
export async function changeHours<T>(
  ctx: Ctx,
  providerId: string,
  work: (tx: TxCtx, locked: LockedHours) => Promise<{ answer: T; change: HoursChange | null }>,
): Promise<T> {
  authorize(ctx.actor, ['manage_own_availability']);
  requireOwnHours(ctx, providerId);
  return transact(ctx, async (tx) => {
    const { answer, change } = await work(tx, await lockHours(tx, providerId));
    if (!change) return answer;
    await recordDone(tx, { ...change, subject: { kind: 'provider', id: providerId } });
    await tx.emit(tx, 'availability.changed', { providerId });
    await publish(tx, [`person:${providerId}`], { type: 'availability.changed', id: providerId });
    return answer;
  });
}

/** Throws `invalid` with all field problems, if any. */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  const [first] = problems;
  if (first) throw new AppError('invalid', first.reason, { fields: [...problems] });
}

/** Toggles booking confirmation; existing bookings are unaffected. */
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
    await clearPageCache(tx);
    return {
      answer: { approvesFirst },
      change: {
        action: 'availability.approval_set',
        details: changesIn({ approvesFirst: before.approvesFirst }, { approvesFirst }),
      },
    };
  });
}
