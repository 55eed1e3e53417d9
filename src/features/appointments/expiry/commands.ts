import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { release } from '../changes/commands.ts';
import { guestIdsOf, lockDiaries } from '../diary/queries.ts';

interface Unanswered {
  id: string;
  client_id: string;
  provider_id: string;
}

/**
 * Cancels sessions still unanswered at their start and frees their time. Safe to run in parallel; failures don't stop
 * the rest and are thrown at the end.
 */
export async function expireUnanswered(ctx: Ctx): Promise<void> {
  const failed: unknown[] = [];
  for (const session of await unanswered(ctx)) {
    await transact(ctx, (tx) => expire(tx, session)).catch((error: unknown) => failed.push(error));
  }
  if (failed.length > 0) throw new AggregateError(failed, 'some unconfirmed sessions could not be expired');
}

async function unanswered(ctx: Ctx): Promise<Unanswered[]> {
  return ctx.db
    .selectFrom('appointments')
    .select(['id', 'client_id', 'provider_id'])
    .where('status', '=', 'pending')
    .where('starts_at', '<=', new Date(ctx.now().epochMilliseconds))
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
}

async function expire(tx: TxCtx, { id, client_id, provider_id }: Unanswered): Promise<void> {
  await lockDiaries(tx, [client_id, provider_id]);
  const now = new Date(tx.now().epochMilliseconds);
  const expired = await tx.db
    .updateTable('appointments')
    .set(({ eb }) => ({
      status: 'cancelled',
      expired: true,
      sequence: eb('sequence', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', id)
    // May have been answered, moved or expired elsewhere before the lock.
    .where('status', '=', 'pending')
    .where('starts_at', '<=', now)
    .returning('id')
    .executeTakeFirst();
  if (!expired) return;
  await release(tx, id);
  await recordDone(tx, { action: 'booking.expired', subject: { kind: 'appointment', id } });
  await tx.emit(tx, 'booking.changed', { appointmentId: id, change: 'expired', by: null });
  const parties = { clientId: client_id, providerId: provider_id };
  const people = [client_id, provider_id, ...(await guestIdsOf(tx, { appointmentId: id, ...parties }))];
  await publish(
    tx,
    people.map((person) => `person:${person}`),
    { type: 'booking.changed', id },
  );
}
