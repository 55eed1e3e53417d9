import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const [received] = recordedFor('doctor')['reviews.received'];
const waiting = {
  text: 'Thank you. Peace be with you.',
  state: 'waiting',
  reason: null,
  shownText: null,
} as const;

const review = page.getByRole('listitem').filter({ hasText: received!.text! }).first();
const reply = review.getByRole('button', { name: /^Reply/ });
const change = review.getByRole('button', { name: /^Change/ });
const field = review.getByLabelText('Your reply');
const send = review.getByRole('button', { name: 'Send for approval' });

const reviewWith = (own: object | null) => [{ ...received!, reply: own }];

async function openReviews(own: object | null, answers: object = {}): Promise<void> {
  await openPage('/reviews', { as: 'doctor', answers: { 'reviews.received': reviewWith(own), ...answers } });
  await expect.element(review).toBeVisible();
}

const stores = (own: object | null) => () => {
  answer({ 'reviews.received': reviewWith(own) });
  return own ?? { reviewId: received!.id };
};

test('is written by keyboard alone and becomes pending', { tags: ['long'] }, async () => {
  await openReviews(null, { 'reviews.replies.write': stores(waiting) });
  await expectFair('a review without a reply');
  await press(reply);
  await expect.element(field).toHaveFocus();
  await press(send);
  await expect.element(review.getByText('Write your reply.')).toBeVisible();
  await expect.element(field).toHaveFocus();
  await expectFair('a reply that is being written');
  await userEvent.keyboard(waiting.text);
  await press(send);
  await expect.element(page.getByText('Reply sent for approval').first()).toBeVisible();
  await expect.element(review.getByText('Pending approval')).toBeVisible();
  await expect.element(change).toHaveFocus();
  await expect
    .poll(() => askedFor('reviews.replies.write'))
    .toEqual([{ reviewId: received!.id, text: waiting.text }]);
  await expectFair('a reply that waits');
});

test('keeps input when closed or not sent', async () => {
  await openReviews({ ...waiting, state: 'approved', shownText: waiting.text });
  await change.click();
  await expect.element(field).toHaveValue(waiting.text);
  await field.fill('See you on Monday at nine.');
  await review.getByRole('button', { name: 'Cancel' }).click();
  await change.click();
  await expect.element(field).toHaveValue('See you on Monday at nine.');
  await pressWith(send, { 'reviews.replies.write': unreachable });
  await expect.element(review.getByRole('alert')).toBeVisible();
  await expect.element(field).toHaveValue('See you on Monday at nine.');
});

test('shows the public version while an edit is pending', async () => {
  await openReviews({ ...waiting, shownText: 'Thank you.' });
  await expect.element(review.getByText('Until then, people see the approved version:')).toBeVisible();
  await expect.element(review.getByText('Thank you.', { exact: true })).toBeVisible();
});

test('shows why a reply was rejected, and withdraws it by keyboard', async () => {
  await openReviews(
    { ...waiting, state: 'rejected', reason: 'It tells when a session is.' },
    { 'reviews.replies.withdraw': stores(null) },
  );
  await expect.element(review.getByText('Not published')).toBeVisible();
  await expect
    .element(review.getByText('Why it wasn’t published: It tells when a session is.'))
    .toBeVisible();
  await expectFair('a reply that was refused');
  await press(review.getByRole('button', { name: /^Withdraw/ }));
  const question = page.getByRole('alertdialog', { name: 'Withdraw your reply?' });
  await press(question.getByRole('button', { name: 'Withdraw' }));
  await expect.element(page.getByText('Reply withdrawn').first()).toBeVisible();
  await expect.element(reply).toHaveFocus();
});

test('asks guests to sign in, and explains access to clients', async () => {
  await openPage('/reviews');
  await expect.element(page.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
  await openPage('/reviews', { as: 'client' });
  await expect
    .element(page.getByText('Access denied. Required permission: view_own_analytics'))
    .toBeVisible();
});

test('asks before leaving an unsent reply', async () => {
  await openReviews(null);
  await reply.click();
  await field.fill('Thank you for');
  await page.getByRole('banner').getByRole('link').first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay here' }).click();
  await expect.element(field).toHaveValue('Thank you for');
});
