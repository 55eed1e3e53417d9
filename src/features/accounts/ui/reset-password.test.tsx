import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { askedFor, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';

const reset = 'POST /api/auth/reset-password';
const title = page.getByRole('heading', { level: 1 });

test('reports a too-short password at its field', async () => {
  await openPage('/reset-password#mailed');
  await expect.element(title).toHaveTextContent('Set a new password');
  const password = page.getByLabelText('New Password');
  await password.fill('short');
  await page.getByRole('button', { name: 'Save and Sign In' }).click();
  await expect.element(password).toHaveFocus();
  await expect.element(password).toHaveAccessibleDescription(/Use at least 6 characters\./);
  await expect.element(password).toHaveValue('short');
  await expectFair('a new password that is too short');
  expect(askedFor(reset)).toEqual([]);
});

test('asks for a name when the link creates an account', async () => {
  await openPage('/reset-password?asksName=true#mailed');
  await expect.element(title).toHaveTextContent('Finish creating your account');
  await page.getByRole('button', { name: 'Create Account' }).click();
  const name = page.getByLabelText('Full Name');
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveAccessibleDescription('Enter your full name.');
});

test('offers a new link when this one no longer works', async () => {
  await openPage('/reset-password#mailed', {
    answers: { [reset]: refusal(412, 'precondition', 'link_expired') },
  });
  await page.getByLabelText('New Password').fill('a-third-one');
  await page.getByRole('button', { name: 'Save and Sign In' }).click();
  await expect.element(title).toHaveTextContent('This link no longer works');
  await expect.element(page.getByText(/last an hour; links in welcome emails last 7 days\./)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Send Link' })).toBeVisible();
});
