import { createHash } from 'node:crypto';
import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { selfOf, type Self } from '#/features/access/rules.ts';
import {
  movedTimes,
  recordChange,
  storeCancellation,
  storeMove,
  tellScreens,
  waitsAfterMove,
} from '../changes/commands.ts';
import type { AppointmentView } from '../contract.ts';
import { exclusionViolation } from '../diary/commands.ts';
import { bookingSettings, lockDiaries, type SiteTerms } from '../diary/queries.ts';
import type { Side } from '../life-cycle/rules.ts';
import { membershipOf, ownAppointments, type Acting } from '../queries.ts';
import { refusalCode } from '../rules.ts';
import type { SeriesCancellation, SeriesMoveInput } from './contract.ts';
import { decideMove, plannedMove, refuse, seriesOf, startOf, type SeriesSession } from './queries.ts';
import { withinScope } from '../series/rules.ts';
import { declines, type MovedSession } from './rules.ts';

declare module '#/platform/jobs/events.ts' {
  interface Events {
    /** Several sessions of one series at once; its people get one mail about all of them. */
    'booking.series_changed': {
      appointmentIds: string[];
      change: 'cancelled' | 'rescheduled';
      by: Side;
    };
  }
}

/** The sessions of a series that somebody chose, with their diaries locked, and what the site's settings say. */
interface Chosen {
  own: Acting;
  /** By start. */
  sessions: readonly SeriesSession[];
  settings: SiteTerms;
}

/** Cancels the chosen sessions of a series, or none of them; a client may up to each one's cancellation deadline. */
export async function cancelSeries(ctx: Ctx, input: SeriesCancellation): Promise<AppointmentView[]> {
  return change(ctx, 'cancel', input, async (tx, { own, sessions }) => {
    for (const session of sessions) {
      await storeCancellation(tx, session, input.reason);
      const what = declines(own.party, session.row.status) ? 'declined' : 'cancelled';
      await recordChange(tx, session.own, what, { series: input.scope });
    }
    await tell(tx, own, { sessions, what: 'cancelled' });
  });
}

/**
 * Moves the chosen sessions of a series, or none of them: the named one to `startsAt`, the others by the same days and
 * hours on the provider's wall clock. Refuses with every session that can't move.
 */
export async function rescheduleSeries(ctx: Ctx, input: SeriesMoveInput): Promise<AppointmentView[]> {
  const start = Temporal.Instant.from(input.startsAt).epochMilliseconds;
  let writing: MovedSession | undefined;
  try {
    return await change(ctx, 'reschedule', input, async (tx, { own, sessions, settings }) => {
      const from = startOf(sessions.find(({ row }) => row.id === own.appointmentId)!);
      if (from === start) throw invalidField('startsAt', 'same_time');
      const moved = await decideMove(tx, { own, sessions, start, settings });
      refuseMoves(moved);
      const waits = await waitsAfterMove(tx, own);
      const pairs = sessions.map((session, index) => [session, moved[index]!] as const);
      // The constraint looks at each row by itself: one may go to where the next has just left.
      for (const [session, to] of start > from ? pairs.toReversed() : pairs) {
        writing = to;
        const { refusal: _none, ...decided } = to;
        await storeMove(
          tx,
          { ...session, settings },
          { ...decided, refusal: null },
          { movedReason: null, waits },
        );
        await recordChange(tx, session.own, 'rescheduled', {
          series: input.scope,
          ...movedTimes(session.row, to.start),
        });
      }
      await tell(tx, own, { sessions, what: 'rescheduled' });
    });
  } catch (error) {
    // Somebody was faster whom no lock holds back; the constraint has the last word.
    if (writing && sqlState(error) === exclusionViolation) {
      refuseMoves([{ ...writing, refusal: 'slot_taken' }]);
    }
    throw error;
  }
}

/** Refuses a move by its first refused session, and lists all of them; else does nothing. */
function refuseMoves(moved: readonly MovedSession[]): void {
  const clashes = moved.filter(({ refusal }) => refusal !== null);
  const reason = clashes[0]?.refusal;
  if (!reason) return;
  throw new AppError(reason === 'not_free' ? 'conflict' : refusalCode(reason), reason, {
    fields: [{ field: 'startsAt', reason }],
    data: { clashes: clashes.map(plannedMove) },
  });
}

