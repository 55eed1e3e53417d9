import { AppError } from '#/kernel/errors.ts';
import { authorize, selfOf } from '#/features/access/rules.ts';
import { isExpired } from '#/features/providers/practice/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Party, Side } from './rules.ts';
import type { Appointment } from './tables.ts';
import { digestHex } from '#/platform/tokens.ts';

declare const minted: unique symbol;

/** Proof that the actor may access this appointment, as a party or administrator. Only this file creates it. */
export type OwnAppointmentId = string & { readonly [minted]: 'appointment' };

/** Read without a lock: parties never change. */
export interface Membership {
  appointmentId: OwnAppointmentId;
  party: Party;
  clientId: string;
  providerId: string;
}

export interface Acting extends Omit<Membership, 'party'> {
  party: Side;
}

/** The person's role. Throws `not_found` for others. */
export async function requireParty(ctx: Ctx, appointmentId: string): Promise<Membership> {
  const self = selfOf(ctx);
  const row = await ctx.db
    .selectFrom('appointments')
    .select(['id', 'client_id', 'provider_id'])
    .where('id', '=', appointmentId)
    .where(({ or, eb }) => or([eb('client_id', '=', self), eb('provider_id', '=', self)]))
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'appointment'));
  return partyTo(row, self);
}

/** Authorizes an administrator to act for both parties. */
export async function requireAdministered(ctx: Ctx, appointmentId: string): Promise<Acting> {
  authorize(ctx.actor, ['manage_appointments']);
  const row = await ctx.db
    .selectFrom('appointments')
    .select(['id', 'client_id', 'provider_id'])
    .where('id', '=', appointmentId)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'appointment'));
  return actingFor(row);
}

type Sides = Pick<Appointment, 'id' | 'client_id' | 'provider_id'>;

/** A party's own row, for jobs that go through somebody's appointments. */
export function partyTo(row: Sides, personId: string): Membership {
  return {
    appointmentId: row.id as OwnAppointmentId,
    party: row.client_id === personId ? 'client' : 'provider',
    clientId: row.client_id,
    providerId: row.provider_id,
  };
}

/** An administrator's act for both parties of this row; the caller has checked the capability. */
export function actingFor(row: Sides): Acting {
  return {
    appointmentId: row.id as OwnAppointmentId,
    party: 'administrator',
    clientId: row.client_id,
    providerId: row.provider_id,
  };
}

/** Extends access within a series: its parties are the same. */
export function sameSeries(own: Acting, { id }: Pick<Appointment, 'id'>): Acting {
  return { ...own, appointmentId: id as OwnAppointmentId };
}

/** Returns the person's role. Throws `not_found` (`appointment`) for non-parties and for another provider's. */
export async function requirePartyWith(
  ctx: Ctx,
  appointmentId: string,
  providerId: string,
): Promise<Membership> {
  const own = await requireParty(ctx, appointmentId);
  if (own.providerId !== providerId) throw new AppError('not_found', 'appointment');
  return own;
}

/** Throws `not_found` (`appointment`) if nothing was found. */
export function requireAppointment<T>(found: T | undefined): T {
  if (!found) throw new AppError('not_found', 'appointment');
  return found;
}

/** Throws `not_found` (`specialist`) for a specialist who isn't there or offers nothing. */
export function requireOffered<T>(found: T | null | undefined): T {
  if (!found) throw new AppError('not_found', 'specialist');
  return found;
}

/** Throws `not_found` (`specialist`) for unlisted specialists. */
export async function requireListed(ctx: Ctx, providerId: string): Promise<void> {
  requireOffered(
    await ctx.db
      .selectFrom('providers')
      .select('id')
      .where('id', '=', providerId)
      .where('listed', '=', true)
      .executeTakeFirst(),
  );
}

/** Throws `precondition` (`license_expired`). */
export async function requireLicensed({ db, now }: Ctx, providerId: string): Promise<void> {
  const row = await db
    .selectFrom('providers')
    .select('licensed_until')
    .where('id', '=', providerId)
    .executeTakeFirst();
  if (row && isExpired(row.licensed_until, now().toString().slice(0, 10)))
    throw new AppError('precondition', 'license_expired');
}

/**
 * Returns the feed's owner; possessing the token grants access. Throws `not_found` for unknown tokens, suspended
 * accounts and anyone signed in as another person.
 */
export async function requireFeedOwner(
  ctx: Ctx,
  token: string,
): Promise<{ personId: string; readAt: Date | null }> {
  const row = await ctx.db
    .selectFrom('calendar_feeds')
    .innerJoin('profiles', 'profiles.id', 'calendar_feeds.person_id')
    .select(['person_id as personId', 'read_at as readAt'])
    .where('token_hash', '=', digestHex(token))
    .where('suspended_at', 'is', null)
    .executeTakeFirst();
  if (!row || (ctx.actor.kind === 'person' && ctx.actor.id !== row.personId)) {
    throw new AppError('not_found', 'calendar_feed');
  }
  return row;
}
