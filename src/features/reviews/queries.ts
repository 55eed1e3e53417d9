import { AppError } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Self } from '#/features/access/rules.ts';
import type { ModeratedReview, OwnReview, ReceivedReview, ReviewState, Testimonial } from './contract.ts';
import { ownReplyOf } from './reply/queries.ts';
import type { Review } from './tables.ts';

/** How many testimonials the landing page and a service's page show (client spec, section 9). */
const testimonialsShown = 6;
/** More sessions than are shown at once. */
const mostOwn = 200;

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
  return { ...shownOf(row), writtenIn: isoOf(row.written_at).slice(0, 'YYYY-MM'.length) };
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

/** The approved words about listed specialists and active services, newest first. */
function testimonialRows(ctx: Ctx) {
  return ctx.db
    .selectFrom('reviews')
    .innerJoin('services', 'services.id', 'reviews.service_id')
    .innerJoin('providers', 'providers.id', 'reviews.provider_id')
    .leftJoin('review_replies', 'review_replies.review_id', 'reviews.id')
    .select(shown)
    .select('review_replies.shown_text as reply')
    .where('services.active', '=', true)
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

/** The newest featured testimonials. */
export async function featuredTestimonials(ctx: Ctx): Promise<Testimonial[]> {
  const rows = testimonialRows(ctx).where('reviews.featured', '=', true).limit(testimonialsShown);
  return (await rows.execute()).map(testimonialOf);
}

/** The newest testimonials about a service. */
export async function testimonialsOfService(ctx: Ctx, serviceId: string): Promise<Testimonial[]> {
  const rows = testimonialRows(ctx).where('reviews.service_id', '=', serviceId).limit(testimonialsShown);
  return (await rows.execute()).map(testimonialOf);
}

/** The testimonials about a specialist, newest first; `not_found` for one who isn't listed. */
export async function testimonialsOfProvider(
  ctx: Ctx,
  { providerId, offset, limit }: Page & { providerId: string },
): Promise<Testimonial[]> {
  const provider = await ctx.db
    .selectFrom('providers')
    .select('id')
    .where('id', '=', providerId)
    .where('listed', '=', true)
    .executeTakeFirst();
  if (!provider) throw new AppError('not_found', 'specialist');
  const rows = testimonialRows(ctx).where('reviews.provider_id', '=', providerId).offset(offset).limit(limit);
  return (await rows.execute()).map(testimonialOf);
}

/** The approved reviews of the provider who acts, with words or without, newest first. */
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

/** The person's own reviews of sessions that began from `from` on and before `to`. */
export async function myReviews(
  ctx: Ctx,
  self: Self,
  { from, to }: { from: string; to: string },
): Promise<OwnReview[]> {
  const dateOf = (iso: string) => new Date(Temporal.Instant.from(iso).epochMilliseconds);
  const rows = await ctx.db
    .selectFrom('reviews')
    .innerJoin('appointments', 'appointments.id', 'reviews.appointment_id')
    .selectAll('reviews')
    .select('appointments.id as appointment')
    .where('reviews.client_id', '=', self)
    .where('appointments.starts_at', '>=', dateOf(from))
    .where('appointments.starts_at', '<', dateOf(to))
    .orderBy('appointments.starts_at', 'desc')
    .orderBy('reviews.id')
    .limit(mostOwn)
    .execute();
  return rows.map((row) => ownReviewOf(row, row.appointment));
}

/** A review as the client who wrote it about this appointment sees it. */
export function ownReviewOf(
  { rating, text, named, author_place: place, state, reason }: Review,
  appointmentId: string,
): OwnReview {
  return { appointmentId, rating, text, named, place, state, reason };
}

/** How many reviews wait for a decision. */
export async function waitingCount(ctx: Ctx): Promise<{ waiting: number }> {
  return ctx.db
    .selectFrom('reviews')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
}

/** Reviews in one state for who decides on them: those that wait longest first, the others by their decision, latest first. */
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

/** What a message about a decision has to know: whose review, and how it was decided when; null while it waits, or is gone. */
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
