import { sql } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { hideFromPlanner } from '#/platform/db/hide-from-planner.ts';
import { type Self } from '#/features/access/rules.ts';
import { photoPath } from '#/features/accounts/queries.ts';
import { requireOn } from '#/features/settings/flags/policies.ts';
import { offers } from '#/features/settings/flags/queries.ts';
import { requireParty, type Membership } from '#/features/appointments/appointment/policies.ts';
import { requireBackground } from '#/features/access/policies.ts';
import type { GuestList, GuestSession } from './contract.ts';
import { placesLeft, refuseInviting, refuseSending } from './rules.ts';
import type { SessionGuest } from './tables.ts';

/** Returns accepted guests in invitation order. */
export async function guestsOf(
  ctx: Ctx,
  appointmentId: string,
): Promise<{ personId: string; name: string }[]> {
  const rows = await acceptedGuests(ctx, appointmentId)
    .select('name')
    .orderBy('invited_at')
    .orderBy('id')
    .execute();
  return rows.map(({ person_id, name }) => ({ personId: person_id!, name }));
}

/** The guests who accepted this appointment's invitation. */
export function acceptedGuests({ db }: Pick<Ctx, 'db'>, appointmentId: string) {
  return db
    .selectFrom('session_guests')
    .select('session_guests.person_id')
    .where('session_guests.appointment_id', '=', appointmentId)
    .where('session_guests.state', '=', 'accepted');
}

/** Throws `not_found` if the provider can't have guests. */
export async function requireGuests(ctx: Ctx, providerId: string): Promise<void> {
  requireOn(await areGuestsOn(ctx, providerId), 'group_sessions');
}

export async function areGuestsOn(ctx: Ctx, providerId: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('providers')
    .select(offersGroups().as('on'))
    .where('id', '=', providerId)
    .executeTakeFirstOrThrow();
  return row.on;
}

function offersGroups() {
  return offers('group_sessions', { id: sql.ref('providers.id'), kind: sql.ref('providers.kind') });
}

/** Returns appointments with accepted or open invitations. */
export async function appointmentsWithGuests(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await ctx.db
    .selectFrom('session_guests')
    .select('appointment_id')
    .where('appointment_id', 'in', ids)
    .where('state', 'in', ['invited', 'accepted'])
    .execute();
  return new Set(rows.map(({ appointment_id }) => appointment_id));
}

/** Selects a guest's appointments, including past invitations. */
export function appointmentsAsGuest(db: Ctx['db'], personId: string) {
  return db.selectFrom('session_guests').select('appointment_id as id').where('person_id', '=', personId);
}

export interface GuestNotice {
  id: string;
  name: string;
  /** The account's email, not the invited address. */
  email: string;
  timeZone: string;
}

/** Accepted guests to notify. For jobs only. */
export async function guestNotices(ctx: Ctx, appointmentId: string): Promise<GuestNotice[]> {
  return noticeRows(ctx)
    .where('session_guests.appointment_id', '=', appointmentId)
    .where('state', '=', 'accepted')
    .orderBy('invited_at')
    .orderBy('users.id')
    .execute();
}

/** Returns one guest for messages; `person` is null until they accept. Null after deletion. */
export async function guestNotice(
  ctx: Ctx,
  guestId: string,
): Promise<{ appointmentId: string; person: GuestNotice | null } | null> {
  const row = await ctx.db
    .selectFrom('session_guests')
    .select('appointment_id')
    .where('id', '=', guestId)
    .executeTakeFirst();
  if (!row) return null;
  const person = await noticeRows(ctx).where('session_guests.id', '=', guestId).executeTakeFirst();
  return { appointmentId: row.appointment_id, person: person ?? null };
}

function noticeRows(ctx: Ctx) {
  requireBackground(ctx, 'appointment');
  return ctx.db
    .selectFrom('session_guests')
    .innerJoin('users', 'users.id', 'session_guests.person_id')
    .innerJoin('profiles', 'profiles.id', 'session_guests.person_id')
    .innerJoin('appointments', 'appointments.id', 'session_guests.appointment_id')
    .select(['users.id', 'full_name as name', 'users.email'])
    .select(({ fn }) => fn.coalesce('profiles.time_zone', 'client_time_zone').as('timeZone'));
}

/** The guests of an own appointment. */
export async function guestListOf(ctx: Ctx, appointmentId: string): Promise<GuestList> {
  return guestList(ctx, await requireParty(ctx, appointmentId));
}

