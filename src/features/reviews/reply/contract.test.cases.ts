import { reviewsOn } from '#/features/reviews/contract.test.cases.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { admin, provider, call } = stage;
  const { published } = reviewsOn(stage);

  async function replied() {
    const { reviewId } = await published();
    await call(provider, 'reviews.replies.write', { reviewId });
    return { reviewId, revision: 1 };
  }

  return {
    'reviews.replies.write': async () => {
      const { reviewId } = await published();
      return { by: provider, input: { reviewId }, about: reviewId };
    },
    'reviews.replies.withdraw': async () => {
      const { reviewId } = await replied();
      return { by: provider, input: { reviewId }, about: reviewId };
    },
    'reviews.replies.approve': async () => {
      const { reviewId, revision } = await replied();
      return { by: admin, input: { reviewId, revision }, about: reviewId };
    },
    'reviews.replies.reject': async () => {
      const { reviewId, revision } = await replied();
      return { by: admin, input: { reviewId, revision }, about: reviewId };
    },
  };
}

export const withoutValues: NamesBy = {
  'what somebody writes or keeps is nobody else’s matter': ['review_reply.edited'],
};

export const updates: NamesBy = {
  'reviews.changed role:super_admin self': ['reviews.replies.write', 'reviews.replies.withdraw'],
  'reviews.changed other role:super_admin': ['reviews.replies.approve', 'reviews.replies.reject'],
};

export const jobs: NamesBy = {
  'notifications.review-reply': ['reviews.replies.approve', 'reviews.replies.reject'],
};
