import type { Cases, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function reviewsOn(stage: Stage) {
  const { db, admin, client, call, session } = stage;

  async function reviewed() {
    const appointmentId = await session(-5, 'completed');
    const { id: reviewId, revision } = await written(appointmentId);
    return { appointmentId, reviewId, revision };
  }

  async function written(appointmentId: string) {
    await call(client, 'reviews.write', { appointmentId });
    return db
      .selectFrom('reviews')
      .select(['id', 'revision'])
      .where('appointment_id', '=', appointmentId)
      .executeTakeFirstOrThrow();
  }

  async function published() {
    const one = await reviewed();
    await call(admin, 'reviews.approve', one);
    return one;
  }

  return { reviewed, published };
}

export function cases(stage: Stage): Cases {
  const { admin, client, session, newest } = stage;
  const { reviewed, published } = reviewsOn(stage);
  return {
    'reviews.write': async () => ({
      by: client,
      input: { appointmentId: await session(-6, 'completed') },
      about: () => newest('reviews'),
    }),
    'reviews.withdraw': async () => {
      const { appointmentId, reviewId } = await reviewed();
      return { by: client, input: { appointmentId }, about: reviewId };
    },
    'reviews.approve': async () => {
      const { reviewId, revision } = await reviewed();
      return { by: admin, input: { reviewId, revision }, about: reviewId };
    },
    'reviews.reject': async () => {
      const { reviewId, revision } = await reviewed();
      return { by: admin, input: { reviewId, revision }, about: reviewId };
    },
    'reviews.reopen': async () => {
      const { reviewId, revision } = await published();
      return { by: admin, input: { reviewId, revision }, about: reviewId };
    },
    'reviews.feature': async () => {
      const { reviewId, revision } = await published();
      return { by: admin, input: { reviewId, revision, featured: false }, about: reviewId };
    },
  };
}

export const withoutSubject: NamesBy = { 'it is gone, and was of who acted': ['review.withdrawn'] };

export const withoutValues: NamesBy = {
  'what somebody writes or keeps is nobody else’s matter': ['review.edited'],
};

export const updates: NamesBy = {
  'reviews.changed role:super_admin self': ['reviews.write', 'reviews.withdraw'],
  'reviews.changed other role:super_admin': [
    'reviews.approve',
    'reviews.reject',
    'reviews.reopen',
    'reviews.feature',
  ],
};

export const jobs: NamesBy = {
  'notifications.review': ['reviews.approve', 'reviews.reject'],
};
