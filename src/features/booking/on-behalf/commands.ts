import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { selfOf } from '#/features/access/rules.ts';
import { bookOnce, requireNumber, type Booked } from '../commands.ts';
import type { BookForInput } from '../contract.ts';
import { lockDiaries } from '../diary/queries.ts';
import { contactOf, serves } from './queries.ts';

/**
 * Books one session or a whole series for somebody whom the provider who acts serves, once per idempotency key. It is
 * confirmed at once; `not_found` for anyone else, invalid `required` for `contact.phone` where one by phone has no number.
 */
export async function bookFor(ctx: Ctx, input: BookForInput): Promise<Booked> {
  const provider = selfOf(ctx);
  const { clientId, outsideHours, phone, ...wanted } = input;
  return transact(ctx, async (tx) => {
    const pair = { clientId, providerId: provider };
    if (!(await serves(tx, provider, clientId))) throw new AppError('not_found', 'client');
    // While this waits, a caller may accept the invitation into an account that they already have.
    await lockDiaries(tx, [clientId, provider]);
    const known = (await serves(tx, provider, clientId)) ? await contactOf(tx, pair) : null;
    if (!known) throw new AppError('not_found', 'client');
    const contact = phone ? { ...known.contact, phone } : known.contact;
    requireNumber({ sessionType: input.sessionType, contact });
    const booker = { by: 'provider', self: provider, clientId, outsideHours } as const;
    return bookOnce(tx, booker, { ...wanted, providerId: provider, ...known, contact });
  });
}

/** How a provider's client is to be reached. */
interface Contact {
  name: string;
  email: string;
  phone: string | null;
}

/** Corrects how a provider's client is reached, in all of their sessions. */
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
 * Makes one person's sessions with a provider another's, who holds their times from then on. Refuses as conflict
 * `own_clash` where they are elsewhere at one of these.
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
