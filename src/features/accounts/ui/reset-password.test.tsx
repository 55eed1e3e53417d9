import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { askedFor, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';

const reset = 'POST /api/auth/reset-password';
const check = 'POST /api/auth/check-reset-link';
const works = { answers: { [check]: { signedIn: false } } };
const title = page.getByRole('heading', { level: 1 });

test('reports a too-short password at its field', async () => {
  await openPage('/reset-password#mailed', works);
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
  await openPage('/reset-password?asksName=true#mailed', works);
  await expect.element(title).toHaveTextContent('Finish creating your account');
  await page.getByRole('button', { name: 'Create Account' }).click();
  const name = page.getByLabelText('Full Name');
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveAccessibleDescription('Enter your full name.');
});

const expired = refusal(412, 'precondition', 'link_expired');

test('offers a new link when this one no longer works', async () => {
  await openPage('/reset-password#mailed', { answers: { [check]: expired } });
  await expect.element(title).toHaveTextContent('This link no longer works');
  await expect.element(page.getByRole('button', { name: 'Send Link' })).toBeVisible();
  await expect.element(page.getByRole('banner').getByRole('link', { name: 'iTalk' })).toBeVisible();
  await expectFair('a password link that no longer works');
});

test('keeps a password that couldn’t be checked or sent', async () => {
  await openPage('/reset-password#mailed', { answers: { [check]: unreachable, [reset]: unreachable } });
  const password = page.getByLabelText('New Password');
  await password.fill('a-third-one');
  await page.getByRole('button', { name: 'Save and Sign In' }).click();
  await expect.element(page.getByText('Authentication Error').first()).toBeVisible();
  await expect.element(password).toHaveValue('a-third-one');
});

test('offers a new link when this one expires meanwhile', async () => {
  await openPage('/reset-password#mailed', {
    answers: { ...works.answers, [reset]: expired },
  });
  await page.getByLabelText('New Password').fill('a-third-one');
  await page.getByRole('button', { name: 'Save and Sign In' }).click();
  await expect.element(title).toHaveTextContent('This link no longer works');
  await expect.element(page.getByText(/last an hour; links in welcome emails last 7 days\./)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Send Link' })).toBeVisible();
});
