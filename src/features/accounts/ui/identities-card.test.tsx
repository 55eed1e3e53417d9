import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { installWallet, walletAddress } from '../../../../tests/components/wallets.ts';
import type { IdentityView } from '../linked-identities/contract.ts';

const google: IdentityView = {
  id: '01a20c00-0000-7000-8000-000000000001',
  label: 'Google',
  provider: 'google',
  email: 'an.address.that.is.as.long.as.some.people.have.them@mail.grace-church.example',
  createdAt: '2026-03-02T12:00:00.000Z',
  usedAt: '2026-03-04T12:00:00.000Z',
};
const former: IdentityView = {
  ...google,
  id: '01a20c00-0000-7000-8000-000000000002',
  label: 'id.former.example',
  provider: null,
  email: null,
  usedAt: null,
};
const providers = [
  { id: 'google', label: 'Google' },
  { id: 'church', label: 'Grace Church' },
];
const site = { ...recordedFor('client')['settings.site'], providers };
const returned = { provider: 'google', answer: '?code=a&state=connect.b' };

const card = page.getByRole('region', { name: 'Connected accounts' });
const alert = page.getByRole('alertdialog');
const rows = card.getByRole('listitem');
const connect = (label: string) => card.getByRole('button', { name: `Connect ${label}`, exact: true });
const toast = (title: string) => page.getByRole('listitem').filter({ hasText: title });

const before = window.location.href;
afterEach(() => history.replaceState(null, '', before));

const open = (
  identities: readonly IdentityView[],
  answers: Readonly<Record<string, unknown>> = {},
  state: unknown = null,
) =>
  openPage('/profile?tab=settings', {
    as: 'client',
    state,
    answers: { 'settings.site': site, 'identities.list': identities, ...answers },
  });

test('connects nothing with another page’s state', async () => {
  await open([], {}, { idx: 1, key: 'another' });
  await expect.element(connect('Google')).toBeEnabled();
  expect(askedFor('identities.connect')).toEqual([]);
});

test('continues to a provider by keyboard', { tags: ['long'] }, async () => {
  await open([], { 'identities.begin': { continueAt: '#at-the-provider' } });
  await expect.element(connect('Google')).toBeEnabled();
  await expectFair('the settings without a connected account');
  await press(connect('Google'));
  await expect.poll(() => window.location.hash).toBe('#at-the-provider');
  expect(askedFor('identities.begin')).toEqual([{ provider: 'google' }]);
});

test('connects the account that the person returns with, once', async () => {
  await open(
    [],
    {
      'identities.connect': () => {
        answer({ 'identities.list': [google] });
        return [google];
      },
    },
    { providerAnswer: returned },
  );
  await expect.element(toast('Google connected')).toBeVisible();
  expect(askedFor('identities.connect')).toEqual([returned]);
  await expect.element(rows).toMatchTextContent('Last used');
  await expect.element(connect('Google')).not.toBeInTheDocument();
  await expect.element(connect('Grace Church')).toBeVisible();
});

test.each([
  ['identity_taken', 409, 'conflict', 'It’s already connected to another account on this site'],
  ['provider_connected', 409, 'conflict', 'You’ve already connected an account from there.'],
  ['provider_canceled', 412, 'precondition', 'Signing in with Google was canceled.'],
  ['provider_expired', 412, 'precondition', 'This took too long or was already used.'],
  ['provider_down', 503, 'unavailable', 'We couldn’t reach the service'],
])('says why connecting failed: %s', async (reason, status, code, sentence) => {
  const refused = refusal(status, code, reason, { data: { label: 'Google' } });
  await open([], { 'identities.connect': refused }, { providerAnswer: returned });
  await expect.element(toast('We couldn’t connect your account')).toMatchTextContent(sentence);
  await expect.element(connect('Google')).toBeEnabled();
});

test('lists each with its address and dates, and disconnects one after asking', async () => {
  await open([google, former]);
  await expect.poll(() => rows.elements().length).toBe(2);
  await expect.element(rows.first()).toMatchTextContent(google.email!);
  await expect.element(rows.last()).toMatchTextContent('No longer offered');
  await expect.element(rows.last()).toMatchTextContent('Not used yet');
  await expectFair('the settings with two connected accounts');
  await pressWith(card.getByRole('button', { name: 'Disconnect Google' }), {
    'identities.remove': refusal(412, 'precondition', 'last_way_in'),
  });
  await expect.element(alert).toMatchTextContent('Disconnect Google?');
  await alert.getByRole('button', { name: 'Disconnect' }).click();
  await expect.element(alert).toMatchTextContent('This is your only way to sign in.');
  await expectFair('a connected account that can’t be disconnected');
  await pressWith(alert.getByRole('button', { name: 'Disconnect' }), { 'identities.remove': [former] });
  await expect.element(toast('Google disconnected')).toBeVisible();
  await expect.poll(() => rows.elements().length).toBe(1);
  await expect.element(card.getByRole('heading')).toHaveFocus();
});

