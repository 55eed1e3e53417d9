import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const ask = 'POST /api/auth/request-provider';
const enter = 'POST /api/auth/sign-in/provider';
const providers = [
  { id: 'google', label: 'Google', domains: [] },
  { id: 'church', label: 'Grace Church of the Seven Hills', domains: ['grace.example'] },
];
const site = { ...recordedFor('guest')['settings.site'], providers };
const back = '/continue/church?code=a&state=sign_in.b&iss=https%3A%2F%2Fid.grace.example';
const sent = { provider: 'church', answer: '?code=a&state=sign_in.b&iss=https%3A%2F%2Fid.grace.example' };

const email = page.getByLabelText('Email', { exact: true });
const password = page.getByLabelText('Password', { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const toast = (title: string) => page.getByRole('listitem').filter({ hasText: title });
const open = (path: string, answers: object = {}) =>
  openPage(path, { answers: { 'settings.site': site, ...answers } });
const signedIn = (more: object = {}) => {
  answer({ ...recordedFor('client'), 'settings.site': site });
  return { signedIn: true, next: '/about', ...more };
};

const before = window.location.href;
beforeEach(() => history.replaceState(null, '', before));
afterEach(() => history.replaceState(null, '', before));

describe('the card', () => {
  test.each(['sign-in', 'sign-up'])('continues to a provider by keyboard in the %s mode', async (mode) => {
    // Only the fragment changes, so that the test's page stays.
    await open(`/?auth=1&mode=${mode}&next=/growth`, {
      [ask]: { signedIn: false, continueAt: '#at-the-provider' },
    });
    await expect.element(button('Continue with Google')).toBeVisible();
    await expectFair(`the ${mode} card with providers`);
    await press(button('Continue with Grace Church of the Seven Hills'));
    await expect.poll(() => window.location.hash).toBe('#at-the-provider');
    expect(askedFor(ask)).toEqual([{ provider: 'church', next: '/growth' }]);
  });

  test('shows none where the site has none, or while asking for an email only', async () => {
    await openPage('/?auth=1');
    await expect.element(button('Forgot your password?')).toBeVisible();
    await expect.element(page.getByRole('button', { name: /^Continue with/ })).not.toBeInTheDocument();
    await open('/?auth=1');
    await button('Forgot your password?').click();
    await expect.element(page.getByRole('button', { name: /^Continue with/ })).not.toBeInTheDocument();
  });

  test('says when a provider can’t be reached, and keeps what was typed', async () => {
    await open('/?auth=1', { [ask]: refusal(503, 'unavailable', 'provider_down') });
    await email.fill('ruth@amsel.example');
    await button('Continue with Google').click();
    await expect
      .element(toast('Authentication Error'))
      .toMatchTextContent('We couldn’t reach the service you sign in with.');
    await expect.element(email).toHaveValue('ruth@amsel.example');
    await expect.element(button('Continue with Google')).toBeEnabled();
  });
});

describe('a typed address', () => {
  const church = button('Continue with Grace Church of the Seven Hills');
  const status = page.getByRole('status');
  const labels = () =>
    page
      .getByRole('button', { name: /^Continue with/ })
      .elements()
      .map((one) => one.textContent);

  test.each(['sign-in', 'sign-up'])('offers its provider first in the %s mode', async (mode) => {
    await open(`/?auth=1&mode=${mode}&next=/growth`, { [ask]: { signedIn: false, continueAt: '#there' } });
    await expect.element(church).toBeVisible();
    expect(labels()[0]).toBe('Continue with Google');
    await password.fill('a-quiet-room-42');
    await email.click();
    await userEvent.keyboard(' Ruth@Grace.Example');
    await expect
      .poll(labels)
      .toEqual(['Continue with Grace Church of the Seven Hills', 'Continue with Google']);
    await expect
      .element(status.filter({ hasText: 'You can continue with Grace Church of the Seven Hills.' }))
      .toBeInTheDocument();
    await expect.element(email).toHaveFocus();
    await expect.element(password).toHaveValue('a-quiet-room-42');
    await expectFair(`the ${mode} card with the provider of a domain`);
    await userEvent.keyboard('{Tab}');
    await expect.element(church).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => window.location.hash).toBe('#there');
    expect(askedFor(ask)).toEqual([{ provider: 'church', next: '/growth' }]);
  });

  test.each([
    'ruth@mail.grace.example',
    'ruth@not-grace.example',
    'ruth@grace.example.org',
    'ruth@grace.example@amsel.example',
    'grace.example',
  ])('offers none for %s', async (typed) => {
    await open('/?auth=1');
    await expect.element(church).toBeVisible();
    await email.fill('ruth@grace.example');
    await expect.poll(() => labels()[0]).toBe('Continue with Grace Church of the Seven Hills');
    await email.fill(typed);
    await expect.poll(() => labels()[0]).toBe('Continue with Google');
    expect(labels()).toHaveLength(2);
    await expect.element(page.getByText(/^You can continue with/)).not.toBeInTheDocument();
  });

  test('offers each provider of its domain', async () => {
    const clinic = { id: 'clinic', label: 'Grace Clinic', domains: ['clinic.example', 'grace.example'] };
    await open('/?auth=1', { 'settings.site': { ...site, providers: [...providers, clinic] } });
    await expect.element(church).toBeVisible();
    await email.fill('ruth@grace.example');
    await expect.poll(() => labels().at(-1)).toBe('Continue with Google');
    expect(labels()).toHaveLength(3);
    await expect
      .element(page.getByText('You can continue with Grace Church of the Seven Hills or Grace Clinic.'))
      .toBeInTheDocument();
    await email.fill('ruth@clinic.example');
    await expect.poll(() => labels()[0]).toBe('Continue with Grace Clinic');
  });

  test('signs in with its password by Enter as before', async () => {
    const byPassword = 'POST /api/auth/sign-in/email';
    await open('/?auth=1', { [byPassword]: () => signedIn() });
    await email.fill('ruth@grace.example');
    await password.fill('a-quiet-room-42');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => askedFor(byPassword)).toHaveLength(1);
    expect(askedFor(ask)).toEqual([]);
  });
});

