import { beforeEach, describe, expect, it, test } from 'vitest';
import { approveReview, rejectReview, reopenReview, writeReview } from '#/features/reviews/commands.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { reviewersOf, words } from '../../../../tests/support/reviews.ts';

const { db, as, runJobs, setNow, readMails } = await testDatabase();
const { client, doctor, chief, written } = await reviewersOf({ db, as });

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await db.deleteFrom('mails').execute();
});

/** A pending review and its moderator; each action is a minute after the last. */
async function waiting() {
  const { reviewId, appointmentId, ...first } = await written();
  const by = as(chief);
  let { revision } = first;
  let minute = 0;
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
        await writeReview(as(client), words(appointmentId));
        revision++;
      }),
    told: async () => {
      await runJobs({ all: true });
      const sent = await readMails();
      return sent.map(({ subject }) => (subject.startsWith('Thank you') ? 'approved' : 'rejected'));
    },
  };
}

test('sends no email when approval of a rejected review is undone immediately', async () => {
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

test('sends no email when rejection of a published review is undone immediately', async () => {
  const review = await waiting();
  await review.approve();
  expect(await review.told()).toEqual(['approved']);
  await review.reject();
  await review.approve();
  expect(await review.told()).toEqual(['approved']);
});

test('emails every decision that changes the client’s state, and any on new text', async () => {
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

describe('the client', () => {
  const mails = () => readMails();

  it.each([
    ['approved', 'Thank you for sharing'],
    ['rejected', 'About what you shared'],
  ] as const)('is told once that the review was %s, without its text or subject', async (state, subject) => {
    const review = await written({ text: 'Something private', place: 'Ohio' });
    if (state === 'approved') await approveReview(as(chief), { ...review, featured: false });
    else await rejectReview(as(chief), { ...review, reason: 'Somebody is named' });
    await runJobs({ all: true });
    const sent = await mails();
    expect(sent).toMatchObject([{ subject, recipient: `${client.id}@people.example` }]);
    expect(sent[0]!.text_body).toContain('https://italk.example/profile?tab=sessions');
    for (const told of ['private', 'Ohio', 'named', `Person ${doctor.id.slice(-6)}`, 'hour']) {
      expect(sent[0]!.text_body).not.toContain(told);
    }
  });

  it('isn’t told of a decision undone within a minute, and once if repeated', async () => {
    const review = await written();
    await approveReview(as(chief), { ...review, featured: false });
    await reopenReview(as(chief), review);
    await runJobs();
    expect(await mails()).toEqual([]);
    await runJobs({ all: true });
    expect(await mails()).toEqual([]);
    await approveReview(as(chief), { ...review, featured: false });
    await reopenReview(as(chief), review);
    await approveReview(as(chief), { ...review, featured: false });
    await runJobs({ all: true });
    expect(await mails()).toHaveLength(1);
  });
});
