import { AppError, invalidField } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { scheduleOf } from '#/features/availability/queries.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { openStarts, refusalCode, type BookingQuery, type DecidedSession } from './rules.ts';
import { bookingSettings } from '../offer/queries.ts';
import { commitmentsOf, entriesOf } from './queries.ts';

/** PostgreSQL `exclusion_violation`. */
export const exclusionViolation = '23P01';

/** PostgreSQL `foreign_key_violation`. */
const foreignKeyViolation = '23503';

const day = 24 * 3_600_000;
/** Search range for alternatives: `near` first, then `far` if too few were found. */
const near = 14 * day;
const far = 62 * day;
const offered = 5;

/** Range to load with a decision, so a refusal can suggest alternatives. */
export function spanFrom(start: number, now: number): { start: number; end: number } {
  const from = Math.max(start, now);
  return { start: from, end: from + near };
}

/** Throws the first refusal with all clashes and the next free times; otherwise does nothing. */
export function refuseClashes(sessions: readonly DecidedSession[], query: Omit<BookingQuery, 'input'>): void {
  const clashes = sessions.flatMap(({ start, refusal }) =>
    refusal ? [{ startsAt: isoOf(start), refusal }] : [],
  );
  const first = sessions.find(({ refusal }) => refusal !== null);
  if (!first?.refusal) return;
  const next = openStarts(query, (first.end - first.start) / 60_000, spanFrom(first.start, query.now));
  throw new AppError(refusalCode(first.refusal), first.refusal, {
    fields: [{ field: 'startsAt', reason: first.refusal }],
    data: { clashes, nextFreeStarts: next.slice(0, offered).map(isoOf) },
  });
}

/** Throws `not_free` without revealing which guest is busy; suggests times for everyone. */
export function refuseNotFree(
  { start, end }: Pick<DecidedSession, 'start' | 'end'>,
  query: Omit<BookingQuery, 'input'>,
): never {
  const next = openStarts(query, (end - start) / 60_000, spanFrom(start, query.now));
  throw new AppError('conflict', 'not_free', {
    fields: [{ field: 'startsAt', reason: 'not_free' }],
    data: { nextFreeStarts: next.slice(0, offered).map(isoOf) },
  });
}

interface StartWanted {
  /** Null: a guest without a diary. */
  clientId: string | null;
  providerId: string;
  start: number;
  durationMinutes: number;
  sessionType: SessionType;
  /** Its current time counts as free. */
  moving?: string;
  /** Providers moving own sessions skip advance notice. */
  withoutNotice?: boolean;
}

/** Runs `take`; if a refusal suggests too few times, searches further after the transaction so no lock is held. */
export async function withMoreTimes<T>(ctx: Ctx, wanted: StartWanted, take: () => Promise<T>): Promise<T> {
  try {
    return await take();
  } catch (error) {
    const refused = sqlState(error) === exclusionViolation ? slotTaken() : error;
    const next = refused instanceof AppError ? refused.data.nextFreeStarts : null;
    if (!(refused instanceof AppError) || !Array.isArray(next) || next.length >= offered) throw error;
    const nextFreeStarts = (await startsFrom(ctx, wanted)).slice(0, offered).map(isoOf);
    throw new AppError(refused.code, refused.reason, {
      fields: [...refused.fields],
      data: { ...refused.data, nextFreeStarts },
    });
  }
}

function slotTaken(): AppError {
  const fields = [{ field: 'startsAt', reason: 'slot_taken' }];
  return new AppError('conflict', 'slot_taken', { fields, data: { nextFreeStarts: [] } });
}

/** Times free for both, up to 62 days. */
export async function startsFrom(ctx: Ctx, wanted: StartWanted): Promise<number[]> {
  const now = ctx.now().epochMilliseconds;
  const from = Math.max(wanted.start, now);
  const span = { start: from, end: from + far };
  const settings = await bookingSettings(ctx);
  const schedule = await scheduleOf(ctx, wanted.providerId);
  const { providerId, clientId, moving } = wanted;
  const { entries, own, guests } =
    clientId === null
      ? { entries: await entriesOf(ctx, providerId, span), own: [], guests: [] }
      : await commitmentsOf(ctx, { providerId, clientId }, span, moving === undefined ? [] : [moving]);
  return openStarts(
    {
      diary: { schedule, ...entries },
      own: [...own, ...guests],
      settings,
      inPerson: wanted.sessionType === 'in-person',
      withoutNotice: wanted.withoutNotice ?? false,
      now,
    },
    wanted.durationMinutes,
    span,
  );
}

/** Maps a foreign key violation from a service deleted mid-request to "not offered". */
export async function refuseDeletedService<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const serviceMissing =
      sqlState(error) === foreignKeyViolation &&
      error instanceof Error &&
      'constraint' in error &&
      String(error.constraint).endsWith('_service_id_fkey');
    throw serviceMissing ? invalidField('serviceId', 'not_offered') : error;
  }
}
