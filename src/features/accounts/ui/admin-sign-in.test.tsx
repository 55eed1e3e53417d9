import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, refusal } from '../../../../tests/components/answers.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const signIn = 'POST /api/auth/sign-in/email';
// It is said twice: shown, and for a moment to screen readers.
const refused = page.getByText('Invalid credentials');

test('takes the refusal away once the next try begins', async () => {
  await openPage('/admin/settings', {
    answers: { [signIn]: refusal(401, 'unauthenticated', 'wrong_credentials') },
  });
  await page.getByLabelText('Email').fill('admin@italk.example');
  await page.getByLabelText('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect.element(refused.first()).toBeVisible();
  answer({ ...recordedFor('admin'), [signIn]: { signedIn: true } });
  await page.getByLabelText('Password', { exact: true }).fill('right');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect.element(page.getByText('Welcome to iTalk Admin')).toBeVisible();
  // In time, it would go by itself.
  expect(refused.elements()).toEqual([]);
});
