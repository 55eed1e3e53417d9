import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const stored = recordedFor('client')['accounts.profile'];
const edit = page.getByRole('button', { name: 'Edit Focus Areas' });
const dialog = page.getByRole('dialog', { name: 'Edit Focus Areas' });
const save = dialog.getByRole('button', { name: 'Save Focus Areas' });

beforeEach(() => openPage('/profile', { as: 'client' }));

test(
  'selects focus areas from the services’ topics or free text, by keyboard alone',
  { tags: ['long'] },
  async () => {
    answer({ 'accounts.updateProfile': (input: unknown) => ({ ...stored, ...(input as object) }) });
    await expect.element(page.getByText('No focus areas selected')).toBeVisible();
    await press(edit);
    const first = dialog.getByRole('checkbox').first();
    await expect.element(first).toBeVisible();
    await press(first, ' ');
    await tabTo(dialog.getByLabelText('In your own words'));
    await userEvent.keyboard('Sleepless nights{Enter}');
    await expect.element(dialog.getByRole('checkbox', { name: 'Sleepless nights' })).toBeChecked();
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('Enter a focus area first.');
    await expectFair('the focus areas');
    await press(save);
    await expect.element(page.getByRole('listitem').filter({ hasText: 'Focus areas saved' })).toBeVisible();
    await expect.element(edit).toHaveFocus();
    await expect.element(page.getByRole('tabpanel').getByText('Sleepless nights')).toBeVisible();
    await expect.element(page.getByText('No focus areas selected')).not.toBeInTheDocument();
    await expect
      .poll(() => askedFor('accounts.updateProfile'))
      .toEqual([{ mentalHealthFocus: [expect.any(String), 'Sleepless nights'] }]);
  },
);

test('keeps the selection when it can’t be saved', async () => {
  await pressWith(edit, { 'accounts.updateProfile': unreachable });
  await dialog.getByLabelText('In your own words').fill('Sleepless nights');
  await userEvent.keyboard('{Enter}');
  await save.click();
  await expect.element(dialog.getByText('We couldn’t reach the server', { exact: false })).toBeVisible();
  await expect.element(dialog.getByRole('checkbox', { name: 'Sleepless nights' })).toBeChecked();
});
