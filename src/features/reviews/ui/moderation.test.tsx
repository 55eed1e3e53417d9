import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const [first, ...others] = recordedFor('admin')['reviews.moderation'];

const review = page.getByRole('article', { name: `A client’s review of ${first!.provider.name}` });
const question = page.getByRole('alertdialog', { name: 'Reject this review?' });
const heading = page.getByRole('heading', { name: 'Pending reviews', exact: true });
const decided = { id: first!.id, state: 'rejected', featured: false };

async function openModeration(): Promise<void> {
  await openPage('/admin/moderation', {
    as: 'admin',
    answers: {
      'reviews.reject': () => {
        answer({ 'reviews.moderation': others });
        return decided;
      },
      'reviews.reopen': () => {
        answer({ 'reviews.moderation': [first, ...others] });
        return { ...decided, state: 'waiting' };
      },
    },
  });
}

test('passes accessibility checks with pending reviews', async () => {
  await openModeration();
  await expect.element(review).toBeVisible();
  await expectFair('reviews that wait');
});

test('requires a reason to reject a review, and can undo the rejection', async () => {
  await openModeration();
  await review.getByRole('button', { name: /^Reject/ }).click();
  await question.getByRole('button', { name: 'Reject' }).click();
  await expect.element(question.getByText('Enter a reason.')).toBeVisible();
  await expect.element(question.getByLabelText('Reason')).toHaveFocus();
  expect(askedFor('reviews.reject')).toEqual([]);
  await expectFair('a refusal without a reason');
  await question.getByLabelText('Reason').fill('It names somebody.');
  await question.getByRole('button', { name: 'Reject' }).click();
  await expect.element(review).not.toBeInTheDocument();
  await expect.element(page.getByText('Review rejected').first()).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(review).toBeVisible();
  expect(askedFor('reviews.reject')).toMatchObject([{ from: 'waiting' }]);
  expect(askedFor('reviews.reopen')).toMatchObject([{ from: 'rejected' }]);
});

test('rejects a review by keyboard alone, and focuses the heading', { tags: ['long'] }, async () => {
  await openModeration();
  await press(review.getByRole('button', { name: /^Reject/ }));
  await tabTo(question.getByLabelText('Reason'));
  await userEvent.keyboard('Please tell us a little more.');
  await press(question.getByRole('button', { name: 'Reject' }));
  await expect.element(review).not.toBeInTheDocument();
  await expect.element(heading).toHaveFocus();
  await expect
    .poll(() => askedFor('reviews.reject'))
    .toMatchObject([{ reason: 'Please tell us a little more.' }]);
});

test('shows the reason for rejected reviews, and passes accessibility checks', async () => {
  await openPage('/admin/moderation?tab=refused', {
    as: 'admin',
    answers: { 'reviews.moderation': [{ ...first, state: 'rejected', reason: 'It names somebody.' }] },
  });
  await expect.element(review).toMatchTextContent('Your reason: It names somebody.');
  await expectFair('refused reviews');
});

test('features a published review, and unpublishes it with a reason', async () => {
  const published = { ...first!, state: 'approved' };
  await openPage('/admin/moderation?tab=published', {
    as: 'admin',
    answers: {
      'reviews.moderation': [published],
      'reviews.feature': () => {
        answer({ 'reviews.moderation': [{ ...published, featured: true }] });
        return { ...decided, state: 'approved', featured: true };
      },
      'reviews.reject': () => {
        answer({ 'reviews.moderation': [] });
        return decided;
      },
    },
  });
  await expect.element(review).toBeVisible();
  await expectFair('published reviews');
  await review.getByRole('button', { name: /^Feature/ }).click();
  await expect.element(review.getByText('Featured', { exact: true })).toBeVisible();
  await review.getByRole('button', { name: /^Unpublish/ }).click();
  const unpublish = page.getByRole('alertdialog', { name: 'Unpublish this review?' });
  await unpublish.getByLabelText('Reason').fill('The client asked for it.');
  await unpublish.getByRole('button', { name: 'Unpublish' }).click();
  await expect.element(review).not.toBeInTheDocument();
  await expect.poll(() => askedFor('reviews.reject')).toMatchObject([{ reason: 'The client asked for it.' }]);
});

test('approves and features a review once, however often it’s pressed', async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  await openModeration();
  answer({ 'reviews.approve': () => promise });
  const feature = review.getByRole('button', { name: /^Approve and feature/ });
  await feature.click();
  await expect.poll(() => askedFor('reviews.approve').length).toBe(1);
  (feature.element() as HTMLButtonElement).click();
  answer({ 'reviews.moderation': others });
  resolve({ ...decided, state: 'approved', featured: true });
  await expect.element(review).not.toBeInTheDocument();
  expect(askedFor('reviews.approve')).toHaveLength(1);
});

test('doesn’t offer to feature a rating without text', async () => {
  await openPage('/admin/moderation', {
    as: 'admin',
    answers: { 'reviews.moderation': [{ ...first, text: null }] },
  });
  await expect.element(review).toMatchTextContent('Rating only');
  await expect.element(review.getByRole('button', { name: /^Approve A client’s/ })).toBeVisible();
  await expect.element(review.getByRole('button', { name: /^Approve and feature/ })).not.toBeInTheDocument();
});

test('asks a guest to sign in', async () => {
  await openPage('/admin/moderation');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Moderation');
  await expectFair('moderation for a guest');
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
  await expect.element(page.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
});

for (const who of ['client', 'doctor'] as const)
  test(`tells a ${who} which permission is required`, async () => {
    await openPage('/admin/moderation', { as: who });
    await expect.element(page.getByRole('main')).toMatchTextContent('moderate_content');
    await expect.element(page.getByRole('tab')).not.toBeInTheDocument();
  });
