import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { ModeratedReply, OwnReply, ReplyState } from './contract.ts';
import type { ReviewReply } from './tables.ts';

export function ownReplyOf({
  text,
  state,
  reason,
  shown_text: shownText,
}: Pick<ReviewReply, 'text' | 'state' | 'reason' | 'shown_text'>): OwnReply {
  return { text, state, reason, shownText };
}

export async function repliesWaiting(ctx: Ctx): Promise<{ waiting: number }> {
  return ctx.db
    .selectFrom('review_replies')
    .innerJoin('reviews', 'reviews.id', 'review_replies.review_id')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('review_replies.state', '=', 'waiting')
    .where('reviews.state', '=', 'approved')
    .executeTakeFirstOrThrow();
}

/** Waiting ones oldest first, others by latest decision. Approved ones include public versions before a rejected edit. */
export async function repliesToModerate(
  ctx: Ctx,
  { state, offset, limit }: { state: ReplyState; offset: number; limit: number },
): Promise<ModeratedReply[]> {
  const repliesIn = (one: ReplyState) =>
    ctx.db.selectFrom('review_replies').selectAll().where('state', '=', one);
  const replies = repliesIn(state).$if(state === 'approved', (approved) =>
    approved.unionAll(repliesIn('rejected').where('shown_text', 'is not', null)),
  );
  const rows = await ctx.db
    .selectFrom(replies.as('review_replies'))
    .innerJoin('reviews', 'reviews.id', 'review_replies.review_id')
    .innerJoin('services', 'services.id', 'reviews.service_id')
    .innerJoin('profiles', 'profiles.id', 'review_replies.provider_id')
    .selectAll('review_replies')
    .select([
      'profiles.full_name',
      'reviews.author_name',
      'reviews.rating',
      'reviews.text as review_text',
      'reviews.service_id',
      'services.title as service_title',
    ])
    .where('reviews.state', '=', 'approved')
    .$if(state === 'waiting', (waiting) =>
      waiting.orderBy('review_replies.changed_at').orderBy('review_replies.review_id'),
    )
    .$if(state !== 'waiting', (decided) =>
      decided.orderBy('review_replies.decided_at', 'desc').orderBy('review_replies.review_id', 'desc'),
    )
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.review_id,
    ...ownReplyOf(row),
    revision: row.revision,
    changedAt: isoOf(row.changed_at),
    provider: { id: row.provider_id, name: row.full_name },
    review: {
      name: row.author_name,
      rating: row.rating,
      text: row.review_text,
      service: { id: row.service_id, title: row.service_title },
    },
  }));
}

/** Null if the reply is waiting or changed. */
export async function replyNotice(
  ctx: Ctx,
  { reviewId, revision }: { reviewId: string; revision: number },
): Promise<{ providerId: string; state: 'approved' | 'rejected' } | null> {
  const row = await ctx.db
    .selectFrom('review_replies')
    .select(['provider_id', 'state'])
    .where('review_id', '=', reviewId)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (!row || row.state === 'waiting') return null;
  return { providerId: row.provider_id, state: row.state };
}