test('says that an account was already disconnected in another window', async () => {
  await open([google, former], { 'identities.remove': refusal(404, 'not_found', 'identity') });
  await card.getByRole('button', { name: 'Disconnect Google' }).click();
  await alert.getByRole('button', { name: 'Disconnect' }).click();
  await expect.element(alert).toMatchTextContent('This no longer exists.');
});

test('only lets people disconnect theirs where the site offers no provider, and hides otherwise', async () => {
  const none = { 'settings.site': { ...site, providers: [] } };
  await open([former], none);
  await expect.element(card.getByRole('button', { name: 'Disconnect id.former.example' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Connect / })).not.toBeInTheDocument();
  await open([], none);
  await expect.element(page.getByRole('heading', { name: 'Password', exact: true })).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
});

test('says when the list can’t be loaded', async () => {
  await open([], { 'identities.list': refusal(503, 'unavailable', 'busy') });
  await expect
    .element(card.getByRole('alert'))
    .toMatchTextContent('We couldn’t load your connected accounts');
});

describe('a wallet', () => {
  const walletSite = { ...site, providers: [], walletSignIn: true };
  const linked: IdentityView = { ...google, label: 'Wallet 0x71C7…976F', provider: 'web3', email: null };
  const message = 'italk.test wants you to sign in';
  const begun = { 'settings.site': walletSite, 'identities.beginWallet': { message } };

  test('is connected by keyboard, with a message that it signs', { tags: ['long'] }, async () => {
    const wallet = installWallet('MetaMask');
    onTestFinished(wallet.remove);
    await open([], {
      ...begun,
      'identities.connectWallet': () => {
        answer({ 'identities.list': [linked] });
        return [linked];
      },
    });
    await expect.element(connect('a wallet')).toBeEnabled();
    await expectFair('the settings with a wallet to connect');
    await press(connect('a wallet'));
    await expect.element(toast('Wallet 0x71C7…976F connected')).toBeVisible();
    expect(askedFor('identities.beginWallet')).toEqual([{ address: walletAddress }]);
    expect(askedFor('identities.connectWallet')).toEqual([{ message, signature: '0x5195' }]);
    await expect.element(rows).toMatchTextContent('Wallet 0x71C7…976F');
    await expect.element(connect('a wallet')).not.toBeInTheDocument();
    await expectFair('the settings with a connected wallet');
  });

  test('is named if the browser has several', async () => {
    const wallets = [installWallet('MetaMask'), installWallet('Rabby')];
    onTestFinished(() => wallets.forEach(({ remove }) => remove()));
    await open([], { ...begun, 'identities.connectWallet': [linked] });
    await connect('Rabby').click();
    await expect.element(toast('Wallet 0x71C7…976F connected')).toBeVisible();
    expect(wallets.map(({ asked }) => asked.length)).toEqual([0, 2]);
  });

  test.each<[string, () => unknown, string]>([
    ['identity_taken', () => '0x5195', 'It’s already connected to another account'],
    ['a rejection', () => Promise.reject({ code: 4001 }), 'You didn’t confirm in your wallet.'],
  ])('says why connecting failed: %s', async (reason, sign, sentence) => {
    const wallet = installWallet('MetaMask');
    onTestFinished(wallet.remove);
    wallet.answers.personal_sign = sign;
    await open([], { ...begun, 'identities.connectWallet': refusal(409, 'conflict', reason) });
    await connect('a wallet').click();
    await expect.element(toast('We couldn’t connect your account')).toMatchTextContent(sentence);
    await expect.element(connect('a wallet')).toBeEnabled();
  });

  test('needs a browser that has one', async () => {
    await open([], begun);
    await expect.element(card).toMatchTextContent('open this page in a browser that has one.');
    await expect.element(page.getByRole('button', { name: /^Connect / })).not.toBeInTheDocument();
  });
});
