import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { digestHex } from '#/platform/tokens.ts';
import { selfOf, type Self } from '#/features/access/rules.ts';
import {
  countChange,
  movedTimes,
  recordChange,
  storeCancellation,
  storeMove,
  notifyScreens,
  needsApprovalAfterMove,
} from '../changes/commands.ts';
import type { AppointmentView } from '../appointment/contract.ts';
import { exclusionViolation } from '../diary/commands.ts';
import { bookingSettings, type SiteTerms } from '../offer/queries.ts';
import { lockDiaries } from '../diary/queries.ts';
import type { Side } from '../appointment/rules.ts';
import { ownAppointments } from '../appointment/queries.ts';
import { refusalCode } from '../diary/rules.ts';
import type { SeriesCancellation, SeriesMoveInput } from './contract.ts';
import { decideMove, plannedMove, refuse, seriesOf, startOf, type SeriesSession } from './queries.ts';
import { withinScope, declines, type MovedSession } from './rules.ts';
import { requireParty, type Acting } from '../appointment/policies.ts';

declare module '#/platform/context.ts' {
  interface Events {
    /** Participants get a single email. */
    'booking.series_changed': {
      appointmentIds: string[];
      change: 'cancelled' | 'rescheduled';
      by: Side;
    };
  }
}

interface Chosen {
  own: Acting;
  sessions: readonly SeriesSession[];
  settings: SiteTerms;
}

/** Cancels the selected sessions, all or none. Clients must meet each session's cancellation deadline. */
export async function cancelSeries(ctx: Ctx, input: SeriesCancellation): Promise<AppointmentView[]> {
  return change(ctx, 'cancel', input, async (tx, { own, sessions }) => {
    for (const session of sessions) {
      await storeCancellation(tx, session, input.reason);
      const what = declines(own.party, session.row.status) ? 'declined' : 'cancelled';
      await recordChange(tx, session.own, what, { series: input.scope });
    }
    await emitSeriesChange(tx, own, { sessions, what: 'cancelled' });
  });
}

/**
 * Reschedules the selected sessions, all or none: one to `startsAt`, the rest by the same wall-clock shift in the
 * provider's time zone. Refusals list every blocked session.
 */
export async function rescheduleSeries(ctx: Ctx, input: SeriesMoveInput): Promise<AppointmentView[]> {
  const start = Temporal.Instant.from(input.startsAt).epochMilliseconds;
  let writing: MovedSession | undefined;
  try {
    return await change(ctx, 'reschedule', input, async (tx, { own, sessions, settings }) => {
      const from = startOf(sessions.find(({ row }) => row.id === own.appointmentId)!);
      if (from === start) throw invalidField('startsAt', 'same_time');
      await countChange(tx, own.party, own);
      const moved = await decideMove(tx, { own, sessions, start, settings });
      refuseMoves(moved);
      const waits = await needsApprovalAfterMove(tx, own);
      const pairs = sessions.map((session, index) => [session, moved[index]!] as const);
      // The constraint checks row by row, so free each target time before it's needed.
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
      await emitSeriesChange(tx, own, { sessions, what: 'rescheduled' });
    });
  } catch (error) {
    // A transaction outside our locks took the time; the constraint caught it.
    if (writing && sqlState(error) === exclusionViolation) {
      refuseMoves([{ ...writing, refusal: 'slot_taken' }]);
    }
    throw error;
  }
}

/** Throws the first refusal with all clashes. */
function refuseMoves(moved: readonly MovedSession[]): void {
  const clashes = moved.filter(({ refusal }) => refusal !== null);
  const reason = clashes[0]?.refusal;
  if (!reason) return;
  throw new AppError(reason === 'not_free' ? 'conflict' : refusalCode(reason), reason, {
    fields: [{ field: 'startsAt', reason }],
    data: { clashes: clashes.map(plannedMove) },
  });
}

/** Changes a series once, verifying versions under lock. */
async function change(
  ctx: Ctx,
  action: 'cancel' | 'reschedule',
  input: SeriesCancellation | SeriesMoveInput,
  work: (tx: TxCtx, chosen: Chosen) => Promise<void>,
): Promise<AppointmentView[]> {
  const self = selfOf(ctx);
  return transact(ctx, async (tx) => {
    const own = await requireParty(tx, input.appointmentId);
    const expected = (await seriesOf(tx, own)).flatMap(({ guestIds }) => guestIds);
    await lockDiaries(tx, [own.clientId, own.providerId, ...expected]);
    if (await isNew(tx, self, action, input)) {
      const settings = await bookingSettings(tx);
      const sessions = selectedSessions(await seriesOf(tx, own), input);
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

/** Returns selected sessions in series order. Throws `conflict` (`changed_meanwhile`) if a version is outdated. */
function selectedSessions(
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

/** Claims the idempotency key; false if repeated. */
async function isNew(
  tx: TxCtx,
  self: Self,
  action: 'cancel' | 'reschedule',
  input: SeriesCancellation | SeriesMoveInput,
): Promise<boolean> {
  const { appointmentId, idempotencyKey, scope, chosen } = input;
  // Omits the reason: a hash of private text could be guessed.
  const startsAt = 'startsAt' in input ? input.startsAt : null;
  const request = JSON.stringify([action, appointmentId, scope, chosen, startsAt]);
  const fingerprint = digestHex(request);
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

async function emitSeriesChange(
  tx: TxCtx,
  own: Acting,
  { sessions, what }: { sessions: readonly SeriesSession[]; what: 'cancelled' | 'rescheduled' },
): Promise<void> {
  const appointmentIds = sessions.map(({ row }) => row.id);
  await tx.emit(tx, 'booking.series_changed', { appointmentIds, change: what, by: own.party });
  await notifyScreens(
    tx,
    own,
    sessions.flatMap(({ guestIds }) => guestIds),
  );
}

/** Milliseconds; clients never retry after a week. */
const keysKept = 7 * 24 * 3_600_000;

export async function deleteOldSeriesChanges({ db, now }: Ctx): Promise<void> {
  await db
    .deleteFrom('series_changes')
    .where('created_at', '<', new Date(now().epochMilliseconds - keysKept))
    .execute();
}
