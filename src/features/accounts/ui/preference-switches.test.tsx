import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { askedFor, pressWith, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';

const toggle = (name: string) => page.getByRole('switch', { name });
const toast = (text: string) => page.getByText(text, { exact: true });

beforeEach(() => openPage('/profile?tab=settings', { as: 'client' }));

test('saves each switch immediately and separately, by keyboard alone', { tags: ['long'] }, async () => {
  await expect.element(toggle('Session Reminders')).toBeChecked();
  await expect.element(toggle('Daily Devotionals')).not.toBeChecked();
  await expect.element(toggle('Community Updates')).not.toBeChecked();
  await expect.element(toggle('Keep it discreet')).not.toBeChecked();
  await tabTo(page.getByRole('tab', { name: 'Settings' }));
  for (const [name, state] of [
    ['Session Reminders', 'off'],
    ['Daily Devotionals', 'on'],
    ['Community Updates', 'on'],
    ['Keep it discreet', 'on'],
  ] as const) {
    await press(toggle(name), ' ');
    await expect.element(toast(`${name}: ${state}`)).toBeVisible();
    await expect.element(toggle(name)).toHaveFocus();
    expect(toggle(name).element()).toHaveProperty('checked', state === 'on');
  }
  await expect
    .poll(() => askedFor('accounts.updatePreferences'))
    .toEqual([
      { sessionReminders: false },
      { dailyDevotionals: true },
      { communityUpdates: true },
      { keepDiscreet: true },
    ]);
});

test('resets a switch and shows a message when it can’t be saved', async () => {
  await pressWith(toggle('Community Updates'), { 'accounts.updatePreferences': unreachable });
  await expect.element(toast('We couldn’t change “Community Updates”')).toBeVisible();
  await expect.element(toggle('Community Updates')).not.toBeChecked();
});

test('shows what is saved after two failed presses', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await pressWith(toggle('Community Updates'), {
    'accounts.updatePreferences': () => promise.then(() => unreachable),
  });
  await toggle('Community Updates').click();
  resolve();
  await expect.element(toast('We couldn’t change “Community Updates”')).toBeVisible();
  expect(toggle('Community Updates').element()).toHaveProperty('checked', false);
});

test('is accessible', async () => {
  await expect.element(toggle('Session Reminders')).toBeVisible();
  await expectFair('the settings');
});
