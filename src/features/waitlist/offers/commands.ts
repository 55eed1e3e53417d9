import { AppError } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { scheduleOf } from '#/features/availability/queries.ts';
import { effectiveTerms } from '#/features/availability/terms/rules.ts';
import { bookOnce, requireNumber } from '#/features/appointments/booking/commands.ts';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { startsFrom } from '#/features/appointments/diary/commands.ts';
import { sessionOffered } from '#/features/appointments/diary/rules.ts';
import { bookingSettings, offerOf, type SiteTerms } from '#/features/appointments/offer/queries.ts';
import { lockDiaries } from '#/features/appointments/diary/queries.ts';
import { reschedule } from '#/features/appointments/life-cycle/commands.ts';
import { appointmentView } from '#/features/appointments/appointment/queries.ts';
import { requireParty } from '#/features/appointments/appointment/policies.ts';
import { endWait, notifyBoth } from '../commands.ts';
import type { WaitView } from '../contract.ts';
import {
  hasWaitingClients,
  isOver,
  lineOf,
  lockLine,
  movableUntil,
  ownWaits,
  preferencesOf,
  type Line,
} from '../queries.ts';
import { nextTurn, type Turn, type Waiting } from '../rules.ts';
import type { Wait, WaitOffer } from '../tables.ts';
import { requireOwnOffer, requireContact } from '../policies.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'waitlist.offered': { offerId: string };
  }
}

/**
 * Updates a provider's waiting list: ends expired entries, withdraws offers that no longer fit, and offers free times in
 * turn. Idempotent.
 */
export async function updateWaitingList(ctx: Ctx, providerId: string): Promise<void> {
  if (!(await hasWaitingClients(ctx, providerId))) return;
  await transact(ctx, async (tx) => {
    await lockLine(tx, providerId);
    const now = tx.now().epochMilliseconds;
    const site = await bookingSettings(tx);
    const line: Line = [];
    for (const wait of await lineOf(tx, providerId)) {
      if (!isOver(wait, { now, ...site })) line.push(wait);
      else if (await endWait(tx, wait.id, 'over')) {
        await recordDone(tx, { action: 'waitlist.over', subject: { kind: 'wait', id: wait.id } });
        await notifyBoth(tx, wait, wait.id);
      }
    }
    if (line.length === 0) return;
    const terms = effectiveTerms(site, (await scheduleOf(tx, providerId)).terms);
    const waiting: Waiting[] = [];
    for (const wait of line) waiting.push(await waitingOf(tx, wait, terms, now));
    await writeTurn(tx, line, nextTurn(waiting, now));
  });
}

/**
 * Updates every active waiting list, catching missed events and expired entries. Failures don't stop the rest and are
 * thrown at the end.
 */
export async function updateWaitingLists(ctx: Ctx): Promise<void> {
  const rows = await ctx.db
    .selectFrom('waits')
    .select('provider_id')
    .distinct()
    .where('state', '=', 'waiting')
    .execute();
  const failed: unknown[] = [];
  for (const { provider_id } of rows)
    await updateWaitingList(ctx, provider_id).catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw new AggregateError(failed, 'some waiting lists could not be updated');
}

/** Retention after an entry ends, in hours. */
const remembered = 30 * 24;

export async function deleteEndedWaits(ctx: Ctx): Promise<void> {
  const since = ctx.now().subtract({ hours: remembered });
  await ctx.db
    .deleteFrom('waits')
    .where('state', '<>', 'waiting')
    .where('ended_at', '<', new Date(since.epochMilliseconds))
    .execute();
}

