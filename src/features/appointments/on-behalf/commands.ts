import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { selfOf } from '#/features/access/rules.ts';
import { bookOnce, requireNumber, type Booked } from '../booking/commands.ts';
import type { BookForInput } from '../booking/contract.ts';
import { lockDiaries } from '../diary/queries.ts';
import { requireServes, requireServedContact } from './policies.ts';

/**
 * Books a session or series for a provider's existing client, idempotently and confirmed at once. Throws `not_found`
 * for other clients, and `required` for `contact.phone` on a phone session without a number.
 */
export async function bookFor(ctx: Ctx, input: BookForInput): Promise<Booked> {
  const provider = selfOf(ctx);
  const { clientId, outsideHours, phone, ...wanted } = input;
  return transact(ctx, async (tx) => {
    const pair = { clientId, providerId: provider };
    await requireServes(tx, provider, clientId);
    // Re-check under the lock: an invited caller may have moved to an existing account meanwhile.
    await lockDiaries(tx, [clientId, provider]);
    const known = await requireServedContact(tx, pair);
    const contact = phone ? { ...known.contact, phone } : known.contact;
    requireNumber({ sessionType: input.sessionType, contact });
    const booker = { by: 'provider', self: provider, clientId, outsideHours } as const;
    return bookOnce(tx, booker, { ...wanted, providerId: provider, ...known, contact });
  });
}

interface Contact {
  name: string;
  email: string;
  phone: string | null;
}

/** Updates a client's contact details in every session with this provider. */
export async function changeContact(
  { db }: TxCtx,
  { clientId, providerId }: { clientId: string; providerId: string },
  { name, email, phone }: Contact,
): Promise<void> {
  await db
    .updateTable('appointments')
    .set({ contact_name: name, contact_email: email, contact_phone: phone })
    .where('client_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .execute();
}

/**
 * Transfers sessions with a provider from one account to another. Throws `conflict` (`own_clash`) if the new owner is
 * busy.
 */
export async function moveSessions(
  tx: TxCtx,
  { from, to, providerId }: { from: string; to: string; providerId: string },
): Promise<void> {
  const { db } = tx;
  await lockDiaries(tx, [from, to, providerId]);
  const clash = await db
    .selectFrom('participants as moved')
    .innerJoin('participants as own', (join) =>
      join
        .on('own.person_id', '=', to)
        .on('own.held', '=', true)
        .onRef('own.starts_at', '<', 'moved.ends_at')
        .onRef('own.ends_at', '>', 'moved.starts_at'),
    )
    .select('own.appointment_id')
    .where('moved.person_id', '=', from)
    .where('moved.held', '=', true)
    .limit(1)
    .executeTakeFirst();
  if (clash) throw new AppError('conflict', 'own_clash');
  for (const table of ['bookings', 'appointments'] as const) {
    await db.updateTable(table).set({ client_id: to }).where('client_id', '=', from).execute();
  }
  for (const table of ['participants', 'reminders'] as const) {
    await db.updateTable(table).set({ person_id: to }).where('person_id', '=', from).execute();
  }
  const first = await db
    .selectFrom('appointments')
    .select('id')
    .where('client_id', '=', to)
    .where('provider_id', '=', providerId)
    .limit(1)
    .executeTakeFirst();
  if (first) {
    await publish(tx, [`person:${to}`, `person:${providerId}`], { type: 'booking.changed', id: first.id });
  }
}
