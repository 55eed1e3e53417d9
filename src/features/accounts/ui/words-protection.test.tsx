import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';

const title = 'What this protects against, and what it doesn’t';
const section = page.getByRole('region', { name: 'Journal and private notes' });
const open = { state: 'open', passwordReplaced: false, byPasskey: false, recoveryKeyAt: null };
const locked = {
  'growth.journal.list': refusal(412, 'precondition', 'words_locked'),
  'words.get': { ...open, state: 'locked' },
};

test.each([
  ['a journal', { 'words.get': open }],
  ['a locked journal', locked],
])('is linked from %s', async (_, answers) => {
  await openPage('/growth?tab=journal', { as: 'client', answers });
  await press(page.getByRole('link', { name: title }));
  await expect.poll(address).toBe('/profile?tab=privacy#protection');
});

test('unfolds where the recovery key links to it', async () => {
  await openPage('/profile?tab=settings', { as: 'client' });
  await press(page.getByRole('link', { name: title }));
  await expect.element(section.getByText(title)).toHaveFocus();
  await expect.element(section.getByText('What it protects against')).toBeVisible();
});

test('says what the lock is good for and where it ends', async () => {
  await openPage('/profile?tab=privacy', { as: 'client' });
  const server = section.getByText(/controls our server, or changes its pages/);
  await expect.element(section.getByText(title)).toBeVisible();
  await expect.element(server).not.toBeVisible();
  await press(section.getByText(title));
  await expect.element(server).toBeVisible();
  for (const limit of ['A weak password', 'An old backup', 'your unlocked device', 'Dates, moods, lengths'])
    await expect.element(section.getByText(limit)).toBeVisible();
  for (const gain of ['A stolen copy of our database', 'An administrator', 'gets into your email'])
    await expect.element(section.getByText(gain)).toBeVisible();
  await expectFair('what the lock of a journal protects against');
});
