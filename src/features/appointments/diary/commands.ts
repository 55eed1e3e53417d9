import { AppError, invalidField, type ErrorCode } from '#/kernel/errors.ts';
import type { Interval } from '#/kernel/interval.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { scheduleOf } from '#/features/availability/queries.ts';
import type { StartRefusal } from '../appointment/contract.ts';
import { openStarts, refusalCode, spanFrom, type BookingQuery, type DecidedSession } from './rules.ts';
import { bookingSettings } from '../offer/queries.ts';
import { commitmentsOf, entriesOf } from './queries.ts';

/** PostgreSQL `exclusion_violation`. */
export const exclusionViolation = '23P01';

/** PostgreSQL `foreign_key_violation`. */
const foreignKeyViolation = '23503';

/** Milliseconds to search for further times, if a refusal suggests fewer than `offered`. */
const far = 62 * 24 * 3_600_000;
const offered = 5;

/** Who is to meet. */
export interface Meeting {
  /** Null: a guest without a diary. */
  clientId: string | null;
  providerId: string;
  /** Its current time counts as free. */
  moving?: string;
}

interface StartWanted extends Meeting {
  start: number;
  durationMinutes: number;
  inPerson: boolean;
  /** Providers moving own sessions skip advance notice. */
  withoutNotice?: boolean | undefined;
}

interface Refusal {
  code: ErrorCode;
  reason: string;
  clashes?: { startsAt: string; refusal: StartRefusal }[];
  wanted: StartWanted;
  next: readonly number[];
}

/** Suggests other times, and can be searched further. */
class StartRefused extends AppError {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    const { code, reason, clashes, next } = refusal;
    super(code, reason, {
      fields: [{ field: 'startsAt', reason }],
      data: { ...(clashes && { clashes }), nextFreeStarts: next.slice(0, offered).map(isoOf) },
    });
    this.refusal = refusal;
  }
}

/** Names who is to meet, for further searches. */
export interface MeetingQuery extends Omit<BookingQuery, 'input'> {
  meeting: Meeting;
}

function wantedOf({ start, end }: Interval, { meeting, inPerson, withoutNotice }: MeetingQuery): StartWanted {
  return { ...meeting, start, durationMinutes: (end - start) / 60_000, inPerson, withoutNotice };
}

function nextStarts({ start, durationMinutes }: StartWanted, query: MeetingQuery): number[] {
  return openStarts(query, durationMinutes, spanFrom(start, query.now));
}

/** Throws the first refusal with all clashes and the next free times; otherwise does nothing. */
export function refuseClashes(sessions: readonly DecidedSession[], query: MeetingQuery): void {
  const clashes = sessions.flatMap(({ start, refusal }) =>
    refusal ? [{ startsAt: isoOf(start), refusal }] : [],
  );
  const first = sessions.find(({ refusal }) => refusal !== null);
  if (!first?.refusal) return;
  const wanted = wantedOf(first, query);
  const next = nextStarts(wanted, query);
  throw new StartRefused({ code: refusalCode(first.refusal), reason: first.refusal, clashes, wanted, next });
}

/** Throws `not_free` without revealing which guest is busy; suggests times for everyone. */
export function refuseNotFree(session: Interval, query: MeetingQuery): never {
  const wanted = wantedOf(session, query);
  throw new StartRefused({ code: 'conflict', reason: 'not_free', wanted, next: nextStarts(wanted, query) });
}

/** Maps a time that a transaction outside our locks took to `slot_taken`. */
export async function refuseTaken<T>(
  session: Interval,
  query: MeetingQuery,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (sqlState(error) !== exclusionViolation) throw error;
    const wanted = wantedOf(session, query);
    throw new StartRefused({ code: 'conflict', reason: 'slot_taken', wanted, next: [] });
  }
}

/** Runs `take`; if a refusal suggests too few times, searches further after the transaction so no lock is held. */
export async function withMoreTimes<T>(ctx: Ctx, take: () => Promise<T>): Promise<T> {
  try {
    return await take();
  } catch (error) {
    if (!(error instanceof StartRefused) || error.refusal.next.length >= offered) throw error;
    throw new StartRefused({ ...error.refusal, next: await startsFrom(ctx, error.refusal.wanted) });
  }
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
      inPerson: wanted.inPerson,
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
