import { afterEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { installWallet, walletAddress } from '../../../../tests/components/wallets.ts';

const ask = 'POST /api/auth/request-wallet';
const enter = 'POST /api/auth/sign-in/wallet';
const message = 'italk.test wants you to sign in – ✓';
const inHex = '0x6974616c6b2e746573742077616e747320796f7520746f207369676e20696e20e2809320e29c93';
const signed = { message, signature: '0x5195' };

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const buttons = page.getByRole('button', { name: /^Continue with/ });
const toast = page.getByRole('listitem').filter({ hasText: 'Authentication Error' });

let installed: ReturnType<typeof installWallet>[] = [];
function install(...made: Parameters<typeof installWallet>) {
  const wallet = installWallet(...made);
  installed.push(wallet);
  return wallet;
}
afterEach(() => {
  for (const wallet of installed) wallet.remove();
  installed = [];
});

const siteOf = (who: 'guest' | 'client', walletSignIn = true) => ({
  ...recordedFor(who)['settings.site'],
  walletSignIn,
});
const open = (answers: object = {}, path = '/?auth=1&next=/about') =>
  openPage(path, {
    answers: { 'settings.site': siteOf('guest'), [ask]: { signedIn: false, message }, ...answers },
  });
const signedIn = () => {
  answer({ ...recordedFor('client'), 'settings.site': siteOf('client') });
  return { signedIn: true, next: '/home' };
};

describe('the card', () => {
  test('signs in with the browser’s wallet, by keyboard', async () => {
    const wallet = install('MetaMask');
    await open({ [enter]: () => signedIn() });
    await expect.element(button('Continue with a wallet')).toBeVisible();
    await expectFair('the sign-in card with a wallet');
    await press(button('Continue with a wallet'));
    await expect.poll(address).toBe('/about');
    expect(wallet.asked).toEqual([
      { method: 'eth_requestAccounts', params: [] },
      { method: 'personal_sign', params: [inHex, walletAddress] },
    ]);
    expect(askedFor(ask)).toEqual([{ address: walletAddress }]);
    expect(askedFor(enter)).toEqual([signed]);
  });

  test('lists several by name, each once, and asks the one that was chosen', async () => {
    const [first, second] = [install('MetaMask'), install('A wallet of the Seven Hills and all around them')];
    const older = install('', { silent: true });
    await open({ [enter]: () => signedIn() });
    await expect.poll(() => buttons.elements().length).toBe(2);
    window.dispatchEvent(new Event('eip6963:requestProvider'));
    await expect.poll(() => buttons.elements().length).toBe(2);
    await expectFair('the sign-in card with two wallets');
    await button('Continue with A wallet of the Seven Hills and all around them').click();
    await expect.poll(address).toBe('/about');
    expect([first, second, older].map(({ asked }) => asked.length)).toEqual([0, 2, 0]);
  });

  test('accepts a wallet that doesn’t announce itself', async () => {
    const older = install('', { silent: true });
    await open({ [enter]: () => signedIn() });
    await button('Continue with a wallet').click();
    await expect.poll(address).toBe('/about');
    expect(older.asked).toHaveLength(2);
  });

  test('shows no wallet where there is none, where the site takes none, or to newcomers', async () => {
    await open();
    await expect.element(button('Forgot your password?')).toBeVisible();
    await expect.element(buttons).not.toBeInTheDocument();
    install('MetaMask');
    await open({ 'settings.site': siteOf('guest', false) });
    await expect.element(button('Forgot your password?')).toBeVisible();
    await expect.element(buttons).not.toBeInTheDocument();
    await open({}, '/?auth=1&mode=sign-up');
    await expect.element(page.getByLabelText('Full name')).toBeVisible();
    await expect.element(buttons).not.toBeInTheDocument();
  });

  test('asks for the second factor', { tags: ['long'] }, async () => {
    install('MetaMask');
    await open({ [enter]: { signedIn: false, secondStep: { setUp: null } } });
    await button('Continue with a wallet').click();
    const code = page.getByLabelText('Code from your app');
    await expect.element(code).toHaveFocus();
    await expectFair('the second step after a wallet');
    answer({ [enter]: () => signedIn() });
    await code.fill('123456');
    await userEvent.keyboard('{Enter}');
    await expect.poll(address).toBe('/about');
    expect(askedFor(enter).at(-1)).toEqual({ ...signed, code: '123456' });
  });

  test.each([
    [
      'wallet_unknown',
      403,
      'forbidden',
      'No account here has this wallet. Sign in another way, then connect it',
    ],
    ['wallet_refused', 401, 'unauthenticated', 'We couldn’t verify your wallet’s signature.'],
    ['wallet_contract', 400, 'invalid', 'Smart contract wallets can’t sign in here.'],
    ['provider_expired', 412, 'precondition', 'This took too long or was already used.'],
    ['account_suspended', 403, 'forbidden', 'suspended'],
  ])('explains %s', async (reason, status, code, sentence) => {
    install('MetaMask');
    await open({ [enter]: refusal(status, code, reason) });
    await button('Continue with a wallet').click();
    await expect.element(toast).toMatchTextContent(sentence);
    await expect.element(button('Continue with a wallet')).toBeEnabled();
    await expect.element(page.getByLabelText('Email', { exact: true })).toBeVisible();
  });

  test.each<[string, string, () => unknown, string]>([
    [
      'a rejected connection',
      'eth_requestAccounts',
      () => Promise.reject({ code: 4001 }),
      'You didn’t confirm',
    ],
    ['a rejected signature', 'personal_sign', () => Promise.reject({ code: 4001 }), 'You didn’t confirm'],
    [
      'an open question',
      'eth_requestAccounts',
      () => Promise.reject({ code: -32002 }),
      'still waiting for you',
    ],
    ['no account', 'eth_requestAccounts', () => [], 'couldn’t sign'],
    ['an error without a code', 'personal_sign', () => Promise.reject(new Error('no')), 'couldn’t sign'],
    ['an error of nothing', 'personal_sign', () => Promise.reject(null), 'couldn’t sign'],
  ])('explains %s', async (_, method, refused, sentence) => {
    install('MetaMask').answers[method] = refused;
    await open();
    await button('Continue with a wallet').click();
    await expect.element(toast).toMatchTextContent(sentence);
    expect(askedFor(enter)).toEqual([]);
    await expect.element(button('Continue with a wallet')).toBeEnabled();
  });
});
