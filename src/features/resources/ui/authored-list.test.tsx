import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
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