export async function guestList(ctx: Ctx, own: Membership): Promise<GuestList> {
  await requireGuests(ctx, own.providerId);
  const now = ctx.now().epochMilliseconds;
  const rows = await ctx.db
    .selectFrom('session_guests')
    .selectAll()
    .where('appointment_id', '=', own.appointmentId)
    .orderBy('invited_at')
    .orderBy('id')
    .execute();
  const [{ refusal, start, left }, agreed] = await Promise.all([
    invitingTo(ctx, own.appointmentId, rows),
    ctx.db
      .selectFrom('session_consents')
      .select('person_id')
      .where('appointment_id', '=', own.appointmentId)
      .where('person_id', '=', own.party === 'client' ? own.clientId : own.providerId)
      .executeTakeFirst(),
  ]);
  const isClient = own.party === 'client';
  return {
    guests: rows
      // Only the client sees withdrawn invitations.
      .filter(({ state }) => isClient || state !== 'withdrawn')
      .map((row) => ({
        id: row.id,
        name: row.name,
        email: isClient ? row.email : null,
        state: row.state,
        invitedAt: isoOf(row.invited_at),
        answeredAt: row.answered_at && isoOf(row.answered_at),
        resendable:
          isClient &&
          now < start &&
          refuseSending({ state: row.state, sends: row.sends, sentAt: row.sent_at.getTime() }, now) === null,
      })),
    places: isClient && refusal === null ? left : 0,
    full: left === 0,
    agreed: agreed !== undefined,
  };
}

/** Returns whether invitations can be sent to a session now, and how many more guests it holds beside these. */
export async function invitingTo(
  ctx: Ctx,
  appointmentId: string,
  guests: readonly Pick<SessionGuest, 'state'>[],
): Promise<{ refusal: ReturnType<typeof refuseInviting>; start: number; left: number }> {
  const row = await ctx.db
    .selectFrom('appointments')
    .select(['status', 'service_id', 'starts_at', 'ends_at'])
    .where('id', '=', appointmentId)
    .executeTakeFirstOrThrow();
  const session = {
    status: row.status,
    serviceId: row.service_id,
    start: row.starts_at.getTime(),
    end: row.ends_at.getTime(),
  };
  return {
    refusal: refuseInviting(session, ctx.now().epochMilliseconds),
    start: session.start,
    left: placesLeft(guests.filter(isExpected).length),
  };
}

export function isExpected({ state }: Pick<SessionGuest, 'state'>): boolean {
  return state === 'invited' || state === 'accepted';
}

/** Returns accepted sessions that haven't ended, soonest first. */
export async function guestSessions(ctx: Ctx, self: Self): Promise<GuestSession[]> {
  const rows = await ctx.db
    .selectFrom('session_guests')
    .innerJoin('appointments', 'appointments.id', 'session_guests.appointment_id')
    .innerJoin('providers', 'providers.id', 'appointments.provider_id')
    .innerJoin('profiles as provider', 'provider.id', 'appointments.provider_id')
    .innerJoin('profiles as client', 'client.id', 'appointments.client_id')
    .select([
      'appointments.id',
      'appointments.status',
      'session_type',
      'starts_at',
      'ends_at',
      'sequence',
      'appointments.provider_id',
      'providers.title',
      'providers.time_zone',
      'provider.full_name as provider_name',
      'provider.photo_id',
      'client.full_name as client_name',
      'session_guests.name as own_name',
    ])
    .select(({ selectFrom }) =>
      selectFrom('session_guests as other')
        .select(sql<string[] | null>`array_agg(other.name order by other.invited_at, other.id)`.as('names'))
        .whereRef('other.appointment_id', '=', 'appointments.id')
        .whereRef('other.id', '<>', 'session_guests.id')
        .where('other.state', '=', 'accepted')
        .as('other_names'),
    )
    .where('session_guests.person_id', '=', hideFromPlanner(self, 'uuid'))
    .where('session_guests.state', '=', 'accepted')
    .where(offersGroups())
    .where('appointments.status', 'in', ['pending', 'confirmed'])
    .where('ends_at', '>', hideFromPlanner(new Date(ctx.now().epochMilliseconds), 'timestamptz'))
    .orderBy('starts_at')
    .orderBy('appointments.id')
    .execute();
  return rows.map((row) => ({
    appointmentId: row.id,
    startsAt: isoOf(row.starts_at),
    endsAt: isoOf(row.ends_at),
    timeZone: row.time_zone,
    sessionType: row.session_type,
    status: row.status === 'confirmed' ? 'confirmed' : 'pending',
    provider: {
      id: row.provider_id,
      name: row.provider_name,
      title: row.title,
      photoUrl: photoPath(row.photo_id),
    },
    others: [row.client_name, ...(row.other_names ?? [])],
    ownName: row.own_name,
    sequence: row.sequence,
  }));
}
