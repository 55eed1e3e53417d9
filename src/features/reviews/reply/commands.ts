import { AppError } from '#/kernel/errors.ts';
import { authorize, selfOf, topicsOf } from '#/features/access/rules.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { clearPageCache, publish } from '#/platform/realtime/publish.ts';
import type { OwnReply, ReplyState } from './contract.ts';
import { lockReplyTo, requireOwnReply, requirePublishedReview, requireReply } from './policies.ts';
import { ownReplyOf } from './queries.ts';
import { refuseReplyAction, shownAfter, type ReplyAction } from './rules.ts';
import type { ReviewReply } from './tables.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'reviews.reply_decided': { reviewId: string; revision: number };
  }
}

/** Creates or edits the provider's reply; an approved text stays public until the new one is approved. */
export async function writeReply(
  ctx: Ctx,
  { reviewId, text }: { reviewId: string; text: string },
): Promise<OwnReply> {
  return transact(ctx, async (tx) => {
    const { provider_id, client_id } = await requirePublishedReview(tx, reviewId, selfOf(tx));
    const before = await lockReplyTo(tx, reviewId);
    // Keeps the decision about unchanged text.
    if (before?.text === text && before.state !== 'rejected') return ownReplyOf(before);
    const now = new Date(tx.now().epochMilliseconds);
    const words = { text, state: 'waiting' as const, reason: null, changed_at: now, decided_at: null };
    const row = before
      ? await tx.db
          .updateTable('review_replies')
          .set({ ...words, revision: before.revision + 1 })
          .where('review_id', '=', reviewId)
          .returningAll()
          .executeTakeFirstOrThrow()
      : await tx.db
          .insertInto('review_replies')
          .values({ review_id: reviewId, provider_id, ...words, shown_text: null, written_at: now })
          .returningAll()
          .executeTakeFirstOrThrow();
    await record(tx, before ? 'edited' : 'written', reviewId);
    await notifyScreens(tx, row, { client_id, isPublic: false });
    return ownReplyOf(row);
  });
}

/** Deletes the provider's reply. */
export async function withdrawReply(ctx: Ctx, reviewId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const row = await requireOwnReply(tx, selfOf(tx), reviewId);
    await tx.db.deleteFrom('review_replies').where('review_id', '=', reviewId).execute();
    await record(tx, 'withdrawn', reviewId);
    if (row.shown_text !== null) await clearPageCache(tx);
    await notifyScreens(tx, row, { client_id: null, isPublic: false });
  });
}

interface Decision {
  reviewId: string;
  revision: number;
  from?: ReplyState | undefined;
}

export async function approveReply(ctx: Ctx, wish: Decision): Promise<{ id: string; state: ReplyState }> {
  return decide(ctx, 'approve', wish, { state: 'approved', reason: null });
}

/** Rejects or unpublishes a reply; the provider sees the reason and can rewrite it. */
export async function rejectReply(
  ctx: Ctx,
  { reason, ...wish }: Decision & { reason: string },
): Promise<{ id: string; state: ReplyState }> {
  return decide(ctx, 'reject', wish, { state: 'rejected', reason });
}

async function decide(
  ctx: Ctx,
  act: ReplyAction,
  { reviewId, revision, from }: Decision,
  outcome: { state: 'approved' | 'rejected'; reason: string | null },
): Promise<{ id: string; state: ReplyState }> {
  authorize(ctx.actor, ['moderate_content']);
  return transact(ctx, async (tx) => {
    const { client_id } = await requirePublishedReview(tx, reviewId, null);
    const row = await requireReply(tx, reviewId);
    const refusal = refuseReplyAction(act, row, { revision, from });
    if (refusal) throw new AppError(refusal.code, refusal.reason);
    const shown_text = shownAfter(act, row);
    await tx.db
      .updateTable('review_replies')
      .set({ ...outcome, shown_text, decided_at: new Date(tx.now().epochMilliseconds) })
      .where('review_id', '=', reviewId)
      .execute();
    const isPublic = shown_text !== row.shown_text;
    if (isPublic) await clearPageCache(tx);
    await record(tx, outcome.state, reviewId);
    await notifyScreens(tx, row, { client_id, isPublic });
    await tx.emit(tx, 'reviews.reply_decided', { reviewId, revision });
    return { id: reviewId, state: outcome.state };
  });
}

/** Notifies the provider and moderators, and the review's author only if the public text changed. */
async function notifyScreens(
  tx: TxCtx,
  { review_id: id, provider_id }: ReviewReply,
  { client_id, isPublic }: { client_id: string | null; isPublic: boolean },
): Promise<void> {
  const people = [provider_id, isPublic ? client_id : null];
  const topics = people.flatMap((person) => (person ? [`person:${person}`] : []));
  await publish(tx, [...topics, ...topicsOf('moderate_content')], { type: 'reviews.changed', id });
}

async function record(tx: TxCtx, what: ActionAfter<'review_reply.'>, id: string): Promise<void> {
  await recordDone(tx, { action: `review_reply.${what}`, subject: { kind: 'review', id } });
}
