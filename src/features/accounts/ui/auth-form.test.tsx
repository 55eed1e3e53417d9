import { describe, expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const signIn = 'POST /api/auth/sign-in/email';
const signUp = 'POST /api/auth/sign-up/email';
const hint = 'Demo: Use any email and password (min 6 characters) to try the app';

const field = (label: string) => page.getByLabelText(label, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const toast = (title: string) => page.getByRole('listitem').filter({ hasText: title });
const title = page.getByRole('heading', { level: 1 });

function signedIn(): object {
  answer(recordedFor('client'));
  return { signedIn: true };
}

async function expectProblem(of: Locator, sentence: string): Promise<void> {
  await expect.element(of).toHaveAttribute('aria-invalid', 'true');
  await expect.element(of).toHaveAccessibleDescription(new RegExp(sentence.replaceAll('.', String.raw`\.`)));
}

describe('signing up', () => {
  test('names missing fields, focuses the first, and keeps the input', async () => {
    await openPage('/?auth=1&mode=sign-up');
    await expect.element(title).toHaveTextContent('Create your iTalk account');
    await expect.element(page.getByText(hint)).toBeVisible();
    await expect.element(field('Password')).toHaveAccessibleDescription('At least 6 characters');
    await expect.element(field('Email')).toHaveAttribute('type', 'email');
    await button('Sign Up').click();
    await expect.element(field('Full Name')).toHaveFocus();
    await expectProblem(field('Full Name'), 'Enter your full name.');
    await expectProblem(field('Email'), 'Enter your email.');
    await expectProblem(field('Password'), 'Enter your password.');
    await expectFair('the sign-up with problems');

    await field('Full Name').fill('Ruth Amsel');
    await field('Email').fill('ruth');
    await field('Password').fill('short');
    await button('Sign Up').click();
    await expect.element(field('Email')).toHaveFocus();
    await expectProblem(field('Email'), 'Enter an email address, such as name@example.com.');
    await expectProblem(field('Password'), 'Use at least 6 characters.');
    await expect.element(field('Full Name')).toHaveValue('Ruth Amsel');
    await expect.element(field('Password')).toHaveValue('short');
    expect(askedFor(signUp)).toEqual([]);
  });

  test('switches to signing in and back with the input', async () => {
    await openPage('/?auth=1&mode=sign-up');
    await field('Full Name').fill('Ruth Amsel');
    await field('Email').fill('ruth');
    await button('Already have an account? Sign in').click();
    await expect.element(title).toHaveTextContent('Sign in to iTalk');
    await expect.element(field('Full Name')).not.toBeInTheDocument();
    await expect.element(field('Email')).toHaveValue('ruth');
    await expect.element(field('Email')).toHaveFocus();
    await button('Don’t have an account? Sign up').click();
    await expect.element(field('Full Name')).toHaveValue('Ruth Amsel');
  });

  test('shows and hides the password', async () => {
    await openPage('/?auth=1&mode=sign-up');
    await button('Show password').click();
    await expect.element(field('Password')).toHaveAttribute('type', 'text');
    await button('Hide password').click();
    await expect.element(field('Password')).toHaveAttribute('type', 'password');
  });

  test('shows the site’s minimum password length', async () => {
    const site = { ...recordedFor('guest')['settings.site'], passwordMinLength: 9 };
    await openPage('/?auth=1&mode=sign-up', { answers: { 'settings.site': site } });
    await expect.element(field('Password')).toHaveAccessibleDescription('At least 9 characters');
    await expect.element(page.getByText('(min 9 characters)')).toBeVisible();
  });

  test('shows the server’s minimum length at the password, and keeps the input', async () => {
    await openPage('/?auth=1&mode=sign-up');
    answer({
      [signUp]: refusal(400, 'invalid', 'fields', {
        fields: [{ field: 'password', reason: 'too_small' }],
        data: { least: 9 },
      }),
    });
    await field('Full Name').fill('Anna Lind');
    await field('Email').fill('anna@people.example');
    await field('Password').fill('six666');
    await button('Sign Up').click();
    await expectProblem(field('Password'), 'Use at least 9 characters.');
    await expect.element(field('Password')).toHaveValue('six666');
    await expect.element(toast('Authentication Error')).toMatchTextContent('Check the highlighted fields.');
  });
});

describe('signing in', () => {
  test('waits with three dots, then greets and opens home', async () => {
    let letIn = () => {};
    const held = new Promise<void>((resolve) => (letIn = resolve));
    await openPage('/?auth=1', { answers: { [signIn]: () => held.then(signedIn) } });
    await expect.element(page.getByText(hint)).toBeVisible();
    await field('Email').fill('client@italk.example');
    await field('Password').fill('any-password');
    await button('Sign In').click();
    const waiting = button('...');
    await expect.element(waiting).toHaveAttribute('aria-busy', 'true');
    letIn();
    await expect.element(toast('Welcome back! 🙏')).toMatchTextContent('You have successfully signed in.');
    await expect.poll(address).toBe('/home');
  });

  test('rejects a wrong password and keeps the input', async () => {
    await openPage('/?auth=1', {
      answers: { [signIn]: refusal(401, 'unauthenticated', 'wrong_credentials') },
    });
    const sentence = 'That email and password don’t match. Check them, or reset your password.';
    await field('Email').fill('pastor@italk.example');
    await field('Password').fill('not-my-password');
    await button('Sign In').click();
    await expect.element(toast('Authentication Error')).toMatchTextContent(sentence);
    await expectProblem(field('Password'), sentence);
    await expect.element(field('Password')).toHaveFocus();
    await expect.element(field('Email')).toHaveValue('pastor@italk.example');
    await expect.element(field('Password')).toHaveValue('not-my-password');
    await expectFair('a refused sign-in');

    await button('Don’t have an account? Sign up').click();
    await expect.element(field('Full Name')).toBeVisible();
    expect(document.querySelectorAll('form [aria-invalid="true"]')).toHaveLength(0);
    await expect.element(page.getByText('Authentication Error')).not.toBeInTheDocument();
    await expect.element(page.getByText(sentence)).not.toBeInTheDocument();
  });

  test('says when the server can’t be reached, and signs in on retry', async () => {
    await openPage('/?auth=1', { answers: { [signIn]: unreachable } });
    await field('Email').fill('client@italk.example');
    await field('Password').fill('any-password');
    await button('Sign In').click();
    await expect.element(toast('Authentication Error')).toMatchTextContent('We couldn’t reach the server.');
    // A proxy's.
    await pressWith(button('Sign In'), { [signIn]: new Response('<h1>Bad Gateway</h1>', { status: 502 }) });
    await expect.element(toast('Authentication Error').first()).toMatchTextContent('Something went wrong');
    await pressWith(button('Sign In'), { [signIn]: signedIn });
    await expect.poll(address).toBe('/home');
  });

  test('opens from the header and works by keyboard alone', async () => {
    await openPage('/', { answers: { [signIn]: signedIn } });
    await press(page.getByRole('banner').getByRole('link', { name: 'Log In' }));
    await expect.element(title).toHaveTextContent('Sign in to iTalk');
    await tabTo(field('Email'));
    await userEvent.keyboard('client@italk.test{Tab}');
    await expect.element(field('Password')).toHaveFocus();
    await userEvent.keyboard('peace-be-with-you{Enter}');
    await expect.poll(address).toBe('/home');
    expect(askedFor(signIn)).toMatchObject([{ email: 'client@italk.test', password: 'peace-be-with-you' }]);
  });

  for (const next of ['/about', '/therapists?q=a'])
    test(`continues to ${next}`, async () => {
      await openPage(`/?auth=1&next=${encodeURIComponent(next)}`, { answers: { [signIn]: signedIn } });
      await field('Email').fill('client@italk.example');
      await field('Password').fill('any-password');
      await button('Sign In').click();
      await expect.poll(address).toBe(next);
    });

  for (const next of ['//evil.example', 'https://evil.example', '/?auth=1'])
    test(`never continues to ${next}`, async () => {
      await openPage(`/?auth=1&next=${encodeURIComponent(next)}`, { as: 'client' });
      await expect.poll(address).toBe('/home');
    });
});
