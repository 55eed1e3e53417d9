import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor } from '../../../../tests/components/answers.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import type { OwnReview } from '../contract.ts';

const sessions = recordedFor('client')['appointments.mine'];
const completed = sessions.findLast(({ status }) => status === 'completed')!;
const appointmentId = completed.id;
const written: OwnReview = {
  appointmentId,
  rating: 5,
  text: null,
  named: 'initial',
  name: 'Hannah B.',
  place: '',
  state: 'waiting',
  reason: null,
};

test('sends and withdraws a review by keyboard alone', { tags: ['long'] }, async () => {
  await openPage('/profile?tab=sessions', {
    as: 'client',
    answers: {
      'appointments.mine': [completed],
      'reviews.mine': [],
      'reviews.write': written,
      'reviews.withdraw': { appointmentId },
    },
  });
  const dialog = page.getByRole('dialog', { name: 'How was your session?' });
  const review = page.getByRole('button', { name: /^Review of the session/ });
  const send = dialog.getByRole('button', { name: 'Send review' });
  await press(review);
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(review).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await press(send);
  await expect.element(dialog.getByText('Choose 1 to 5 stars.')).toBeVisible();
  await expect.element(dialog.getByRole('radio', { name: '1 star, Poor' })).toHaveFocus();
  await userEvent.keyboard(` ${'{ArrowRight}'.repeat(4)}`);
  await expect.element(dialog.getByRole('radio', { name: '5 stars, Excellent' })).toBeChecked();
  answer({ 'reviews.mine': [written] });
  await press(send);
  await expect.element(dialog).not.toBeInTheDocument();
  const edit = page.getByRole('button', { name: /^Edit review of the session/ });
  await expect.element(edit).toHaveFocus();
  await expect.poll(() => askedFor('reviews.write')).toMatchObject([{ appointmentId, rating: 5 }]);
  await userEvent.keyboard('{Enter}');
  await press(dialog.getByRole('button', { name: 'Withdraw review' }));
  const question = page.getByRole('alertdialog', { name: 'Withdraw your review?' });
  answer({ 'reviews.mine': [] });
  await press(question.getByRole('button', { name: 'Withdraw review' }));
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(review).toHaveFocus();
  await expect.poll(() => askedFor('reviews.withdraw')).toMatchObject([{ appointmentId }]);
});
