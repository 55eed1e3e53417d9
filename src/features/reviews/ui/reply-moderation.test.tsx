import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const [waiting] = recordedFor('admin')['reviews.replies.moderation'];
const decision = { reviewId: waiting!.id, revision: waiting!.revision, from: 'waiting' };

const reply = page.getByRole('article', { name: `${waiting!.provider.name}’s reply to Marta G.` });
const question = page.getByRole('alertdialog', { name: 'Reject this reply?' });

const decided = (state: string) => () => {
  answer({ 'reviews.replies.moderation': [] });
  return { id: waiting!.id, state };
};

async function openReplies(answers: object = {}): Promise<void> {
  await openPage('/admin/moderation', {
    as: 'admin',
    answers: {
      'reviews.replies.moderation': ({ state }: { state: string }) => (state === 'waiting' ? [waiting] : []),
      ...answers,
    },
  });
  await page.getByRole('tab', { name: /^Replies/ }).click();
}

test('shows a reply with its review, and passes accessibility checks', async () => {
  await openReplies();
  await expect.poll(address).toContain('tab=replies');
  await expect.element(reply).toMatchTextContent(waiting!.text);
  await expect.element(reply).toMatchTextContent(waiting!.review.text);
  await expectFair('replies that wait');
});

test('approves a reply by keyboard', async () => {
  await openReplies({ 'reviews.replies.approve': decided('approved') });
  await press(reply.getByRole('button', { name: /^Approve/ }));
  await expect.element(page.getByText('Reply published').first()).toBeVisible();
  await expect.element(reply).not.toBeInTheDocument();
  await expect.poll(() => askedFor('reviews.replies.approve')).toEqual([decision]);
});

test('unpublishes the version before a rejected edit', async () => {
  const before = { ...waiting!, state: 'rejected', text: 'An edit.', shownText: 'The version before.' };
  await openReplies({
    'reviews.replies.moderation': ({ state }: { state: string }) => (state === 'approved' ? [before] : []),
    'reviews.replies.reject': decided('rejected'),
  });
  await expect.element(reply).toMatchTextContent('The version before.');
  expect(reply.getByText('An edit.').query()).toBe(null);
  expect(reply.getByRole('button', { name: /^Approve/ }).query()).toBe(null);
  await reply.getByRole('button', { name: /^Unpublish/ }).click();
  const unpublish = page.getByRole('alertdialog');
  await unpublish.getByLabelText('Reason').fill('It names a client.');
  await unpublish.getByRole('button', { name: 'Unpublish' }).click();
  await expect.element(page.getByText('Reply unpublished').first()).toBeVisible();
});

test('is rejected with a reason', async () => {
  await openReplies({ 'reviews.replies.reject': decided('rejected') });
  await reply.getByRole('button', { name: /^Reject/ }).click();
  await question.getByLabelText('Reason').fill('It tells when a session is.');
  await expectFair('why a reply is refused');
  await question.getByRole('button', { name: 'Reject' }).click();
  await expect.element(page.getByText('Reply rejected').first()).toBeVisible();
  await expect
    .poll(() => askedFor('reviews.replies.reject'))
    .toEqual([{ ...decision, reason: 'It tells when a session is.' }]);
});
