import { sql } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { hideFromPlanner } from '#/platform/db/hide-from-planner.ts';
import type { Self } from '#/features/access/rules.ts';
import { requireListed } from '#/features/appointments/appointment/policies.ts';
import type { ModeratedReview, OwnReview, ReceivedReview, ReviewState, Testimonial } from './contract.ts';
import { ownReplyOf } from './reply/queries.ts';
import type { Review } from './tables.ts';

/** Client spec, section 9. */
const testimonialsShown = 6;
/** More sessions than one screen shows. */
const maxOwn = 200;

interface Page {
  offset: number;
  limit: number;
}

const shown = [
  'reviews.id',
  'reviews.author_name',
  'reviews.author_place',
  'reviews.service_id',
  'services.title as service_title',
  'reviews.rating',
  'reviews.text',
  'reviews.written_at',
] as const;

type WordsRow = Pick<Review, 'id' | 'author_name' | 'author_place' | 'service_id' | 'rating' | 'text'> & {
  service_title: string;
};
type ShownRow = WordsRow & Pick<Review, 'written_at'>;

function datedOf(row: ShownRow): Omit<ReceivedReview, 'reply'> {
  return { ...shownOf(row), writtenIn: writtenIn(row.written_at) };
}

export function writtenIn(at: Date): string {
  return isoOf(at).slice(0, 'YYYY-MM'.length);
}

function shownOf(row: WordsRow): Omit<ReceivedReview, 'writtenIn' | 'reply'> {
  return {
    id: row.id,
    name: row.author_name,
    place: row.author_place,
    service: { id: row.service_id, title: row.service_title },
    rating: row.rating,
    text: row.text,
  };
}

/** Selects approved reviews with text for listed specialists, newest first. */
function testimonialRows(ctx: Ctx) {
  return ctx.db
    .selectFrom('reviews')
    .innerJoin('services', 'services.id', 'reviews.service_id')
    .innerJoin('providers', 'providers.id', 'reviews.provider_id')
    .leftJoin('review_replies', 'review_replies.review_id', 'reviews.id')
    .select(shown)
    .select('review_replies.shown_text as reply')
    .where('providers.listed', '=', true)
    .where('reviews.state', '=', 'approved')
    .where('reviews.text', 'is not', null)
    .$narrowType<{ text: string }>()
    .orderBy('reviews.written_at', 'desc')
    .orderBy('reviews.id', 'desc');
}

function testimonialOf(row: ShownRow & { text: string; reply: string | null }): Testimonial {
  return { ...datedOf(row), text: row.text, reply: row.reply };
}

export async function featuredTestimonials(ctx: Ctx): Promise<Testimonial[]> {
  const rows = testimonialRows(ctx)
    .where('services.active', '=', true)
    .where('reviews.featured', '=', true)
    .limit(testimonialsShown);
  return (await rows.execute()).map(testimonialOf);
}

export async function testimonialsOfService(ctx: Ctx, serviceId: string): Promise<Testimonial[]> {
  const rows = testimonialRows(ctx)
    .where('services.active', '=', true)
    .where('reviews.service_id', '=', serviceId)
    .limit(testimonialsShown);
  return (await rows.execute()).map(testimonialOf);
}

/** Lists a specialist's testimonials, newest first; throws `not_found` for unlisted specialists. */
export async function testimonialsOfProvider(
  ctx: Ctx,
  { providerId, offset, limit }: Page & { providerId: string },
): Promise<Testimonial[]> {
  await requireListed(ctx, providerId);
  const rows = testimonialRows(ctx).where('reviews.provider_id', '=', providerId).offset(offset).limit(limit);
  return (await rows.execute()).map(testimonialOf);
}

/** Counts the provider's approved reviews by stars, from one to five. */
export async function receivedRatings(ctx: Ctx, self: Self): Promise<{ counts: number[] }> {
  const rows = await ctx.db
    .selectFrom('reviews')
    .select(['rating', ({ fn }) => fn.countAll<number>().as('count')])
    .where('provider_id', '=', self)
    .where('state', '=', 'approved')
    .groupBy('rating')
    .execute();
  return { counts: [1, 2, 3, 4, 5].map((stars) => rows.find(({ rating }) => rating === stars)?.count ?? 0) };
}

