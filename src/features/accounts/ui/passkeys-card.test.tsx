import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import type { PasskeyView } from '../passkeys/contract.ts';
import type { CreationOptions } from '../webauthn/contract.ts';

const phone: PasskeyView = {
  id: '01a20c00-0000-7000-8000-000000000001',
  name: 'iCloud Keychain',
  synced: true,
  createdAt: '2026-03-02T12:00:00.000Z',
  usedAt: null,
  opensWords: true,
};
const key: PasskeyView = {
  ...phone,
  id: '01a20c00-0000-7000-8000-000000000002',
  name: 'A-key-with-a-name-that-is-as-long-as-sixty-characters-allow-it',
  synced: false,
  opensWords: false,
  usedAt: '2026-03-04T12:00:00.000Z',
};
const options: CreationOptions = {
  challenge: 'AAAA',
  rp: { id: 'localhost', name: 'iTalk Health' },
  user: { id: 'AAAA', name: 'client@italk.example', displayName: 'Ruth' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
  attestation: 'none',
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  excludeCredentials: [],
  extensions: { credProps: true },
};

const card = page.getByRole('region', { name: 'Passkeys' });
const dialog = page.getByRole('dialog');
const alert = page.getByRole('alertdialog');
const add = card.getByRole('button', { name: 'Add a passkey' });
const rows = card.getByRole('listitem');
const toast = (title: string) => page.getByRole('listitem').filter({ hasText: title });

const create = vi.spyOn(navigator.credentials, 'create');

beforeEach(() => {
  const bytes = (value: number) => Uint8Array.of(value).buffer;
  create.mockReset().mockResolvedValue({
    id: 'AQ',
    rawId: bytes(1),
    type: 'public-key',
    response: {
      clientDataJSON: bytes(2),
      attestationObject: bytes(3),
      getTransports: () => ['internal'],
    },
    authenticatorAttachment: 'platform',
    getClientExtensionResults: () => ({}),
  } as unknown as Credential);
});

const open = (passkeys: readonly PasskeyView[], answers: Readonly<Record<string, unknown>> = {}) =>
  openPage('/profile?tab=settings', {
    as: 'client',
    answers: { 'passkeys.list': passkeys, 'passkeys.begin': options, ...answers },
  });

test('adds one by keyboard, and asks for its name', { tags: ['long'] }, async () => {
  await open([], {
    'passkeys.add': () => {
      answer({ 'passkeys.list': [phone] });
      return phone;
    },
    'passkeys.rename': [{ ...phone, name: 'Ruth’s phone' }],
  });
  await expect.element(add).toBeEnabled();
  await expectFair('the settings without a passkey');
  add.element().focus();
  await userEvent.keyboard('{Enter}');
  const name = dialog.getByLabelText('Name', { exact: true });
  await expect.element(name).toHaveValue('iCloud Keychain');
  await expect.element(dialog).toMatchTextContent('Your passkey is ready to use.');
  await expectFair('naming a passkey');
  await name.fill(' ');
  await dialog.getByRole('button', { name: 'Save name' }).click();
  await expect.element(name).toHaveAccessibleDescription('Enter a name.');
  await name.fill('Ruth’s phone');
  await userEvent.keyboard('{Enter}');
  await expect.element(rows).toMatchTextContent('Ruth’s phone');
  expect(askedFor('passkeys.add')).toMatchObject([
    { passkey: { id: 'AQ', response: { attestationObject: 'Aw', transports: ['internal'] } } },
  ]);
  expect(askedFor('passkeys.rename')).toEqual([{ id: phone.id, name: 'Ruth’s phone' }]);
});

test('lists when each was added and used, and removes one after asking', { tags: ['long'] }, async () => {
  await open([phone, key]);
  await expect.poll(() => rows.elements().length).toBe(2);
  await expect.element(rows.first()).toMatchTextContent('Synced');
  await expect.element(rows.first()).toMatchTextContent('Not used yet');
  await expect.element(rows.last()).toMatchTextContent('Last used');
  await expect.element(rows.first()).toMatchTextContent('Opens your journal and private notes');
  await expect.element(rows.last()).not.toMatchTextContent('Opens');
  await expectFair('the settings with two passkeys');
  await pressWith(card.getByRole('button', { name: 'Remove iCloud Keychain' }), {
    'passkeys.remove': refusal(412, 'precondition', 'last_way_in'),
  });
  await expect.element(alert).toMatchTextContent('Remove “iCloud Keychain”?');
  await expect.element(alert).toMatchTextContent('It also opens your journal and private notes.');
  await alert.getByRole('button', { name: 'Remove' }).click();
  await expect.element(alert).toMatchTextContent('This is your only way to sign in.');
  await expectFair('a passkey that can’t be removed');
  await pressWith(alert.getByRole('button', { name: 'Remove' }), { 'passkeys.remove': [key] });
  await expect.element(toast('Passkey removed')).toBeVisible();
  await expect.poll(() => rows.elements().length).toBe(1);
  await expect.element(card.getByRole('heading')).toHaveFocus();
});

test('says that a passkey was already removed in another window', async () => {
  await open([phone, key], { 'passkeys.remove': refusal(404, 'not_found', 'passkey') });
  await card.getByRole('button', { name: 'Remove iCloud Keychain' }).click();
  await alert.getByRole('button', { name: 'Remove' }).click();
  await expect.element(alert).toMatchTextContent('This no longer exists.');
});

test.each([
  ['was closed', 'NotAllowedError', 'Try again when you’re ready.'],
  ['knows the account already', 'InvalidStateError', 'already has a passkey for your account'],
])('says when the browser’s question %s', async (_, name, sentence) => {
  create.mockRejectedValue(new DOMException('', name));
  await open([]);
  await add.click();
  await expect.element(toast('We couldn’t add a passkey')).toMatchTextContent(sentence);
  expect(askedFor('passkeys.add')).toEqual([]);
});

test('says why the server refused one', async () => {
  await open([phone], { 'passkeys.add': refusal(409, 'conflict', 'passkey_exists') });
  await add.click();
  await expect
    .element(toast('We couldn’t add a passkey'))
    .toMatchTextContent('This device or password manager already has a passkey');
});

test('offers none in a browser that can’t make them', async () => {
  vi.stubGlobal('PublicKeyCredential', undefined);
  await open([phone]);
  await expect.element(card).toMatchTextContent('This browser can’t make passkeys.');
  await expect.element(add).not.toBeInTheDocument();
  await expect.element(card.getByRole('button', { name: 'Remove iCloud Keychain' })).toBeVisible();
  vi.unstubAllGlobals();
});

test('only lets people remove theirs where the site turned passkeys off', async () => {
  const site = { ...recordedFor('client')['settings.site'], passkeys: false };
  await open([phone], { 'settings.site': site });
  await expect.element(card).toMatchTextContent('This site no longer accepts passkeys.');
  await expect.element(add).not.toBeInTheDocument();
  await open([], { 'settings.site': site });
  await expect.element(page.getByRole('heading', { name: 'Password', exact: true })).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
});

test('asks for the password and a code first, where two factors are set up', { tags: ['long'] }, async () => {
  let confirmed = false;
  await open([], {
    'secondFactor.get': { active: true, offered: true, demanded: false, codesLeft: 10 },
    'passkeys.begin': () =>
      confirmed ? options : refusal(412, 'precondition', 'full_reauthentication_required'),
    'passkeys.add': phone,
    'reauthentication.confirm': () => {
      confirmed = true;
      return {};
    },
  });
  await add.click();
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expectFair('the question for both factors');
  await expect.element(question.getByRole('button', { name: 'Use a code instead' })).not.toBeInTheDocument();
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(question.getByText('Enter the six digits from your app.')).toBeVisible();
  await question.getByLabelText('Your password').fill('peace-be-with-you');
  await question.getByLabelText('Code from your app').fill('123456');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByLabelText('Name', { exact: true })).toHaveValue('iCloud Keychain');
  expect(askedFor('reauthentication.confirm')).toEqual([{ password: 'peace-be-with-you', code: '123456' }]);
});
