import type { Ctx } from '#/platform/context.ts';
import { actAs, demoContent } from '#/platform/demo.ts';
import { approveReview, publishEarlierReviews, writeReview, type EarlierReview } from './commands.ts';
import type { WriteInput } from './contract.ts';
import { approveReply, writeReply } from './reply/commands.ts';

export interface ReviewedSpecialist {
  id: string;
  serviceIds: readonly string[];
  /** Among `count` ratings without text, every `fourEvery`th has 4 stars, the others 5. */
  ratings: { count: number; fourEvery: number };
}

/** `of` and `by` index demo specialists and clients. */
interface Content {
  /** Newest first. */
  earlier: readonly (Omit<EarlierReview, 'providerId' | 'writtenAt'> & { of: number; text: string })[];
  /** Only the first is published. */
  recent: readonly (Pick<WriteInput, 'rating' | 'named' | 'place'> & { text: string; by: number })[];
  /** Only the first is published. */
  replies: readonly { of: number; text: string }[];
}

export async function seedReviews(
  ctx: Ctx,
  specialists: readonly ReviewedSpecialist[],
  clients: readonly { id: string }[],
): Promise<void> {
  const content = demoContent<Content>('reviews');
  const now = ctx.now();
  const daysAgo = (days: number) => now.subtract({ hours: 24 * days });
  const published = await writeRecent(ctx, content.recent, clients);
  const earlier: EarlierReview[] = [];
  for (const [of, { id: providerId, serviceIds, ratings }] of specialists.entries()) {
    const words = content.earlier.filter((one) => one.of === of);
    const others = words.length + published.filter((id) => id === providerId).length;
    for (let index = ratings.count - others; index > 0; index--) {
      earlier.push({
        providerId,
        serviceId: serviceIds[index % serviceIds.length]!,
        authorName: 'iTalk client',
        authorPlace: '',
        rating: index % ratings.fourEvery === 0 ? 4 : 5,
        text: null,
        featured: false,
        writtenAt: daysAgo(90 + 6 * index),
      });
    }
    for (const one of words) {
      earlier.push({ ...one, providerId, writtenAt: daysAgo(4 + 7 * content.earlier.indexOf(one)) });
    }
  }
  await publishEarlierReviews(ctx, earlier);
  await writeReplies(ctx, content.replies, specialists);
}

async function writeReplies(
  ctx: Ctx,
  replies: Content['replies'],
  specialists: readonly ReviewedSpecialist[],
): Promise<void> {
  for (const [index, { of, text }] of replies.entries()) {
    const { id } = specialists[of]!;
    const review = await ctx.db
      .selectFrom('reviews')
      .select('id')
      .where('provider_id', '=', id)
      .where('state', '=', 'approved')
      .where('text', 'is not', null)
      .where('appointment_id', 'is', null)
      .orderBy('written_at', 'desc')
      .executeTakeFirstOrThrow();
    await writeReply(actAs(ctx, { id, role: 'doctor' }), { reviewId: review.id, text });
    if (index === 0) await approveReply(ctx, { reviewId: review.id, revision: 1 });
  }
}

async function writeRecent(
  ctx: Ctx,
  recent: Content['recent'],
  clients: readonly { id: string }[],
): Promise<string[]> {
  const published: string[] = [];
  for (const [index, { by, ...words }] of recent.entries()) {
    const { id } = clients[by]!;
    const session = await ctx.db
      .selectFrom('appointments')
      .select(['id', 'provider_id', 'ends_at'])
      .where('client_id', '=', id)
      .where('status', '=', 'completed')
      .orderBy('starts_at', 'desc')
      .executeTakeFirst();
    if (!session) continue;
    const end = Temporal.Instant.fromEpochMilliseconds(session.ends_at.getTime());
    await writeReview(actAs(ctx, { id, role: 'client' }, end), { ...words, appointmentId: session.id });
    if (index > 0) continue;
    const { id: reviewId, revision } = await ctx.db
      .selectFrom('reviews')
      .select(['id', 'revision'])
      .where('appointment_id', '=', session.id)
      .executeTakeFirstOrThrow();
    await approveReview({ ...ctx, now: () => end }, { reviewId, revision, featured: false });
    published.push(session.provider_id);
  }
  return published;
}
