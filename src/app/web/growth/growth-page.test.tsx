import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';

test('prompts a guest to sign in, and offers it again after they close the prompt', async () => {
  await openPage('/growth');
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect.element(prompt).toBeVisible();
  await expectFair('the prompt');
  await prompt.getByRole('button', { name: 'Close' }).click();
  await expect.element(prompt).not.toBeInTheDocument();
  await expectFair('growth for a guest');
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
  await expect.element(prompt).toBeVisible();
});
