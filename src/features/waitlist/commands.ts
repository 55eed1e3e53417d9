import { AppError, invalidField } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { requireOn } from '#/features/settings/flags/policies.ts';
import { refuseDeletedService, startsFrom } from '#/features/appointments/diary/commands.ts';
import { lockDiaries } from '#/features/appointments/diary/queries.ts';
import { bookingSettings, offerOf } from '#/features/appointments/offer/queries.ts';
import { refuseAction } from '#/features/appointments/appointment/rules.ts';
import { requireKnownZone } from '#/kernel/zone-clock.ts';
import { bookingHorizon, durationOffered } from '#/features/appointments/diary/rules.ts';
import { requireParty, requireOffered } from '#/features/appointments/appointment/policies.ts';
import type { AskInput, WaitView, WaitPreferences } from './contract.ts';
import { lockLine, ownWaits } from './queries.ts';
import { datePassed, matchingTimes } from './rules.ts';
import type { Wait } from './tables.ts';
import { requireOwnWait } from './policies.ts';

const maxWaits = 20;
/** Free times listed in a `free_already` error. */
const named = 5;

type Subject = Pick<
  Wait,
  'provider_id' | 'service_id' | 'appointment_id' | 'duration_minutes' | 'session_type'
>;

/** Joins the waiting list for an earlier appointment time; throws if it can't be rescheduled. */
export async function joinForEarlierTime(
  ctx: Ctx,
  { appointmentId, ...wishes }: WaitPreferences & { appointmentId: string },
): Promise<WaitView> {
  const client = selfOf(ctx);
  const own = await requireParty(ctx, appointmentId);
  const row = await ctx.db
    .selectFrom('appointments')
    .selectAll()
    .where('id', '=', own.appointmentId)
    .executeTakeFirstOrThrow();
  const { cancellationDeadlineHours } = await bookingSettings(ctx);
  const start = row.starts_at.getTime();
  const refusal = refuseAction('reschedule', {
    appointment: { status: row.status, kind: row.kind, start, end: row.ends_at.getTime() },
    party: own.party,
    now: ctx.now().epochMilliseconds,
    cancellationDeadlineHours,
  });
  // Clients only: providers reschedule themselves.
  if (own.party !== 'client') throw new AppError('forbidden', 'not_your_part');
  if (refusal) throw new AppError(refusal.code, refusal.reason);
  const subject = {
    provider_id: row.provider_id,
    service_id: row.service_id,
    appointment_id: row.id,
    duration_minutes: (row.ends_at.getTime() - start) / 60_000,
    session_type: row.session_type,
  };
  return saveWait(ctx, client, subject, wishes, start);
}

/** Joins the waiting list for a new session; throws `not_found` for unlisted providers. */
export async function joinWaitlist(ctx: Ctx, input: AskInput): Promise<WaitView> {
  const client = selfOf(ctx);
  const { providerId, serviceId, durationMinutes, sessionType, ...wishes } = input;
  if (providerId === client) throw invalidField('providerId', 'yourself');
  const offer = requireOffered(await offerOf(ctx, input));
  if (!offer.service) throw invalidField('serviceId', 'not_offered');
  if (!durationOffered(durationMinutes, offer.service.durationMinutes, offer.sessionLengths))
    throw invalidField('durationMinutes', 'not_offered');
  if (!offer.sessionTypes.includes(sessionType)) throw invalidField('sessionType', 'not_offered');
  if (sessionType === 'online') requireOn(offer.offersVideo, 'video_sessions');
  const subject = {
    provider_id: providerId,
    service_id: serviceId,
    appointment_id: null,
    duration_minutes: durationMinutes,
    session_type: sessionType,
  };
  return saveWait(ctx, client, subject, wishes, null);
}

/** Creates an entry, or updates preferences and keeps the position. Throws `conflict` if a matching time is free. */
async function saveWait(
  ctx: Ctx,
  client: Self,
  subject: Subject,
  wishes: WaitPreferences,
  before: number | null,
): Promise<WaitView> {
  requireKnownZone(wishes.timeZone);
  const now = ctx.now().epochMilliseconds;
  if (datePassed(wishes, now)) throw invalidField('untilDate', 'past');
  if (wishes.untilDate > isoOf(now + bookingHorizon).slice(0, 10)) throw invalidField('untilDate', 'too_far');
  return transact(ctx, async (tx) => {
    await lockLine(tx, subject.provider_id);
    // A booking in progress has looked for waiting clients already. The client's own lock keeps their maximum.
    await lockDiaries(tx, [client, subject.provider_id]);
    const free = await startsFrom(tx, {
      clientId: client,
      providerId: subject.provider_id,
      start: now,
      durationMinutes: subject.duration_minutes,
      inPerson: subject.session_type === 'in-person',
      ...(subject.appointment_id === null ? {} : { moving: subject.appointment_id }),
    });
    const existing = await findWait(tx, client, subject);
    // Skip times already offered or declined.
    const known = existing ? await knownStarts(tx, existing) : [];
    const fitting = matchingTimes({ free, wishes, before }).filter((start) => !known.includes(start));
    if (fitting.length > 0) {
      throw new AppError('conflict', 'free_already', {
        data: { nextFreeStarts: fitting.slice(0, named).map(isoOf) },
      });
    }
    const id = await refuseDeletedService(() => write(tx, client, subject, wishes, existing));
    await recordDone(tx, {
      action: 'waitlist.asked',
      subject: { kind: 'wait', id },
      details: { providerId: subject.provider_id, appointmentId: subject.appointment_id },
    });
    await notifyBoth(tx, { client_id: client, ...subject }, id);
    if (existing) await tx.emit(tx, 'waitlist.turn_due', { providerId: subject.provider_id });
    const waits = await ownWaits(tx, client);
    const view = waits.find((wait) => wait.id === id);
    if (!view) throw new AppError('precondition', 'deadline_passed');
    return view;
  });
}