describe('coming back', () => {
  test('signs in, once, and continues where it began', async () => {
    await open(back, { [enter]: () => signedIn() });
    await expect.poll(address).toBe('/about');
    await expect.element(toast('Welcome back!')).toBeVisible();
    expect(askedFor(enter)).toEqual([sent]);
  });

  test('welcomes newcomers', async () => {
    await open(back, { [enter]: () => signedIn({ isNew: true }) });
    await expect.element(toast('Welcome to iTalk')).toMatchTextContent('Your account is ready.');
  });

  test('goes back to the app that asked', async () => {
    await open(back, { [enter]: { signedIn: false, continueAt: '#in-the-app' } });
    await expect.poll(() => window.location.hash).toBe('#in-the-app');
    await expect.element(button('Continue in the app')).toBeVisible();
    expect(askedFor(enter)).toEqual([sent]);
  });

  test('never continues to another site', async () => {
    await open(back, { [enter]: () => signedIn({ next: '//evil.test' }) });
    await expect.poll(address).toBe('/home');
  });

  test('asks for the second factor', { tags: ['long'] }, async () => {
    await open(back, { [enter]: { signedIn: false, secondStep: { setUp: null } } });
    const code = page.getByLabelText('Code from your app');
    await expect.element(code).toHaveFocus();
    await expectFair('the second step after a provider');
    answer({
      [enter]: refusal(400, 'invalid', 'wrong_code', { fields: [{ field: 'code', reason: 'wrong_code' }] }),
    });
    await code.fill('000000');
    await userEvent.keyboard('{Enter}');
    await expect.element(code).toHaveAttribute('aria-invalid', 'true');
    answer({ [enter]: () => signedIn() });
    await code.fill('123456');
    await userEvent.keyboard('{Enter}');
    await expect.poll(address).toBe('/about');
    expect(askedFor(enter).at(-1)).toEqual({ ...sent, code: '123456' });
  });

  test.each([
    [
      'provider_account_exists',
      409,
      'conflict',
      'This email already has an account. Sign in, then connect Grace Church',
    ],
    ['provider_address_unverified', 403, 'forbidden', 'hasn’t verified your email address'],
    ['provider_canceled', 412, 'precondition', 'Signing in with Grace Church was canceled'],
    ['provider_domain', 403, 'forbidden', 'doesn’t work with this email address'],
    ['provider_down', 503, 'unavailable', 'We couldn’t reach the service'],
    ['provider_expired', 412, 'precondition', 'This took too long or was already used.'],
    ['provider_refused', 401, 'unauthenticated', 'We couldn’t verify the answer from'],
    ['account_suspended', 403, 'forbidden', 'suspended'],
  ])('explains %s and offers other ways to sign in', async (reason, status, code, sentence) => {
    const data = { label: 'Grace Church', next: '/growth' };
    await open(back, { [enter]: refusal(status, code, reason, { data }) });
    await expect.element(page.getByRole('alert')).toMatchTextContent(sentence);
    await expect.element(page.getByLabelText('Email', { exact: true })).toBeVisible();
    await expect.element(button('Continue with Google')).toBeVisible();
  });

  test('leads to the settings when connecting an account', async () => {
    await openPage(back.replace('sign_in', 'connect'), { as: 'client', answers: { 'settings.site': site } });
    await expect.poll(address).toBe('/profile?tab=settings');
    expect(askedFor(enter)).toEqual([]);
  });

  test('leads to the settings once the person with that email has signed in', async () => {
    const data = { label: 'Grace Church', next: '/growth' };
    await open(back, {
      [enter]: refusal(409, 'conflict', 'provider_account_exists', { data }),
      'POST /api/auth/sign-in/email': () => signedIn(),
    });
    await expect.element(page.getByRole('alert')).toBeVisible();
    await expectFair('the page after a provider, for an email with an account');
    await page.getByLabelText('Email', { exact: true }).fill('ruth@amsel.example');
    await page.getByLabelText('Password', { exact: true }).fill('a-quiet-room-42');
    await button('Sign In').click();
    await expect.poll(address).toBe('/profile?tab=settings');
  });
});
