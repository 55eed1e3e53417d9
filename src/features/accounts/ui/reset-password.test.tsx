import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

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

test('says that a journal will stay locked, then sets the password by keyboard alone', async () => {
  await openPage('/reset-password?next=/therapists#mailed', {
    answers: { ...works.answers, [check]: { signedIn: false, email: 'client@italk.example' } },
  });
  await expect
    .element(page.getByText(/your journal and private notes will stay locked until you enter it/))
    .toBeVisible();
  const password = page.getByLabelText('New Password');
  await tabTo(password);
  await userEvent.keyboard('short{Enter}');
  await expect.element(password).toHaveAttribute('aria-invalid', 'true');
  await expect.element(password).toHaveFocus();
  await userEvent.keyboard('{Control>}a{/Control}a-third-one');
  await press(page.getByRole('button', { name: 'Show password' }));
  await expect.element(password).toHaveValue('a-third-one');
  answer({ ...recordedFor('client'), [reset]: { signedIn: true } });
  await press(page.getByRole('button', { name: 'Save and Sign In' }));
  await expect.poll(address).toBe('/therapists');
  expect(askedFor(reset)).toEqual([{ token: 'mailed', newPassword: 'a-third-one' }]);
});

test('says nothing of a journal to a new person', async () => {
  await openPage('/reset-password?asksName=true#mailed', works);
  await expect.element(title).toHaveTextContent('Finish creating your account');
  await expect.element(page.getByText(/stay locked/)).not.toBeInTheDocument();
});
