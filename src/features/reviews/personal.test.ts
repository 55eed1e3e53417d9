import { expect, test } from 'vitest';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { reviewersOf } from '../../../tests/support/reviews.ts';
import { approveReview, removeReviewsOf } from './commands.ts';
import { reviewsPersonal } from './personal.ts';

const { db, as } = await testDatabase();
const { client, otherClient, doctor, otherDoctor, chief, written, expectCounted, forgetReviews } =
  await reviewersOf({ db, as });

test('exports reviews a person wrote, and published ones about them without the author', async () => {
  const review = await written({ text: 'Published' });
  await approveReview(as(chief), { ...review, featured: false });
  await written({ text: 'Waiting' });
  const mine = await reviewsPersonal.collect(as(client), client.id);
  expect(new Set(mine.tables.reviews!.map(({ text }) => text))).toEqual(new Set(['Published', 'Waiting']));
  expect(mine.leftOut).toEqual([]);
  const about = await reviewsPersonal.collect(as(doctor), doctor.id);
  expect(about.tables.reviews).toMatchObject([{ text: 'Published', rating: 5 }]);
  expect(about.tables.reviews![0]).not.toHaveProperty('client_id');
  // A date could identify an anonymous client's session.
  expect(JSON.stringify(about.tables.reviews)).not.toMatch(/\d{4}-\d{2}-\d{2}/);
  expect(about.leftOut).toHaveLength(1);
});

test('removes reviews by an erased client or about an erased provider, and updates stats', async () => {
  await forgetReviews();
  for (const who of [client, otherClient]) {
    await approveReview(as(chief), { ...(await written({}, who)), featured: false });
    await approveReview(as(chief), {
      ...(await written({ rating: 4 }, who, otherDoctor)),
      featured: false,
    });
  }
  await expectCounted(10, 2);
  await transact(as({ kind: 'system' }), (tx) => removeReviewsOf(tx, client.id));
  await expectCounted(5, 1);
  await transact(as({ kind: 'system' }), (tx) => reviewsPersonal.erase(tx, doctor.id));
  await expectCounted(0, 0);
  expect(await db.selectFrom('reviews').select('client_id').execute()).toEqual([
    { client_id: otherClient.id },
  ]);
});
