import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';

const goBack = 'POST /api/auth/return-to-program';
const button = page.getByRole('button', { name: 'Continue in the app', exact: true });
const title = page.getByRole('heading', { level: 1 });

const before = window.location.href;
beforeEach(() => history.replaceState(null, '', before));
afterEach(() => history.replaceState(null, '', before));

// Only the fragment changes, so that the test's page stays.
const inApp = { signedIn: false, continueAt: '#in-the-app' };

test('goes back to the app only after a click, and again where the browser stays', async () => {
  await openPage('/return-to-app#a-token', { answers: { [goBack]: inApp } });
  await expect.element(title).toHaveTextContent('Go back to the app');
  await expectFair('the page of an emailed link to an app');
  expect(askedFor(goBack)).toEqual([]);
  await press(button);
  await expect.poll(() => window.location.hash).toBe('#in-the-app');
  expect(askedFor(goBack)).toEqual([{ token: 'a-token' }]);
  await expect.element(page.getByText('Nothing happened?')).toBeVisible();
  await expectFair('the page once the app was opened');
  history.replaceState(null, '', before);
  await button.click();
  await expect.poll(() => window.location.hash).toBe('#in-the-app');
  expect(askedFor(goBack)).toHaveLength(1);
});

test('says that a link no longer works, or can’t be followed now', async () => {
  await openPage('/return-to-app#a-token', { answers: { [goBack]: unreachable } });
  await button.click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await pressWith(button, { [goBack]: refusal(412, 'precondition', 'link_expired') });
  await expect.element(page.getByRole('alert')).toMatchTextContent('Ask for a new one in the app.');
  await expect.element(title).toHaveTextContent('This link no longer works');
  await expect.element(button).not.toBeInTheDocument();
});

test('asks nothing without a token', async () => {
  await openPage('/return-to-app');
  await expect.element(page.getByRole('alert')).toMatchTextContent('Ask for a new one in the app.');
  await expect.element(button).not.toBeInTheDocument();
});