async function waitingOf(tx: TxCtx, wait: Line[number], terms: SiteTerms, now: number): Promise<Waiting> {
  // Existing sessions can still move.
  const bookable = wait.may_book && (wait.appointment_id !== null || (await isOffered(tx, wait)));
  const wanted = {
    clientId: wait.client_id,
    providerId: wait.provider_id,
    start: now,
    durationMinutes: wait.duration_minutes,
    inPerson: wait.session_type === 'in-person',
    ...(wait.appointment_id === null ? {} : { moving: wait.appointment_id }),
  };
  const free = bookable ? await startsFrom(tx, wanted) : [];
  const moved = wait.appointment_start;
  return {
    id: wait.id,
    wishes: preferencesOf(wait),
    blockMinutes: wait.duration_minutes + terms.bufferMinutes,
    before: moved && moved.getTime(),
    free,
    notice: terms.advanceNoticeHours * 3_600_000,
    movableUntil: moved && movableUntil(moved, terms.cancellationDeadlineHours),
    offers: wait.offers.flatMap(({ id, state, starts_at, offered_at, deadline }) =>
      state === 'open'
        ? { id, start: timeOf(starts_at), offeredAt: timeOf(offered_at), deadline: timeOf(deadline) }
        : [],
    ),
    passed: wait.offers.flatMap(({ state, starts_at }) => (state === 'passed' ? timeOf(starts_at) : [])),
  };
}

async function isOffered(
  tx: TxCtx,
  { provider_id: providerId, service_id: serviceId, duration_minutes, session_type }: Wait,
): Promise<boolean> {
  const offer = await offerOf(tx, { providerId, serviceId });
  return (
    offer !== null && sessionOffered(offer, { durationMinutes: duration_minutes, sessionType: session_type })
  );
}

/** JSON returns dates as strings. */
function timeOf(at: Date | string): number {
  return new Date(at).getTime();
}

async function writeTurn(tx: TxCtx, line: Line, { gone, offered }: Turn): Promise<void> {
  if (gone.length > 0) {
    await tx.db
      .updateTable('wait_offers')
      .set({ state: 'gone' })
      .where('id', 'in', gone)
      .where('state', '=', 'open')
      .execute();
    for (const wait of line) {
      if (wait.offers.some(({ id }) => gone.includes(id))) await notifyBoth(tx, wait, wait.id);
    }
  }
  const now = new Date(tx.now().epochMilliseconds);
  for (const { waitId, start, deadline } of offered) {
    const wait = line.find(({ id }) => id === waitId)!;
    const id = tx.newId();
    await tx.db
      .insertInto('wait_offers')
      .values({
        id,
        wait_id: waitId,
        starts_at: new Date(start),
        offered_at: now,
        deadline: new Date(deadline),
        state: 'open',
      })
      .execute();
    await recordDone(tx, {
      action: 'waitlist.offered',
      subject: { kind: 'wait', id: waitId },
      details: { offerId: id },
    });
    await tx.emit(tx, 'waitlist.offered', { offerId: id });
    await tx.emit(
      tx,
      'waitlist.turn_due',
      { providerId: wait.provider_id },
      // Tolerates a slow clock: the deadline must have passed when this runs.
      { startAfter: Temporal.Instant.fromEpochMilliseconds(deadline + 2_000) },
    );
    await notifyBoth(tx, wait, id);
  }
}

/** PostgreSQL `exclusion_violation`, plus `in_failed_sql_transaction` for later statements. */
const keptOut = ['23P01', '25P02'];

/**
 * Takes an offered time under normal booking rules, first come, first served. Losing clients get `offer_taken` and stay
 * on the list. Idempotent. Phone sessions without a known number throw `required` for `contact.phone`.
 */
export async function acceptOffer(ctx: Ctx, offerId: string, phone?: string): Promise<AppointmentView> {
  const client = selfOf(ctx);
  try {
    return await transact(ctx, (tx) => acceptLocked(tx, client, offerId, phone));
  } catch (error) {
    const lost =
      error instanceof AppError
        ? error.reason === 'slot_taken' || error.reason === 'not_free'
        : keptOut.includes(sqlState(error) ?? '');
    if (!lost) throw error;
    throw new AppError('conflict', 'offer_taken');
  }
}

