import { AppError } from '#/kernel/errors.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import { acceptedGuests, areGuestsOn } from './queries.ts';
import type { SessionGuest } from './tables.ts';

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
