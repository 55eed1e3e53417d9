import { m } from '#/texts/messages.js';
import { rowsOf, type PersonalPart } from '#/platform/personal.ts';
import { removeReviewsOf } from './commands.ts';
import { writtenIn } from './queries.ts';

/** Erasure deletes reviews a person wrote, published ones included, and reviews about a provider. */
export const reviewsPersonal: PersonalPart = {
  name: 'reviews',
  async collect({ db }, personId) {
    const written = await rowsOf(db, 'reviews', 'client_id', personId);
    // Without the authors' identity and unpublished reviews.
    const about = await db
      .selectFrom('reviews')
      .select(['id', 'service_id', 'rating', 'text', 'author_name', 'author_place', 'written_at', 'state'])
      .where('provider_id', '=', personId)
      .execute();
    const received = about
      .filter(({ state }) => state === 'approved')
      .map(({ state: _state, written_at, ...review }) => ({ ...review, written_in: writtenIn(written_at) }));
    const review_replies = await rowsOf(db, 'review_replies', 'provider_id', personId);
    return {
      tables: { reviews: [...written, ...received], review_replies },
      leftOut: about.length > 0 ? [m.reviews_left_out()] : [],
    };
  },
  erase: removeReviewsOf,
};
