import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

test('lists an author’s resources, and passes accessibility checks', async () => {
  await openPage('/author', { as: 'doctor' });
  await expect.element(page.getByRole('heading', { level: 1, name: 'Your resources' })).toBeVisible();
  for (const { title } of recordedFor('doctor')['resources.authored'].items)
    await expect.element(page.getByRole('heading', { name: title })).toBeVisible();
  await expectFair('a list of one’s own');
});

test('says that a resource can’t be withdrawn because its status changed', async () => {
  const [entry] = recordedFor('doctor')['resources.authored'].items;
  await openPage('/author', {
    as: 'doctor',
    answers: {
      'resources.authored': {
        items: [{ ...entry!, status: 'submitted', actions: ['withdraw', 'remove'] }],
        next: null,
      },
      'resources.withdraw': refusal(409, 'conflict', 'wrong_state'),
    },
  });
  await page.getByRole('button', { name: /^Withdraw/ }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Withdraw' }).click();
  await expect.element(page.getByText('Its status has changed.').first()).toBeVisible();
  await expect.element(question).not.toBeInTheDocument();
});

test('shows when a resource was changed in the author’s time zone', async () => {
  const [entry] = recordedFor('doctor')['resources.authored'].items;
  await openPage('/author', {
    as: 'doctor',
    answers: {
      'resources.authored': { items: [{ ...entry!, updatedAt: '2026-03-03T04:30:00Z' }], next: null },
    },
  });
  await expect.element(page.getByText('Updated March 2, 2026')).toBeVisible();
});
