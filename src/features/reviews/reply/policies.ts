import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import type { TxCtx } from '#/platform/context.ts';
import type { ReviewReply } from './tables.ts';

/** Locks a published review, optionally of one provider; throws `not_found` (`review`) for any other. */
export async function requirePublishedReview(tx: TxCtx, reviewId: string, providerId: Self | null) {
  return (
    tx.db
      .selectFrom('reviews')
      .select(['provider_id', 'client_id'])
      .where('id', '=', reviewId)
      .where('state', '=', 'approved')
      .$if(providerId !== null, (own) => own.where('provider_id', '=', providerId!))
      // Serializes concurrent replies. Every command locks the review before the reply.
      .forUpdate()
      .executeTakeFirstOrThrow(() => new AppError('not_found', 'review'))
  );
}

/** Locks the review's reply, if it has one. */
export async function lockReplyTo(tx: TxCtx, reviewId: string): Promise<ReviewReply | undefined> {
  return tx.db
    .selectFrom('review_replies')
    .selectAll()
    .where('review_id', '=', reviewId)
    .forUpdate()
    .executeTakeFirst();
}

/** Locks a reply for moderation. Throws `not_found` (`reply`) if the review has none. */
export async function requireReply(tx: TxCtx, reviewId: string): Promise<ReviewReply> {
  const row = await lockReplyTo(tx, reviewId);
  if (!row) throw new AppError('not_found', 'reply');
  return row;
}

/** Locks the provider's own reply. Throws `not_found` (`reply`) for any other. */
export async function requireOwnReply(tx: TxCtx, self: Self, reviewId: string): Promise<ReviewReply> {
  const row = await requireReply(tx, reviewId);
  if (row.provider_id !== self) throw new AppError('not_found', 'reply');
  return row;
}