async function acceptLocked(
  tx: TxCtx,
  client: Self,
  offerId: string,
  phone: string | undefined,
): Promise<AppointmentView> {
  const { wait: asked } = await requireOwnOffer(tx, client, offerId);
  await lockDiaries(tx, [client, asked.provider_id]);
  // Re-read under the lock.
  const { offer, wait } = await requireOwnOffer(tx, client, offerId);
  if (wait.state === 'taken' && offer.state === 'taken' && wait.appointment_id !== null) {
    return appointmentView(tx, (await requireParty(tx, wait.appointment_id)).appointmentId);
  }
  if (wait.state !== 'waiting' || offer.state === 'taken') throw new AppError('conflict', 'wait_over');
  const appointment = await moveOrBook(tx, client, wait, offer, phone);
  const ended = await tx.db
    .updateTable('waits')
    .set({ state: 'taken', appointment_id: appointment.id, ended_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', wait.id)
    .where('state', '=', 'waiting')
    .returning('id')
    .executeTakeFirst();
  // The client left the waiting list concurrently.
  if (!ended) throw new AppError('conflict', 'wait_over');
  await tx.db
    .updateTable('wait_offers')
    .set(({ ref, eb, val }) => ({
      state: eb
        .case()
        .when('id', '=', offer.id)
        .then(val('taken' as const))
        .when('state', '=', 'open')
        .then(val('gone' as const))
        .else(ref('state'))
        .end(),
    }))
    .where('wait_id', '=', wait.id)
    .execute();
  await recordDone(tx, {
    action: 'waitlist.taken',
    subject: { kind: 'wait', id: wait.id },
    details: { offerId: offer.id, appointmentId: appointment.id },
  });
  await notifyBoth(tx, wait, wait.id);
  return appointment;
}

async function moveOrBook(
  tx: TxCtx,
  client: Self,
  wait: Wait,
  offer: WaitOffer,
  phone: string | undefined,
): Promise<AppointmentView> {
  const startsAt = isoOf(offer.starts_at);
  if (wait.appointment_id !== null) {
    const { startsAt: now } = await appointmentView(
      tx,
      (await requireParty(tx, wait.appointment_id)).appointmentId,
    );
    // Already rescheduled to this time or earlier.
    if (now <= startsAt) throw new AppError('conflict', 'wait_over');
    return reschedule(tx, wait.appointment_id, startsAt);
  }
  const known = await requireContact(tx, { clientId: client, providerId: wait.provider_id });
  const contact = phone ? { ...known.contact, phone } : known.contact;
  requireNumber({ sessionType: wait.session_type, contact });
  const { appointments } = await bookOnce(
    tx,
    { by: 'client', self: client, clientId: client },
    {
      ...known,
      contact,
      idempotencyKey: offer.id,
      providerId: wait.provider_id,
      serviceId: wait.service_id,
      startsAt,
      durationMinutes: wait.duration_minutes,
      sessionType: wait.session_type,
      recurrence: 'one_time',
      sessions: 2,
      timeZone: wait.time_zone,
    },
  );
  return appointments[0]!;
}

/** Passes on an offer: the next client gets it immediately, and this one stays on the list. */
export async function declineOffer(ctx: Ctx, offerId: string): Promise<WaitView[]> {
  const client = selfOf(ctx);
  return transact(ctx, async (tx) => {
    const { wait } = await requireOwnOffer(tx, client, offerId);
    await lockLine(tx, wait.provider_id);
    const passed = await tx.db
      .updateTable('wait_offers')
      .set({ state: 'passed' })
      .where('id', '=', offerId)
      .where('state', '=', 'open')
      .returning('id')
      .executeTakeFirst();
    if (passed) {
      await recordDone(tx, {
        action: 'waitlist.passed',
        subject: { kind: 'wait', id: wait.id },
        details: { offerId },
      });
      await notifyBoth(tx, wait, offerId);
      await tx.emit(tx, 'waitlist.turn_due', { providerId: wait.provider_id });
    }
    return ownWaits(tx, client);
  });
}
