import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { selfOf } from '#/features/access/rules.ts';
import type {} from './tables.ts';

/** What the person who acts is in a session; only `partakerOf` makes one. */
export interface Partaker {
  appointmentId: string;
  personId: string;
  part: 'provider' | 'client' | 'guest';
  providerId: string;
  clientId: string;
  /** Agreed that what is said stays in the session, or needn't: a provider, and a client without guests. */
  consented: boolean;
}

/**
 * Finds out what the person who acts is in a session: one of its two parties, or a guest who accepted. Anybody else's
 * answers `not_found`, like one that isn't there. A guest may join; what else belongs to the two, `membershipOf` guards.
 */
export async function partakerOf(ctx: Ctx, appointmentId: string): Promise<Partaker> {
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
  if (!row || part === null) throw new AppError('not_found', 'appointment');
  return {
    appointmentId,
    personId: self,
    part,
    providerId: row.provider_id,
    clientId: row.client_id,
    consented: part === 'provider' || Boolean(row.agreed) || (part === 'client' && !row.with_guests),
  };
}

/** Those who accepted to come to a session beside its two parties, by name, in the order in which they were asked. */
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

function acceptedGuests({ db }: Pick<Ctx, 'db'>, appointmentId: string) {
  return db
    .selectFrom('session_guests')
    .select('session_guests.person_id')
    .where('session_guests.appointment_id', '=', appointmentId)
    .where('session_guests.state', '=', 'accepted');
}
