import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/transact.ts';
import { isoInstant } from '../queries.ts';
import { refusalCode, type DecidedSession } from '../rules.ts';
import { nextFreeStarts, type StartsWanted } from './queries.ts';

/** PostgreSQL's code for a row that an exclusion constraint keeps out. */
const exclusionViolation = '23P01';

/** Refuses a booking by its first refused session, and lists all of them; does nothing where none is refused. */
export function refuseClashes(sessions: readonly DecidedSession[]): void {
  const clashes = sessions.flatMap(({ start, refusal }) => (refusal ? [{ startsAt: isoInstant(start), refusal }] : []));
  const first = clashes[0];
  if (!first) return;
  throw new AppError(refusalCode(first.refusal), first.refusal, {
    fields: [{ field: 'startsAt', reason: first.refusal }],
    data: { clashes },
  });
}

/**
 * Runs what takes a start, and adds the next free ones to its refusal (`data.nextFreeStarts`, ISO instants). They are
 * looked for after the transaction, so that nobody waits for the search.
 */
export async function withNextFreeStarts<T>(
  ctx: Ctx,
  wanted: StartsWanted & { clientId: string; start: number },
  take: () => Promise<T>,
): Promise<T> {
  try {
    return await take();
  } catch (error) {
    const refused = sqlState(error) === exclusionViolation ? new AppError('conflict', 'slot_taken') : error;
    if (!(refused instanceof AppError)) throw error;
    if (refused.reason !== 'slot_taken' && !refused.fields.some(({ field }) => field === 'startsAt')) throw error;
    const next = await nextFreeStarts(ctx, wanted, wanted.start);
    throw new AppError(refused.code, refused.reason, {
      fields: [{ field: 'startsAt', reason: refused.reason }],
      data: { ...refused.data, nextFreeStarts: next.map(isoInstant) },
    });
  }
}
