import { beforeEach, describe, expect, it, test } from 'vitest';
import { selfOf } from '#/features/access/rules.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { reviewersOf, words } from '../../../../tests/support/reviews.ts';
import { approveReview, rejectReview, reopenReview, withdrawReview, writeReview } from '../commands.ts';
import { reviewsContract } from '../contract.ts';
import { featuredTestimonials, receivedReviews, testimonialsOfProvider } from '../queries.ts';
import { approveReply, rejectReply, withdrawReply, writeReply } from './commands.ts';
import { repliesToModerate, repliesWaiting } from './queries.ts';

const { db, as, setNow, runJobs, readMails } = await testDatabase({ poolSize: 8 });
const guest = as({ kind: 'guest' });
const { client, doctor, otherDoctor, chief, written, forgetReviews } = await reviewersOf({ db, as });

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await forgetReviews();
  await db.deleteFrom('mails').execute();
});

const list = { offset: 0, limit: 50 };

/** A published review, with readers for the public and provider views of its reply. */
async function published() {
  const review = await written();
  await approveReview(as(chief), { ...review, featured: true });
  return {
    ...review,
    shown: async () =>
      (await testimonialsOfProvider(guest, { ...list, providerId: doctor.id })).find(
        ({ id }) => id === review.reviewId,
      )!.reply,
    own: async () =>
      (await receivedReviews(as(doctor), selfOf(as(doctor)), list)).find(({ id }) => id === review.reviewId)!
        .reply,
  };
}

