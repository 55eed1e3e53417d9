import { randomUUID } from 'node:crypto';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { clearPageCache, publish } from '#/platform/realtime/publish.ts';
import { authorize, topicsOf } from '#/features/access/rules.ts';
import { personOf } from '#/features/accounts/queries.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { OwnReview, ReviewState, WriteInput } from './contract.ts';
import { lockReviewOf, requireClientOf, requireOwnReview, requireReview } from './policies.ts';
import { ownReviewOf } from './queries.ts';
import {
  authorName,
  refuseModeration,
  refuseWriting,
  type ModerationAction,
  type ReviewRefusal,
} from './rules.ts';
import type { Review } from './tables.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'reviews.decided': { reviewId: string };
  }
}

/** Delay before the decision email, in seconds, so that administrators can undo a decision unnoticed. */
const secondThoughts = 60;

/** Creates or edits the client's review of a completed session and submits it for moderation. */
export async function writeReview(ctx: Ctx, input: WriteInput): Promise<OwnReview> {
  return transact(ctx, async (tx) => {
    const own = await requireClientOf(tx, input.appointmentId);
    // Concurrent writes run in turn.
    const { status, service_id } = await tx.db
      .selectFrom('appointments')
      .select(['status', 'service_id'])
      .where('id', '=', own.appointmentId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const before = await lockReviewOf(tx, own);
    refuse(refuseWriting(status, before?.state ?? null));
    const { fullName } = await personOf(tx, own.clientId);
    const now = dateNow(tx);
    const written = {
      rating: input.rating,
      text: input.text || null,
      named: input.named,
      author_name: authorName(fullName, input.named),
      author_place: input.place ?? '',
      state: 'waiting' as const,
      reason: null,
      revision: (before?.revision ?? 0) + 1,
      changed_at: now,
      decided_at: null,
    };
    const row = before
      ? await tx.db
          .updateTable('reviews')
          .set(written)
          .where('id', '=', before.id)
          .returningAll()
          .executeTakeFirstOrThrow()
      : await tx.db
          .insertInto('reviews')
          .values({
            ...written,
            // Review ids are public: a random UUID hides the creation time, which could identify the session.
            id: randomUUID(),
            appointment_id: own.appointmentId,
            client_id: own.clientId,
            provider_id: own.providerId,
            service_id,
            written_at: now,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
    if (before) await questionReply(tx, row.id);
    await record(tx, before ? 'edited' : 'written', row.id);
    await notifyScreens(tx, row, false);
    return ownReviewOf(row, own.appointmentId);
  });
}

/** Resets the reply to waiting and hides it, because the review it answers has changed. */
async function questionReply(tx: TxCtx, reviewId: string): Promise<void> {
  await tx.db
    .updateTable('review_replies')
    .set(({ eb }) => ({
      state: 'waiting',
      reason: null,
      shown_text: null,
      decided_at: null,
      changed_at: dateNow(tx),
      revision: eb('revision', '+', 1),
    }))
    .where('review_id', '=', reviewId)
    .execute();
}

/** Deletes the client's review. */
export async function withdrawReview(ctx: Ctx, appointmentId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const row = await requireOwnReview(tx, appointmentId);
    await tx.db.deleteFrom('reviews').where('id', '=', row.id).execute();
    await subtractFromTotals(tx, [row]);
    await record(tx, 'withdrawn', row.id);
    await notifyScreens(tx, row, row.state === 'approved');
  });
}

interface Decision {
  reviewId: string;
  revision: number;
  from?: ReviewState | undefined;
}

interface Decided {
  id: string;
  state: ReviewState;
  featured: boolean;
}

/** Publishes a review; counts in the provider's rating. */
export async function approveReview(ctx: Ctx, wish: Decision & { featured: boolean }): Promise<Decided> {
  return moderate(ctx, 'approve', wish, (tx) => ({
    state: 'approved',
    reason: null,
    featured: wish.featured,
    decided_at: dateNow(tx),
  }));
}

/** Rejects or unpublishes a review; the client sees the reason and can rewrite it. */
export async function rejectReview(ctx: Ctx, wish: Decision & { reason: string }): Promise<Decided> {
  return moderate(ctx, 'reject', wish, (tx) => ({
    state: 'rejected',
    reason: wish.reason,
    featured: false,
    decided_at: dateNow(tx),
  }));
}

/** Undoes a decision; the review waits again. */
export async function reopenReview(ctx: Ctx, wish: Decision): Promise<Decided> {
  return moderate(ctx, 'reopen', wish, () => ({
    state: 'waiting',
    reason: null,
    featured: false,
    decided_at: null,
  }));
}

/** Features a published testimonial on the landing page or removes it. */
export async function featureReview(ctx: Ctx, wish: Decision & { featured: boolean }): Promise<Decided> {
  return moderate(ctx, 'feature', wish, () => ({ featured: wish.featured }));
}

/** Locks the review, checks the action, updates the provider's rating and publishes the change. */
async function moderate(
  ctx: Ctx,
  act: ModerationAction,
  wish: Decision & { featured?: boolean },
  change: (tx: TxCtx) => Partial<Review>,
): Promise<Decided> {
  authorize(ctx.actor, ['moderate_content']);
  return transact(ctx, async (tx) => {
    const row = await requireReview(tx, wish.reviewId);
    refuse(refuseModeration(act, row, wish));
    const changed = await tx.db
      .updateTable('reviews')
      .set(change(tx))
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await countIn(tx, [
      { ...row, sign: -1 },
      { ...changed, sign: 1 },
    ]);
    const isPublic = row.state === 'approved' || changed.state === 'approved';
    if (isPublic) await clearPageCache(tx);
    await record(
      tx,
      acts[act],
      row.id,
      act === 'feature' || act === 'approve' ? { featured: changed.featured } : {},
    );
    await notifyScreens(tx, changed, isPublic);
    if (act !== 'feature' && changed.state !== 'waiting' && changed.client_id) {
      await tx.emit(
        tx,
        'reviews.decided',
        { reviewId: row.id },
        { startAfter: tx.now().add({ seconds: secondThoughts }) },
      );
    }
    return { id: changed.id, state: changed.state, featured: changed.featured };
  });
}

const acts: Readonly<Record<ModerationAction, ActionAfter<'review.'>>> = {
  approve: 'approved',
  reject: 'rejected',
  reopen: 'reopened',
  feature: 'featured',
};

export interface EarlierReview {
  providerId: string;
  serviceId: string;
  authorName: string;
  authorPlace: string;
  rating: number;
  text: string | null;
  featured: boolean;
  writtenAt: Temporal.Instant;
}

/** Imports reviews older than the recorded appointments and adds them to ratings. */
export async function publishEarlierReviews(ctx: Ctx, reviews: readonly EarlierReview[]): Promise<void> {
  authorize(ctx.actor, ['moderate_content']);
  if (reviews.length === 0) return;
  await transact(ctx, async (tx) => {
    const stored = await tx.db
      .insertInto('reviews')
      .values(
        reviews.map((review) => {
          const at = new Date(review.writtenAt.epochMilliseconds);
          return {
            id: tx.newId(),
            provider_id: review.providerId,
            service_id: review.serviceId,
            rating: review.rating,
            text: review.text,
            named: 'full' as const,
            author_name: review.authorName,
            author_place: review.authorPlace,
            state: 'approved' as const,
            featured: review.featured,
            written_at: at,
            changed_at: at,
            decided_at: at,
          };
        }),
      )
      .returning(['provider_id', 'rating', 'state'])
      .execute();
    await countIn(
      tx,
      stored.map((review) => ({ ...review, sign: 1 })),
    );
    await recordDone(tx, { action: 'review.brought_in', details: { reviews: stored.length } });
    await clearPageCache(tx);
  });
}

/** Deletes a person's reviews, both written and received. */
export async function removeReviewsOf(tx: TxCtx, personId: string): Promise<void> {
  const removed = await tx.db
    .deleteFrom('reviews')
    .where(({ or, eb }) => or([eb('client_id', '=', personId), eb('provider_id', '=', personId)]))
    .returning(['provider_id', 'rating', 'state'])
    .execute();
  await subtractFromTotals(tx, removed);
}

async function subtractFromTotals(tx: TxCtx, reviews: readonly Omit<Counted, 'sign'>[]): Promise<void> {
  await countIn(
    tx,
    reviews.map((review) => ({ ...review, sign: -1 })),
  );
  if (reviews.some(({ state }) => state === 'approved')) await clearPageCache(tx);
}

/** `sign` adds (1) or subtracts (-1) the review. */
type Counted = Pick<Review, 'provider_id' | 'rating' | 'state'> & { sign: 1 | -1 };

/** The caller holds the review locks. */
async function countIn(tx: TxCtx, reviews: readonly Counted[]): Promise<void> {
  const changes = new Map<string, { sum: number; count: number }>();
  for (const { provider_id, rating, sign } of reviews.filter(({ state }) => state === 'approved')) {
    const { sum, count } = changes.get(provider_id) ?? { sum: 0, count: 0 };
    changes.set(provider_id, { sum: sum + sign * rating, count: count + sign });
  }
  // Fixed lock order to avoid deadlocks.
  for (const [id, { sum, count }] of [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (sum === 0 && count === 0) continue;
    await tx.db
      .updateTable('providers')
      .set(({ eb }) => ({
        rating_sum: eb('rating_sum', '+', sum),
        rating_count: eb('rating_count', '+', count),
      }))
      .where('id', '=', id)
      .execute();
  }
}

function refuse(refusal: ReviewRefusal | null): void {
  if (refusal) throw new AppError(refusal.code, refusal.reason);
}

/** Notifies the author and moderators, and providers only of public reviews. */
async function notifyScreens(
  tx: TxCtx,
  { id, client_id, provider_id }: Review,
  isPublic: boolean,
): Promise<void> {
  const people = [client_id, isPublic ? provider_id : null];
  const topics = people.flatMap((person) => (person ? [`person:${person}`] : []));
  await publish(tx, [...topics, ...topicsOf('moderate_content')], { type: 'reviews.changed', id });
}

async function record(
  tx: TxCtx,
  what: ActionAfter<'review.'>,
  id: string,
  details: Record<string, boolean> = {},
): Promise<void> {
  await recordDone(tx, { action: `review.${what}`, subject: { kind: 'review', id }, details });
}

function dateNow(tx: TxCtx): Date {
  return new Date(tx.now().epochMilliseconds);
}
