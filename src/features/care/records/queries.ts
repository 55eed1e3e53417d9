import type { Selectable } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx, Database } from '#/platform/context.ts';
import type { Served } from '../policies.ts';
import type { ClientRecord } from './contract.ts';

export type StoredRecord = Selectable<Database['client_records']>;

/** Returns the provider's entry; null for clients with an account. */
export async function recordView(
  ctx: Ctx,
  { providerId, clientId }: Pick<Served, 'providerId'> & { clientId: string },
): Promise<ClientRecord | null> {
  const row = await ctx.db
    .selectFrom('client_records')
    .select(['email', 'phone', 'sent_at', 'declined_at'])
    .where('person_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .executeTakeFirst();
  return row
    ? {
        email: row.email,
        phone: row.phone,
        sentAt: row.sent_at && isoOf(row.sent_at),
        declined: row.declined_at !== null,
      }
    : null;
}

export async function isRecordOf({ db }: Ctx, bookingId: string): Promise<boolean> {
  const row = await db
    .selectFrom('bookings')
    .innerJoin('client_records', (join) =>
      join
        .onRef('client_records.person_id', '=', 'bookings.client_id')
        .onRef('client_records.idempotency_key', '=', 'bookings.idempotency_key'),
    )
    .select('bookings.id')
    .where('bookings.id', '=', bookingId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the next session, for the invitation email. */
export async function nextSessionOf({ db, now }: Ctx, clientId: string): Promise<string | null> {
  const row = await db
    .selectFrom('appointments')
    .select('id')
    .where('client_id', '=', clientId)
    .where('status', 'in', ['pending', 'confirmed'])
    .where('ends_at', '>', new Date(now().epochMilliseconds))
    .orderBy('starts_at')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function hasRecord({ db }: Ctx, clientId: string): Promise<boolean> {
  const row = await db
    .selectFrom('client_records')
    .select('person_id')
    .where('person_id', '=', clientId)
    .executeTakeFirst();
  return row !== undefined;
}
