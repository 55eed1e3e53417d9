import type { Interval } from '#/kernel/interval.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { selfOf } from '#/features/access/rules.ts';
import { scheduleOf } from '#/features/availability/queries.ts';
import { AppError } from '#/kernel/errors.ts';
import type { AppointmentView } from '../appointment/contract.ts';
import { bookingSettings, type SiteTerms } from '../offer/queries.ts';
import { commitmentsOf, guestsIn } from '../diary/queries.ts';
import { holdsTime } from '../appointment/rules.ts';
import { bookedSessions } from '../appointment/queries.ts';
import type { Appointment } from '../appointment/tables.ts';
import type { PlannedMove, SeriesScope } from './contract.ts';
import { withinScope, decideSeriesMove, refuseInSeries, refusalFor, type MovedSession } from './rules.ts';
import { requireParty, sameSeries, type Acting } from '../appointment/policies.ts';

const day = 24 * 3_600_000;

/** Returns the series' active upcoming sessions by start. Throws `not_found` for non-parties. */
export async function sessionsAhead(ctx: Ctx, appointmentId: string): Promise<AppointmentView[]> {
  const own = await requireParty(ctx, appointmentId);
  const [anchor] = await ctx.db
    .selectFrom('appointments')
    .select('booking_id')
    .where('id', '=', own.appointmentId)
    .execute();
  const now = ctx.now().epochMilliseconds;
  return (await bookedSessions(ctx, selfOf(ctx), anchor!.booking_id))
    .filter(({ status, startsAt }) => holdsTime(status) && Date.parse(startsAt) > now)
    .toSorted((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt));
}

/** `guestIds` are guests who accepted. */
export interface SeriesSession {
  own: Acting;
  row: Appointment;
  guestIds: string[];
}

/** Returns the whole series by start; both parties are always the same. */
export async function seriesOf(ctx: Ctx, own: Acting): Promise<SeriesSession[]> {
  const rows = await ctx.db
    .selectFrom('appointments')
    .selectAll()
    .where('booking_id', '=', ({ selectFrom }) =>
      selectFrom('appointments as anchor')
        .select('anchor.booking_id')
        .where('anchor.id', '=', own.appointmentId),
    )
    .orderBy('starts_at')
    .execute();
  const ids = rows.map(({ id }) => id);
  const guests = await guestsIn(ctx, own, ids).select(['appointment_id', 'person_id']).execute();
  return rows.map((row) => ({
    own: sameSeries(own, row),
    row,
    guestIds: guests.flatMap(({ appointment_id, person_id }) => (appointment_id === row.id ? person_id : [])),
  }));
}

export function refuse(action: 'cancel' | 'reschedule', ctx: Ctx, session: SeriesSession, terms: SiteTerms) {
  const refusal = refusalOf(action, ctx, session, terms);
  if (refusal) throw new AppError(refusal.code, refusal.reason);
}

function refusalOf(
  action: 'cancel' | 'reschedule',
  ctx: Ctx,
  { own, row }: SeriesSession,
  { cancellationDeadlineHours }: SiteTerms,
) {
  return refuseInSeries(action, {
    appointment: { ...row, start: row.starts_at.getTime(), end: row.ends_at.getTime() },
    party: own.party,
    now: ctx.now().epochMilliseconds,
    cancellationDeadlineHours,
  });
}

/** Returns sessions in scope the person may move. Throws if the named one can't. */
async function movable(
  ctx: Ctx,
  own: Acting,
  scope: SeriesScope,
): Promise<{ settings: SiteTerms; sessions: SeriesSession[] }> {
  const settings = await bookingSettings(ctx);
  const series = await seriesOf(ctx, own);
  const anchor = series.find(({ row }) => row.id === own.appointmentId)!;
  refuse('reschedule', ctx, anchor, settings);
  const sessions = withinScope(series, startOf, { from: startOf(anchor), scope });
  return {
    settings,
    sessions: sessions.filter((session) => refusalOf('reschedule', ctx, session, settings) === null),
  };
}

export function startOf({ row }: Pick<SeriesSession, 'row'>): number {
  return row.starts_at.getTime();
}

/** Returns ids of sessions moving together; their current times count as free. */
export async function movingTogether(ctx: Ctx, own: Acting, scope: SeriesScope): Promise<string[]> {
  return (await movable(ctx, own, scope)).sessions.map(({ row }) => row.id);
}

export async function checkMove(
  ctx: Ctx,
  input: { appointmentId: string; scope: SeriesScope; startsAt: string },
): Promise<PlannedMove[]> {
  const own = await requireParty(ctx, input.appointmentId);
  const { sessions, settings } = await movable(ctx, own, input.scope);
  const start = Temporal.Instant.from(input.startsAt).epochMilliseconds;
  return (await decideMove(ctx, { own, sessions, start, settings })).map(plannedMove);
}

export function plannedMove({ id, from, start, refusal }: MovedSession): PlannedMove {
  return { appointmentId: id, from: isoOf(from), startsAt: isoOf(start), refusal };
}

export async function decideMove(
  ctx: Ctx,
  {
    own,
    sessions,
    start,
    settings,
  }: { own: Acting; sessions: readonly SeriesSession[]; start: number; settings: SiteTerms },
): Promise<MovedSession[]> {
  const ids = sessions.map(({ row }) => row.id);
  const starts = sessions.map(startOf);
  const by = start - startOf(sessions.find(({ row }) => row.id === own.appointmentId)!);
  // Allows for DST changes, and zones that skip a whole day.
  const span = { start: Math.min(...starts) + by - 2 * day, end: Math.max(...starts) + by + 2 * day };
  const schedule = await scheduleOf(ctx, own.providerId);
  const commitments = await commitmentsOf(ctx, own, span, ids);
  const guests = await guestTimes(ctx, own, ids, span);
  const moved = decideSeriesMove({
    sessions: sessions.map(({ row }) => ({
      id: row.id,
      start: row.starts_at.getTime(),
      end: row.ends_at.getTime(),
      blockedUntil: row.blocked_until.getTime(),
      guests: guests.get(row.id) ?? [],
    })),
    anchorId: own.appointmentId,
    start,
    diary: { schedule, ...commitments.entries },
    own: commitments.own,
    settings,
    inPerson: sessions[0]!.row.session_type === 'in-person',
    withoutNotice: own.party === 'provider',
    now: ctx.now().epochMilliseconds,
  });
  return moved.map((session) => ({ ...session, refusal: refusalFor(own.party, session.refusal) }));
}

async function guestTimes(
  ctx: Ctx,
  { clientId, providerId }: Acting,
  ids: readonly string[],
  span: Interval,
): Promise<Map<string, Interval[]>> {
  const rows = await ctx.db
    .selectFrom('participants as guest')
    .innerJoin('participants', 'participants.person_id', 'guest.person_id')
    .select(['guest.appointment_id as id', 'participants.starts_at', 'participants.ends_at'])
    .where('guest.appointment_id', 'in', ids)
    .where('guest.person_id', 'not in', [clientId, providerId])
    .where('participants.held', '=', true)
    .where('participants.appointment_id', 'not in', ids)
    .where('participants.ends_at', '>', new Date(span.start))
    .where('participants.starts_at', '<', new Date(span.end))
    .execute();
  const times = new Map<string, Interval[]>();
  for (const { id, starts_at, ends_at } of rows) {
    times.set(id, [...(times.get(id) ?? []), { start: starts_at.getTime(), end: ends_at.getTime() }]);
  }
  return times;
}
