import type { Ctx } from '#/platform/context.ts';
import type { BookInput } from '../booking/contract.ts';

export type KnownContact = Pick<BookInput, 'contact' | 'timeZone' | 'reminderMinutes'>;

/**
 * Returns the client's details from their last session with this provider, else from their account. Never uses details
 * given to other providers.
 */
export async function contactOf(
  ctx: Ctx,
  { clientId, providerId }: { clientId: string; providerId: string },
): Promise<KnownContact | null> {
  const last = ctx.db
    .selectFrom('appointments')
    .where('client_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .select([
      'client_id',
      'contact_name',
      'contact_email',
      'contact_phone',
      'client_time_zone',
      'reminder_minutes',
    ]);
  const row = await ctx.db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .leftJoin(last.as('last'), 'last.client_id', 'users.id')
    .where('users.id', '=', clientId)
    .where('erased_at', 'is', null)
    .select([
      'full_name',
      'email',
      'time_zone',
      'contact_name',
      'contact_email',
      'contact_phone',
      'client_time_zone',
      'reminder_minutes',
    ])
    .executeTakeFirst();
  if (!row) return null;
  return {
    contact: {
      name: row.contact_name ?? row.full_name,
      email: row.contact_email ?? row.email,
      ...(row.contact_phone ? { phone: row.contact_phone } : {}),
    },
    timeZone: row.time_zone ?? row.client_time_zone ?? 'UTC',
    reminderMinutes: (row.reminder_minutes ?? 15) as BookInput['reminderMinutes'],
  };
}

/** Includes past and canceled appointments. */
export async function hasAppointmentWith(ctx: Ctx, providerId: string, clientId: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('appointments')
    .select('id')
    .where('client_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
