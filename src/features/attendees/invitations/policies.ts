import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import { requireFlag } from '#/features/settings/flags/policies.ts';
import type { Ctx } from '#/platform/context.ts';
import { digestHex } from '#/platform/tokens.ts';
import { areGuestsOn } from '../queries.ts';
import type { SessionGuest } from '../tables.ts';

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
