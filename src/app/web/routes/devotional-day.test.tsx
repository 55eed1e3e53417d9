import { expect, test } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const get = page.getByRole('button', { name: 'Email me daily' });
const toast = (title: string) => page.getByRole('listitem').filter({ hasText: title });

test('shows a day’s passage, opens the day before by keyboard, and is accessible', async () => {
  await openPage('/devotional/01-01');
  await expect
    .element(page.getByRole('article').getByRole('heading', { level: 1 }))
    .toHaveTextContent('A way where there was none');
  await expect.element(page.getByRole('article')).toMatchTextContent('Isaiah 43:18-19 · World English Bible');
  await expectFair('a day');
  await press(page.getByRole('link', { name: /^Previous day · December 31/ }));
  await expect.poll(address).toBe('/devotional/12-31');
});

test('prints the passage without controls or navigation', async () => {
  await openPage('/devotional/01-01');
  await expect.element(get).toBeVisible();
  await cdp().send('Emulation.setEmulatedMedia', { media: 'print' });
  try {
    await expect.element(page.getByRole('article').getByRole('blockquote')).toBeVisible();
    await expect.element(get).not.toBeInTheDocument();
    await expect.element(page.getByRole('navigation', { name: 'Other days' })).not.toBeInTheDocument();
  } finally {
    await cdp().send('Emulation.setEmulatedMedia', { media: '' });
  }
});

test('reports a date that doesn’t exist', async () => {
  await openPage('/devotional/02-30');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Day not found');
  await expectFair('no such day');
});

test('reports a failed subscription, then subscribes and unsubscribes', async () => {
  await openPage('/devotional/01-01', { as: 'client' });
  await expect.element(get).toBeVisible();
  await pressWith(get, { 'accounts.updatePreferences': unreachable });
  await expect.element(toast('We couldn’t save your changes')).toBeVisible();
  const profile = { ...recordedFor('client')['accounts.profile'], dailyDevotionals: true };
  await pressWith(get, { 'accounts.updatePreferences': profile, 'accounts.profile': profile });
  await expect.element(toast('Subscribed')).toBeVisible();
  await expect.poll(() => askedFor('accounts.updatePreferences').at(-1)).toEqual({ dailyDevotionals: true });
  const stop = page.getByRole('button', { name: 'Unsubscribe' });
  await expect.element(stop).toBeVisible();
  await expect.element(page.getByText('every morning at 7:00 AM').first()).toBeVisible();
  const off = { ...profile, dailyDevotionals: false };
  answer({ 'accounts.updatePreferences': off, 'accounts.profile': off });
  await expect.element(stop).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(get).toHaveFocus();
});