/** Runs one change of a series, once per idempotency key: locks, takes what was chosen as it was seen, and writes. */
async function change(
  ctx: Ctx,
  action: 'cancel' | 'reschedule',
  input: SeriesCancellation | SeriesMoveInput,
  work: (tx: TxCtx, chosen: Chosen) => Promise<void>,
): Promise<AppointmentView[]> {
  const self = selfOf(ctx);
  return transact(ctx, async (tx) => {
    const own = await membershipOf(tx, input.appointmentId);
    const expected = (await seriesOf(tx, own)).flatMap(({ guestIds }) => guestIds);
    await lockDiaries(tx, [own.clientId, own.providerId, ...expected]);
    if (await isNew(tx, self, action, input)) {
      const settings = await bookingSettings(tx);
      const sessions = takeChosen(await seriesOf(tx, own), input);
      for (const session of sessions) refuse(action, tx, session, settings);
      await work(tx, { own, sessions, settings });
    }
    const changed = await ownAppointments(
      tx,
      self,
      input.chosen.map(({ appointmentId }) => appointmentId),
    );
    return changed.toSorted((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt));
  });
}

/** The sessions that were chosen, in the order of the series; conflict `changed_meanwhile` where one isn't as it was seen. */
function takeChosen(
  series: readonly SeriesSession[],
  { appointmentId, scope, chosen }: SeriesCancellation,
): SeriesSession[] {
  const anchor = series.find(({ row }) => row.id === appointmentId)!;
  const seen = new Map(chosen.map((one) => [one.appointmentId, one.sequence]));
  const taken = withinScope(series, startOf, { from: startOf(anchor), scope }).filter(({ row }) =>
    seen.has(row.id),
  );
  const inSeries = series.filter(({ row }) => seen.has(row.id));
  if (inSeries.some(({ row }) => row.sequence !== seen.get(row.id))) {
    throw new AppError('conflict', 'changed_meanwhile');
  }
  if (taken.length < chosen.length || !seen.has(appointmentId)) throw invalidField('chosen', 'not_in_scope');
  return taken;
}

/** Notes a change under its key; false where the same request was made before. */
async function isNew(
  tx: TxCtx,
  self: Self,
  action: 'cancel' | 'reschedule',
  input: SeriesCancellation | SeriesMoveInput,
): Promise<boolean> {
  const { appointmentId, idempotencyKey, scope, chosen } = input;
  // Without the reason, of which nothing may be guessed from a hash.
  const startsAt = 'startsAt' in input ? input.startsAt : null;
  const request = JSON.stringify([action, appointmentId, scope, chosen, startsAt]);
  const fingerprint = createHash('sha256').update(request).digest('hex');
  const stored = await tx.db
    .insertInto('series_changes')
    .values({
      person_id: self,
      idempotency_key: idempotencyKey,
      fingerprint,
      created_at: new Date(tx.now().epochMilliseconds),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('person_id')
    .executeTakeFirst();
  if (stored) return true;
  const before = await tx.db
    .selectFrom('series_changes')
    .select('fingerprint')
    .where('person_id', '=', self)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirstOrThrow();
  if (before.fingerprint !== fingerprint) throw new AppError('conflict', 'idempotency_key_reused');
  return false;
}

async function tell(
  tx: TxCtx,
  own: Acting,
  { sessions, what }: { sessions: readonly SeriesSession[]; what: 'cancelled' | 'rescheduled' },
): Promise<void> {
  const appointmentIds = sessions.map(({ row }) => row.id);
  await tx.emit(tx, 'booking.series_changed', { appointmentIds, change: what, by: own.party });
  await tellScreens(
    tx,
    own,
    sessions.flatMap(({ guestIds }) => guestIds),
  );
}

/** How long a key is kept: no request is repeated after a week. */
const keysKept = 7 * 24 * 3_600_000;

/** Deletes the keys of changes that were made long ago. */
export async function forgetSeriesChanges({ db, now }: Ctx): Promise<void> {
  await db
    .deleteFrom('series_changes')
    .where('created_at', '<', new Date(now().epochMilliseconds - keysKept))
    .execute();
}
