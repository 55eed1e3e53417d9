import { expect, test } from 'vitest';
import { approveReview, rejectReview, reopenReview, writeReview } from '#/features/reviews/commands.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClients, addProvider } from '../../../../tests/support/people.ts';
import { addSession } from '../../../../tests/support/sessions.ts';

const { db, as, runJobs, setNow } = await testDatabase();

/** A review that waits, and who decides on it; every act is a minute later than the one before. */
async function waiting() {
  await db.deleteFrom('mails').execute();
  const [client, chief] = await addClients(db, 2);
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', chief!.id).execute();
  const appointmentId = await addSession(db, { client: client!, provider: await addProvider(db) });
  const write = () =>
    writeReview(as(client!), { appointmentId, rating: 5, text: 'It did me good', named: 'anonymous' });
  await write();
  const { id: reviewId } = await db
    .selectFrom('reviews')
    .select('id')
    .where('appointment_id', '=', appointmentId)
    .executeTakeFirstOrThrow();
  const by = as({ ...chief!, role: 'super_admin' });
  let minute = 0;
  let revision = 1;
  const after = async (decide: () => Promise<unknown>) => {
    setNow(Temporal.Instant.from('2026-03-02T12:00:00Z').add({ minutes: minute++ }).toString());
    await decide();
  };
  return {
    approve: () => after(() => approveReview(by, { reviewId, revision, featured: false })),
    reject: () => after(() => rejectReview(by, { reviewId, revision, reason: 'Somebody is named' })),
    reopen: () => after(() => reopenReview(by, { reviewId, revision })),
    rewrite: () =>
      after(async () => {
        await write();
        revision++;
      }),
    told: async () => {
      await runJobs({ all: true });
      const sent = await db.selectFrom('mails').select('subject').orderBy('created_at').execute();
      return sent.map(({ subject }) => (subject.startsWith('Thank you') ? 'approved' : 'rejected'));
    },
  };
}

test('an approval of a refused review that is taken back at once tells the client nothing anew', async () => {
  const review = await waiting();
  await review.reject();
  expect(await review.told()).toEqual(['rejected']);
  await review.approve();
  await review.reject();
  expect(await review.told()).toEqual(['rejected']);
  await review.reopen();
  await review.reject();
  expect(await review.told()).toEqual(['rejected']);
});

test('a refusal of a published review that is taken back at once tells the client nothing anew', async () => {
  const review = await waiting();
  await review.approve();
  expect(await review.told()).toEqual(['approved']);
  await review.reject();
  await review.approve();
  expect(await review.told()).toEqual(['approved']);
});

test('every decision that changes what the client knows is told, and one on new words in any case', async () => {
  const review = await waiting();
  await review.reject();
  await review.told();
  await review.approve();
  await review.told();
  await review.reject();
  expect(await review.told()).toEqual(['rejected', 'approved', 'rejected']);
  await review.rewrite();
  await review.reject();
  expect(await review.told()).toEqual(['rejected', 'approved', 'rejected', 'rejected']);
});