async function findWait(tx: TxCtx, client: Self, subject: Subject): Promise<string | null> {
  const { provider_id, service_id, appointment_id } = subject;
  const row = await tx.db
    .selectFrom('waits')
    .select('id')
    .where('client_id', '=', client)
    .where('state', '=', 'waiting')
    .where(({ eb, and }) =>
      appointment_id === null
        ? and([
            eb('provider_id', '=', provider_id),
            eb('service_id', '=', service_id),
            eb('appointment_id', 'is', null),
          ])
        : eb('appointment_id', '=', appointment_id),
    )
    .executeTakeFirst();
  return row?.id ?? null;
}

async function knownStarts(tx: TxCtx, waitId: string): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('wait_offers')
    .select('starts_at')
    .where('wait_id', '=', waitId)
    .where('state', 'in', ['open', 'passed'])
    .execute();
  return rows.map(({ starts_at }) => starts_at.getTime());
}

async function write(
  tx: TxCtx,
  client: Self,
  subject: Subject,
  wishes: WaitPreferences,
  existing: string | null,
): Promise<string> {
  const wished = {
    until_date: wishes.untilDate,
    weekdays: [...new Set(wishes.weekdays)].toSorted((a, b) => a - b),
    day_parts: [...new Set(wishes.dayParts)],
    time_zone: wishes.timeZone,
    duration_minutes: subject.duration_minutes,
    session_type: subject.session_type,
  };
  if (existing) {
    await tx.db.updateTable('waits').set(wished).where('id', '=', existing).execute();
    return existing;
  }
  const { provider_id, service_id, appointment_id } = subject;
  const { count } = await tx.db
    .selectFrom('waits')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('client_id', '=', client)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  if (count >= maxWaits) throw new AppError('precondition', 'too_many_waits');
  const id = tx.newId();
  await tx.db
    .insertInto('waits')
    .values({
      id,
      client_id: client,
      provider_id,
      service_id,
      appointment_id,
      ...wished,
      state: 'waiting',
      asked_at: new Date(tx.now().epochMilliseconds),
      ended_at: null,
    })
    .execute();
  return id;
}

/** Leaves the waiting list; open offers go to the next client. Idempotent. */
export async function leaveWaitingList(ctx: Ctx, waitId: string): Promise<WaitView[]> {
  const client = selfOf(ctx);
  return transact(ctx, async (tx) => {
    const wait = await requireOwnWait(tx, client, waitId);
    await lockLine(tx, wait.provider_id);
    if (await endWait(tx, waitId, 'given_up')) {
      await recordDone(tx, { action: 'waitlist.given_up', subject: { kind: 'wait', id: waitId } });
      await notifyBoth(tx, wait, waitId);
      await tx.emit(tx, 'waitlist.turn_due', { providerId: wait.provider_id });
    }
    return ownWaits(tx, client);
  });
}

declare module '#/platform/context.ts' {
  interface Events {
    /** Rechecks a provider's waiting list; also scheduled for each offer's deadline. */
    'waitlist.turn_due': { providerId: string };
  }
}

/** Ends an active entry and its offers. Returns false if it had already ended. */
export async function endWait(tx: TxCtx, waitId: string, state: 'given_up' | 'over'): Promise<boolean> {
  const ended = await tx.db
    .updateTable('waits')
    .set({ state, ended_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', waitId)
    .where('state', '=', 'waiting')
    .returning('id')
    .executeTakeFirst();
  if (!ended) return false;
  await tx.db
    .updateTable('wait_offers')
    .set({ state: 'gone' })
    .where('wait_id', '=', waitId)
    .where('state', '=', 'open')
    .execute();
  return true;
}

export async function notifyBoth(
  tx: TxCtx,
  { client_id, provider_id }: Pick<Wait, 'client_id' | 'provider_id'>,
  id: string,
): Promise<void> {
  await publish(tx, [`person:${client_id}`, `person:${provider_id}`], { type: 'waitlist.changed', id });
}