describe('a reply', () => {
  it('is published once an administrator approves it', async () => {
    const { reviewId, shown, own } = await published();
    const answer = await writeReply(as(doctor), { reviewId, text: 'Thank you.' });
    expect(answer).toEqual({ text: 'Thank you.', state: 'waiting', reason: null, shownText: null });
    expect(await own()).toEqual(answer);
    expect(await shown()).toBeNull();
    expect(await repliesWaiting(as(chief))).toEqual({ waiting: 1 });
    const [waiting] = await repliesToModerate(as(chief), { ...list, state: 'waiting' });
    expect(reviewsContract.replies.moderation['~orpc'].outputSchema!.parse([waiting])).toMatchObject([
      { id: reviewId, text: 'Thank you.', provider: { id: doctor.id }, review: { text: 'I was heard.' } },
    ]);
    await approveReply(as(chief), { reviewId, revision: 1 });
    expect(await shown()).toBe('Thank you.');
    expect((await featuredTestimonials(guest))[0]!.reply).toBe('Thank you.');
    expect(await own()).toMatchObject({ state: 'approved', shownText: 'Thank you.' });
  });

  it('keeps its approved text public until an edit is decided, even if rejected', async () => {
    const { reviewId, shown, own } = await published();
    await writeReply(as(doctor), { reviewId, text: 'First.' });
    await approveReply(as(chief), { reviewId, revision: 1 });
    expect(await writeReply(as(doctor), { reviewId, text: 'Second.' })).toMatchObject({
      text: 'Second.',
      state: 'waiting',
      shownText: 'First.',
    });
    expect(await shown()).toBe('First.');
    await rejectReply(as(chief), { reviewId, revision: 2, reason: 'It tells of a session.' });
    expect(await own()).toEqual({
      text: 'Second.',
      state: 'rejected',
      reason: 'It tells of a session.',
      shownText: 'First.',
    });
    await writeReply(as(doctor), { reviewId, text: 'Third.' });
    await approveReply(as(chief), { reviewId, revision: 3 });
    expect(await shown()).toBe('Third.');
    // Rejecting a published reply unpublishes it.
    await rejectReply(as(chief), { reviewId, revision: 3, reason: 'No.' });
    expect(await shown()).toBeNull();
  });

  it('can be unpublished after a rejected edit', async () => {
    const { reviewId, shown, own } = await published();
    await writeReply(as(doctor), { reviewId, text: 'First.' });
    await approveReply(as(chief), { reviewId, revision: 1 });
    await writeReply(as(doctor), { reviewId, text: 'Second.' });
    await rejectReply(as(chief), { reviewId, revision: 2, reason: 'No.' });
    expect(await repliesToModerate(as(chief), { ...list, state: 'approved' })).toMatchObject([
      { id: reviewId, text: 'Second.', shownText: 'First.' },
    ]);
    await rejectReply(as(chief), { reviewId, revision: 2, reason: 'It names a client.' });
    expect(await shown()).toBeNull();
    expect(await own()).toMatchObject({ state: 'rejected', reason: 'It names a client.', shownText: null });
    expect(await repliesToModerate(as(chief), { ...list, state: 'approved' })).toEqual([]);
    expect(
      await refusalOf(rejectReply(as(chief), { reviewId, revision: 2, reason: 'Again.' })),
    ).toMatchObject({ reason: 'wrong_state' });
  });

  it('is decided only once when resent unchanged', async () => {
    const { reviewId } = await published();
    await Promise.all([1, 2, 3].map(() => writeReply(as(doctor), { reviewId, text: 'Thank you.' })));
    await approveReply(as(chief), { reviewId, revision: 1 });
    expect(await writeReply(as(doctor), { reviewId, text: 'Thank you.' })).toMatchObject({
      state: 'approved',
    });
  });

  it('can be withdrawn in any state', async () => {
    const { reviewId, shown, own } = await published();
    await writeReply(as(doctor), { reviewId, text: 'Thank you.' });
    await approveReply(as(chief), { reviewId, revision: 1 });
    await withdrawReply(as(doctor), reviewId);
    expect([await shown(), await own()]).toEqual([null, null]);
    expect(await refusalOf(withdrawReply(as(doctor), reviewId))).toMatchObject({
      code: 'not_found',
      reason: 'reply',
    });
  });

  it('follows its review, and is pending again if its text differs', async () => {
    const { reviewId, appointmentId, shown, own, revision } = await published();
    await writeReply(as(doctor), { reviewId, text: 'Thank you.' });
    await approveReply(as(chief), { reviewId, revision: 1 });
    await reopenReview(as(chief), { reviewId, revision });
    expect(await refusalOf(writeReply(as(doctor), { reviewId, text: 'x' }))).toMatchObject({
      code: 'not_found',
    });
    await approveReview(as(chief), { reviewId, revision, featured: false });
    expect(await shown()).toBe('Thank you.');
    await rejectReview(as(chief), { reviewId, revision, reason: 'No.' });
    await writeReview(as(client), words(appointmentId, { text: 'Something else.' }));
    expect(await repliesWaiting(as(chief))).toEqual({ waiting: 0 });
    await approveReview(as(chief), { reviewId, revision: revision + 1, featured: false });
    expect(await shown()).toBeNull();
    expect(await own()).toMatchObject({ state: 'waiting', text: 'Thank you.', shownText: null });
    expect(await repliesWaiting(as(chief))).toEqual({ waiting: 1 });
    await withdrawReview(as(client), appointmentId);
    expect(await db.selectFrom('review_replies').selectAll().execute()).toEqual([]);
  });
});

