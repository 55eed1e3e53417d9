import { AppError } from '#/kernel/errors.ts';
import { requireParty, type Membership } from '#/features/appointments/appointment/policies.ts';
import type { TxCtx } from '#/platform/context.ts';
import type { Review } from './tables.ts';

/** Returns the client's side of their own appointment. Throws `not_found` (`appointment`) for anyone else. */
export async function requireClientOf(tx: TxCtx, appointmentId: string): Promise<Membership> {
  const own = await requireParty(tx, appointmentId);
  if (own.party !== 'client') throw new AppError('not_found', 'appointment');
  return own;
}

/** Locks the appointment's review, if it has one. */
export async function lockReviewOf(tx: TxCtx, { appointmentId }: Membership): Promise<Review | undefined> {
  return tx.db
    .selectFrom('reviews')
    .selectAll()
    .where('appointment_id', '=', appointmentId)
    .forUpdate()
    .executeTakeFirst();
}

/** Locks the client's review of their own appointment. Throws `not_found` (`appointment` or `review`) otherwise. */
export async function requireOwnReview(tx: TxCtx, appointmentId: string): Promise<Review> {
  const row = await lockReviewOf(tx, await requireClientOf(tx, appointmentId));
  if (!row) throw new AppError('not_found', 'review');
  return row;
}

/** Locks a review for moderation. Throws `not_found` (`review`) for unknown ids. */
export async function requireReview(tx: TxCtx, reviewId: string): Promise<Review> {
  return tx.db
    .selectFrom('reviews')
    .selectAll()
    .where('id', '=', reviewId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'review'));
}
