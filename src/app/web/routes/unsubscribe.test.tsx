import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';

const heading = page.getByRole('heading', { level: 1 });
const stop = page.getByRole('main').getByRole('button', { name: 'Unsubscribe' });

test('asks before stopping emails, by keyboard, and can resume them', async () => {
  await openPage('/unsubscribe?token=devotional.proof', {
    answers: { 'mailChoice.get': { kind: 'devotional', on: true } },
  });
  await expect.element(heading).toHaveTextContent('Unsubscribe from daily devotionals?');
  await expectFair('asked whether to stop');
  expect(askedFor('mailChoice.set')).toEqual([]);
  answer({ 'mailChoice.set': { kind: 'devotional', on: false } });
  await press(stop);
  await expect.element(heading).toHaveTextContent('You’re unsubscribed from daily devotionals');
  await expect.element(heading).toHaveFocus();
  await expectFair('stopped');
  await pressWith(page.getByRole('button', { name: 'Resubscribe' }), {
    'mailChoice.set': { kind: 'devotional', on: true },
  });
  await expect.element(heading).toHaveTextContent('You’re getting daily devotionals again');
  await expectFair('resumed');
  await expect
    .poll(() => askedFor('mailChoice.set'))
    .toEqual([
      { token: 'devotional.proof', on: false },
      { token: 'devotional.proof', on: true },
    ]);
});

test('keeps the question open when the choice couldn’t be saved', async () => {
  await openPage('/unsubscribe?token=devotional.proof', {
    answers: { 'mailChoice.get': { kind: 'devotional', on: true }, 'mailChoice.set': unreachable },
  });
  await stop.click();
  await expect.element(page.getByRole('alert').first()).toBeVisible();
  await expect.element(heading).toHaveTextContent('Unsubscribe from daily devotionals?');
  await expect.element(stop).toBeEnabled();
});

test('reports an invalid link, and links to the settings', async () => {
  await openPage('/unsubscribe?token=devotional.x', {
    answers: { 'mailChoice.get': refusal(404, 'not_found') },
  });
  await expect.element(heading).toHaveTextContent('This link doesn’t work');
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'Open settings' }))
    .toHaveAttribute('href', '/profile?tab=settings');
  await expectFair('a link that isn’t whole');
});