/** Lists the provider's approved reviews, with or without text, newest first. */
export async function receivedReviews(
  ctx: Ctx,
  self: Self,
  { offset, limit }: Page,
): Promise<ReceivedReview[]> {
  const rows = await ctx.db
    .selectFrom('reviews')
    .innerJoin('services', 'services.id', 'reviews.service_id')
    .leftJoin('review_replies', 'review_replies.review_id', 'reviews.id')
    .select(shown)
    .select([
      'review_replies.text as reply_text',
      'review_replies.state as reply_state',
      'review_replies.reason',
      'review_replies.shown_text',
    ])
    .where('reviews.provider_id', '=', self)
    .where('reviews.state', '=', 'approved')
    .orderBy('reviews.written_at', 'desc')
    .orderBy('reviews.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ reply_text, reply_state, reason, shown_text, ...row }) => ({
    ...datedOf(row),
    reply:
      reply_text === null || reply_state === null
        ? null
        : ownReplyOf({ text: reply_text, state: reply_state, reason, shown_text }),
  }));
}

/** Own reviews of sessions in [`from`, `to`). */
export async function myReviews(
  ctx: Ctx,
  self: Self,
  { from, to }: { from: string; to: string },
): Promise<OwnReview[]> {
  const dateOf = (iso: string) => new Date(Temporal.Instant.from(iso).epochMilliseconds);
  const rows = await ctx.db
    .selectFrom('reviews')
    .innerJoin('appointments', 'appointments.id', 'reviews.appointment_id')
    .select([
      'rating',
      'text',
      'named',
      'author_name',
      'author_place',
      'state',
      'reason',
      'appointments.id as appointment',
    ])
    .where('reviews.client_id', '=', hideFromPlanner(self, 'uuid'))
    .where('appointments.starts_at', '>=', hideFromPlanner(dateOf(from), 'timestamptz'))
    .where('appointments.starts_at', '<', hideFromPlanner(dateOf(to), 'timestamptz'))
    .orderBy('appointments.starts_at', 'desc')
    .orderBy('reviews.id')
    .limit(sql.lit(maxOwn))
    .execute();
  return rows.map((row) => ownReviewOf(row, row.appointment));
}

export function ownReviewOf(
  {
    rating,
    text,
    named,
    author_name: name,
    author_place: place,
    state,
    reason,
  }: Pick<Review, 'rating' | 'text' | 'named' | 'author_name' | 'author_place' | 'state' | 'reason'>,
  appointmentId: string,
): OwnReview {
  return { appointmentId, rating, text, named, name, place, state, reason };
}

export async function waitingCount(ctx: Ctx): Promise<{ waiting: number }> {
  return ctx.db
    .selectFrom('reviews')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
}

/** Waiting ones oldest first, others by latest decision. */
export async function reviewsToModerate(
  ctx: Ctx,
  { state, offset, limit }: Page & { state: ReviewState },
): Promise<ModeratedReview[]> {
  const rows = await ctx.db
    .selectFrom('reviews')
    .innerJoin('services', 'services.id', 'reviews.service_id')
    .innerJoin('profiles', 'profiles.id', 'reviews.provider_id')
    .select(shown)
    .select(['provider_id', 'full_name', 'state', 'reason', 'featured', 'revision'])
    .where('reviews.state', '=', state)
    .$if(state === 'waiting', (waiting) => waiting.orderBy('reviews.changed_at').orderBy('reviews.id'))
    .$if(state !== 'waiting', (decided) =>
      decided.orderBy('reviews.decided_at', 'desc').orderBy('reviews.id', 'desc'),
    )
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ written_at: writtenAt, ...row }) => ({
    ...shownOf(row),
    writtenAt: isoOf(writtenAt),
    provider: { id: row.provider_id, name: row.full_name },
    state: row.state,
    reason: row.reason,
    featured: row.featured,
    revision: row.revision,
  }));
}

/** Null if the review is waiting or deleted. */
export async function decisionNotice(
  ctx: Ctx,
  reviewId: string,
): Promise<{ clientId: string; state: 'approved' | 'rejected'; revision: number; decidedAt: number } | null> {
  const row = await ctx.db
    .selectFrom('reviews')
    .select(['client_id', 'state', 'revision', 'decided_at'])
    .where('id', '=', reviewId)
    .executeTakeFirst();
  if (!row || row.client_id === null || row.decided_at === null || row.state === 'waiting') return null;
  const { client_id: clientId, state, revision, decided_at: decidedAt } = row;
  return { clientId, state, revision, decidedAt: decidedAt.getTime() };
}
