import { AppError } from '#/kernel/errors.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import { acceptedGuests, areGuestsOn } from './queries.ts';
import type { SessionGuest } from './tables.ts';
import { requireFlag } from '#/features/settings/flags/policies.ts';
import { digestHex } from '#/platform/tokens.ts';

/** The signed-in person's role in a session. Create only through `requirePartaker`. */
export interface Partaker {
  appointmentId: string;
  personId: string;
  part: 'provider' | 'client' | 'guest';
  providerId: string;
  clientId: string;
  /** Consented, or exempt: providers, and clients without guests. */
  consented: boolean;
}

/**
 * Returns the signed-in person's role: party or accepted guest. Throws `not_found` for everyone else, hiding the
 * session. Guests may only join; `requireParty` guards everything else.
 */
export async function requirePartaker(ctx: Ctx, appointmentId: string): Promise<Partaker> {
  const self = selfOf(ctx);
  const row = await ctx.db
    .selectFrom('appointments')
    .select(['client_id', 'provider_id'])
    .select(({ exists, selectFrom }) => [
      exists(acceptedGuests(ctx, appointmentId).where('person_id', '=', self)).as('guest'),
      exists(acceptedGuests(ctx, appointmentId)).as('with_guests'),
      exists(
        selectFrom('session_consents')
          .select('person_id')
          .where('session_consents.appointment_id', '=', appointmentId)
          .where('session_consents.person_id', '=', self),
      ).as('agreed'),
    ])
    .where('id', '=', appointmentId)
    .executeTakeFirst();
  const part =
    row?.provider_id === self ? 'provider' : row?.client_id === self ? 'client' : row?.guest ? 'guest' : null;
  if (!row || part === null || (part === 'guest' && !(await areGuestsOn(ctx, row.provider_id)))) {
    throw new AppError('not_found', 'appointment');
  }
  return {
    appointmentId,
    personId: self,
    part,
    providerId: row.provider_id,
    clientId: row.client_id,
    consented: part === 'provider' || Boolean(row.agreed) || (part === 'client' && !row.with_guests),
  };
}

/** Returns the person's own place as an accepted guest. Throws `not_found` (`appointment`) for anyone else. */
export async function requireOwnPlace(ctx: Ctx, appointmentId: string, self: Self): Promise<SessionGuest> {
  return ctx.db
    .selectFrom('session_guests')
    .selectAll()
    .where('appointment_id', '=', appointmentId)
    .where('person_id', '=', self)
    .where('state', '=', 'accepted')
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'appointment'));
}

/** Finds an invitation by token. Throws `not_found` for unknown tokens or disabled group sessions. */
export async function requireInvitation(ctx: Ctx, token: string) {
  await requireFlag(ctx, 'group_sessions');
  const row = await ctx.db
    .selectFrom('session_guests')
    .innerJoin('appointments', 'appointments.id', 'session_guests.appointment_id')
    .select([
      'session_guests.id',
      'session_guests.appointment_id',
      'session_guests.name',
      'session_guests.state',
      'session_guests.person_id',
      'told_start',
      'appointments.status',
      'client_id',
      'provider_id',
      'session_type',
      'starts_at',
      'ends_at',
    ])
    .where('token_hash', '=', digestHex(token))
    .executeTakeFirst();
  if (!row || !(await areGuestsOn(ctx, row.provider_id))) throw new AppError('not_found', 'invitation');
  return row;
}

export type InvitationRow = Awaited<ReturnType<typeof requireInvitation>>;

/** Throws `not_found` for other clients' guests. */
export async function requireOwnGuest(ctx: Ctx, client: Self, guestId: string): Promise<SessionGuest> {
  return ctx.db
    .selectFrom('session_guests')
    .innerJoin('appointments', 'appointments.id', 'session_guests.appointment_id')
    .selectAll('session_guests')
    .where('session_guests.id', '=', guestId)
    .where('client_id', '=', client)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'guest'));
}