describe('access', () => {
  it('is limited to the reviewed provider and public reviews', async () => {
    const { reviewId } = await published();
    const { reviewId: hidden } = await written();
    for (const [who, id] of [
      [otherDoctor, reviewId],
      [client, reviewId],
      [doctor, hidden],
      [doctor, guest.newId()],
    ] as const) {
      expect(await refusalOf(writeReply(as(who), { reviewId: id, text: 'x' }))).toMatchObject({
        code: 'not_found',
        reason: 'review',
      });
    }
    await writeReply(as(doctor), { reviewId, text: 'Mine.' });
    expect(await refusalOf(withdrawReply(as(otherDoctor), reviewId))).toMatchObject({
      code: 'not_found',
      reason: 'reply',
    });
    expect(await refusalOf(withdrawReply(guest, reviewId))).toMatchObject({ code: 'unauthenticated' });
  });

  it('to decisions is limited to administrators, on the text they read', async () => {
    const { reviewId } = await published();
    await writeReply(as(doctor), { reviewId, text: 'First.' });
    for (const person of [client, doctor]) {
      expect(await refusalOf(approveReply(as(person), { reviewId, revision: 1 }))).toMatchObject({
        code: 'forbidden',
      });
    }
    await writeReply(as(doctor), { reviewId, text: 'Second.' });
    expect(await refusalOf(approveReply(as(chief), { reviewId, revision: 1 }))).toMatchObject({
      code: 'conflict',
      reason: 'changed_meanwhile',
    });
    await approveReply(as(chief), { reviewId, revision: 2, from: 'waiting' });
    expect(
      await refusalOf(rejectReply(as(chief), { reviewId, revision: 2, from: 'waiting', reason: 'No.' })),
    ).toMatchObject({ reason: 'wrong_state' });
    expect(await refusalOf(approveReply(as(chief), { reviewId, revision: 2 }))).toMatchObject({
      code: 'conflict',
      reason: 'wrong_state',
    });
  });
});

test('leaves no reply pending forever and shows only approved text, under concurrency', async () => {
  const { reviewId, shown } = await published();
  await writeReply(as(doctor), { reviewId, text: 'One.' });
  const acts = [
    () => approveReply(as(chief), { reviewId, revision: 1 }),
    () => writeReply(as(doctor), { reviewId, text: 'Two.' }),
    () => rejectReply(as(chief), { reviewId, revision: 1, reason: 'No.' }),
    () => approveReply(as(chief), { reviewId, revision: 2 }),
    () => withdrawReply(as(doctor), reviewId),
    () => writeReply(as(doctor), { reviewId, text: 'Three.' }),
  ];
  const outcomes = await Promise.allSettled(acts.map((act) => act()));
  const refusals = outcomes.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  for (const refusal of refusals) expect(refusal).toMatchObject({ name: 'AppError' });
  const approved = await db
    .selectFrom('audit_entries')
    .select('id')
    .where('action', '=', 'review_reply.approved')
    .where('subject_id', '=', reviewId)
    .orderBy('id')
    .execute();
  expect(approved.length > 0 || (await shown()) === null).toBe(true);
});

test('emails decisions without the text, and logs every action with fixed values', async () => {
  const { reviewId } = await published();
  await runJobs({ all: true });
  await db.deleteFrom('mails').execute();
  await writeReply(as(doctor), { reviewId, text: 'Something private' });
  await rejectReply(as(chief), { reviewId, revision: 1, reason: 'It says something private' });
  await runJobs({ all: true });
  const mails = await readMails();
  expect(mails).toMatchObject([
    { recipient: `${doctor.id}@people.example`, subject: 'Your reply to a review' },
  ]);
  expect(mails[0]!.text_body).toContain('https://italk.example/reviews');
  const entries = await db
    .selectFrom('audit_entries')
    .selectAll()
    .where('subject_id', '=', reviewId)
    .where('action', 'like', 'review_reply.%')
    .orderBy('id')
    .execute();
  expect(entries.map(({ action, actor_id }) => [action, actor_id])).toEqual([
    ['review_reply.written', doctor.id],
    ['review_reply.rejected', chief.id],
  ]);
  expect(JSON.stringify([mails, entries])).not.toContain('private');
  // An edit before the email is written voids the decision.
  await writeReply(as(doctor), { reviewId, text: 'Thank you.' });
  await approveReply(as(chief), { reviewId, revision: 2 });
  await writeReply(as(doctor), { reviewId, text: 'Thank you so much.' });
  await runJobs({ all: true });
  expect(await db.selectFrom('mails').select('id').orderBy('id').execute()).toHaveLength(1);
});
