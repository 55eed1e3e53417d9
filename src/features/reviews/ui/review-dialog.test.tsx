import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const [published] = recordedFor('client')['reviews.mine'];
/** The same session's review, pending or rejected. */
const reviewOf = (more: object) => ({ ...published!, state: 'waiting', ...more });
const refused = reviewOf({ state: 'rejected', reason: 'It names somebody.' });

const write = page.getByRole('button', { name: /^Review of the session with Dr\. Naomi Bennett/ }).first();
const edit = page.getByRole('button', { name: /^Edit review of the session/ });
const dialog = page.getByRole('dialog', { name: 'How was your session?' });
const words = dialog.getByLabelText('Your comments');
const send = dialog.getByRole('button', { name: 'Send review' });
const saveChanges = dialog.getByRole('button', { name: 'Save changes' });
const star = (name: string) => dialog.getByRole('radio', { name });

async function openSessions(mine: readonly object[], answers: object = {}): Promise<void> {
  await openPage('/profile?tab=sessions', { as: 'client', answers: { 'reviews.mine': mine, ...answers } });
}

const stores = (review: object) => () => {
  answer({ 'reviews.mine': [review] });
  return review;
};

test('requires stars, and offers ways to show the client’s name', { tags: ['long'] }, async () => {
  await openSessions([]);
  await write.click();
  await send.click();
  await expect.element(dialog.getByText('Choose 1 to 5 stars.')).toBeVisible();
  await expect.element(star('1 star, Poor')).toHaveFocus();
  await expect.element(dialog.getByRole('radio', { name: /Hannah B\./ })).toBeChecked();
  await expect.element(dialog.getByRole('radio', { name: /Hannah Brooks/ })).toBeVisible();
  await expect.element(dialog.getByRole('radio', { name: /A client/ })).toBeVisible();
  expect(askedFor('reviews.write')).toEqual([]);
  await expectFair('a review without stars');
});

test('sends a review by keyboard alone', { tags: ['long'] }, async () => {
  await openSessions([], {
    'reviews.write': ({ appointmentId }: { appointmentId: string }) =>
      stores(reviewOf({ appointmentId, rating: 4 }))(),
  });
  await press(write);
  await tabTo(star('1 star, Poor'));
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
  await expect.element(star('4 stars, Very good')).toBeChecked();
  await tabTo(words);
  await userEvent.keyboard('Written without a mouse.');
  await tabTo(dialog.getByRole('radio', { name: /First name and initial/ }));
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(dialog.getByRole('radio', { name: /A client/ })).toBeChecked();
  await press(send);
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText('Thank you for your review').first()).toBeVisible();
  await expect.element(page.getByText('Review pending approval')).toBeVisible();
  await expect.element(edit).toHaveFocus();
  await expect
    .poll(() => askedFor('reviews.write'))
    .toMatchObject([{ rating: 4, text: 'Written without a mouse.', named: 'anonymous' }]);
});

test('shows why a review was rejected, and resubmits it after changes', async () => {
  await openSessions([refused]);
  await expect.element(page.getByText('Review not published')).toBeVisible();
  await edit.click();
  await expect.element(dialog).toMatchTextContent('“It names somebody.” You can edit it and send it again.');
  await expectFair('a refused review');
  await words.fill('It helped.');
  await pressWith(saveChanges, { 'reviews.write': stores(reviewOf({ text: 'It helped.' })) });
  await expect.element(page.getByText('Review pending approval')).toBeVisible();
});

test('keeps input when sending fails', async () => {
  await openSessions([refused], { 'reviews.write': unreachable });
  await edit.click();
  await words.fill('It helped.');
  await saveChanges.click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('We couldn’t reach the server');
  await expect.element(words).toHaveValue('It helped.');
  await expectFair('a review that couldn’t be sent');
});

test('shows a published review and asks before withdrawing it', { tags: ['long'] }, async () => {
  await openSessions([{ ...published!, name: 'Hannah M.' }]);
  await page.getByRole('button', { name: /^Your review of the session/ }).click();
  const own = page.getByRole('dialog', { name: 'Your review' });
  await expect.element(own).toMatchTextContent('Your review is published.');
  await expect.element(own).toMatchTextContent('Hannah M.');
  await expectFair('one’s published review');
  await own.getByRole('button', { name: 'Withdraw review' }).click();
  const question = page.getByRole('alertdialog', { name: 'Withdraw your review?' });
  await expectFair('the question before withdrawing');
  answer({
    'reviews.withdraw': () => {
      answer({ 'reviews.mine': [] });
      return { appointmentId: published!.appointmentId };
    },
  });
  await question.getByRole('button', { name: 'Withdraw review' }).click();
  await expect.element(page.getByText('Review withdrawn').first()).toBeVisible();
  await expect
    .element(page.getByRole('button', { name: /^Your review of the session/ }))
    .not.toBeInTheDocument();
});

test('updates automatically when the review is published', async () => {
  await openSessions([reviewOf({})]);
  await expect.element(page.getByText('Review pending approval')).toBeVisible();
  answer({ 'reviews.mine': [published!] });
  tellPage({ type: 'reviews.changed' });
  await expect.element(page.getByText('Review published')).toBeVisible();
});

test('keeps what is typed when the review is rejected meanwhile', async () => {
  await openSessions([reviewOf({})]);
  await edit.click();
  await words.fill('It helped me more than I said.');
  answer({ 'reviews.mine': [refused] });
  tellPage({ type: 'reviews.changed' });
  await expect.element(dialog).toMatchTextContent('“It names somebody.” You can edit it and send it again.');
  await expect.element(words).toHaveValue('It helped me more than I said.');
});
