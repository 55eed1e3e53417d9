import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { passkeyAnswer, signedByPasskey } from '../../../../tests/components/passkeys.ts';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import type { PasskeyView } from '../passkeys/contract.ts';
import type { SecondFactorState } from '../second-factor/contract.ts';
import type { RequestOptions } from '../webauthn/contract.ts';

const off: SecondFactorState = {
  active: false,
  byPasskey: false,
  offered: true,
  demanded: false,
  codesLeft: 0,
};
const on: SecondFactorState = { ...off, active: true, byPasskey: true, codesLeft: 10 };
const phone: PasskeyView = {
  id: '01a20c00-0000-7000-8000-000000000001',
  name: 'iCloud Keychain',
  synced: true,
  createdAt: '2026-03-02T12:00:00.000Z',
  usedAt: null,
  opensWords: false,
};
const options: RequestOptions = {
  challenge: 'AAAA',
  rpId: 'localhost',
  timeout: 300_000,
  userVerification: 'required',
  allowCredentials: [{ id: 'AQ', type: 'public-key', transports: ['internal'] }],
};
const backupCodes = Array.from({ length: 10 }, (_, index) => `AAAA-BBBB-000${index}`);
const needsBoth = refusal(412, 'precondition', 'full_reauthentication_required');
const signIn = 'POST /api/auth/sign-in/email';

const card = page.getByRole('region', { name: 'Two-factor authentication' });
const dialog = page.getByRole('dialog');
const question = page.getByRole('alertdialog');
const instead = card.getByRole('button', { name: 'Use a passkey instead' });
const codes = dialog.getByRole('list', { name: 'Backup codes' });
const get = vi.spyOn(navigator.credentials, 'get');

beforeEach(() => {
  vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(false);
  get.mockReset().mockImplementation(() => Promise.resolve(passkeyAnswer()));
});

const open = (state: SecondFactorState, answers: Readonly<Record<string, unknown>> = {}) =>
  openPage('/profile?tab=settings', {
    as: 'client',
    answers: { 'secondFactor.get': state, 'passkeys.list': [phone], 'passkeys.ask': options, ...answers },
  });

test('is offered with a passkey, confirmed with it, and gives backup codes', async () => {
  await open(off, {
    'secondFactor.usePasskey': () => {
      answer({ 'secondFactor.get': on });
      return { backupCodes };
    },
  });
  await expectFair('the offer of a passkey as second step');
  get.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
  await instead.click();
  const toast = page.getByRole('listitem').filter({ hasText: 'verify this passkey' });
  await expect.element(toast).toBeVisible();
  expect(askedFor('secondFactor.usePasskey')).toEqual([]);
  await instead.click();
  await expect.poll(() => codes.getByRole('listitem').elements().length).toBe(10);
  expect(askedFor('secondFactor.usePasskey')).toMatchObject([{ passkey: signedByPasskey }]);
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
  await expect
    .element(card)
    .toMatchTextContent('Sign-in requires one of your passkeys. Backup codes left: 10.');
  await expectFair('a passkey as second step');
});

test('isn’t offered without a passkey', async () => {
  await open(off, { 'passkeys.list': [] });
  await expect.element(card.getByRole('button', { name: 'Set up two-factor authentication' })).toBeVisible();
  await expect.element(instead).not.toBeInTheDocument();
});

test('is turned off after confirming with the passkey', async () => {
  await open(on, { 'secondFactor.remove': needsBoth });
  await card.getByRole('button', { name: 'Turn off' }).click();
  await question.getByRole('button', { name: 'Continue' }).click();
  const use = dialog.getByRole('button', { name: 'Use a passkey' });
  await expect.element(use).toBeVisible();
  await expectFair('the question for a passkey');
  answer({
    'reauthentication.confirm': { freshUntil: '2026-03-02T12:05:00Z' },
    'secondFactor.remove': () => {
      answer({ 'secondFactor.get': off });
      return off;
    },
  });
  await use.click();
  await expect.element(card.getByText('Off').first()).toBeVisible();
  expect(askedFor('reauthentication.confirm')).toMatchObject([{ passkey: signedByPasskey }]);
  await expect.element(card.getByRole('heading')).toHaveFocus();
});

test('without the passkey at hand takes password and backup code', async () => {
  await open(on, { 'secondFactor.renewCodes': needsBoth });
  await card.getByRole('button', { name: 'New backup codes' }).click();
  await question.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Use a backup code instead' }).click();
  await dialog.getByLabelText('Your password').fill('peace-be-with-you');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(dialog).toMatchTextContent('Enter one of your backup codes.');
  answer({
    'reauthentication.confirm': { freshUntil: '2026-03-02T12:05:00Z' },
    'secondFactor.renewCodes': { backupCodes },
  });
  await dialog.getByLabelText('Backup code').fill(backupCodes[0]!);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(() => codes.getByRole('listitem').elements().length).toBe(10);
  expect(askedFor('reauthentication.confirm')).toEqual([
    { password: 'peace-be-with-you', code: backupCodes[0] },
  ]);
});

test('is asked for before a new password', async () => {
  const change = 'POST /api/auth/change-password';
  await open(on, {
    [change]: { signedIn: true },
    'reauthentication.confirm': { freshUntil: '2026-03-02T12:05:00Z' },
  });
  await page.getByRole('button', { name: 'Change password' }).click();
  await dialog.getByLabelText('Current password').fill('peace-be-with-you');
  await dialog.getByLabelText('New password').fill('another-quiet-room');
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect
    .poll(() => askedFor(change))
    .toEqual([{ password: 'peace-be-with-you', newPassword: 'another-quiet-room' }]);
});

test('follows the password at sign-in, by keyboard', async () => {
  const asked = { signedIn: false, secondStep: { setUp: null, byPasskey: true, passkey: options } };
  await openPage('/?auth=1&next=/about', { answers: { [signIn]: asked } });
  await page.getByLabelText('Email', { exact: true }).fill('ruth@amsel.example');
  await page.getByLabelText('Password', { exact: true }).fill('a-quiet-room-42');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  const use = page.getByRole('button', { name: 'Use a passkey' });
  await expect.element(use).toHaveFocus();
  await expectFair('a passkey as the second step');
  answer({ [signIn]: refusal(401, 'unauthenticated', 'wrong_passkey') });
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toMatchTextContent('That passkey doesn’t work here.');
  await page.getByRole('button', { name: 'Use a backup code instead' }).click();
  const code = page.getByLabelText('Backup code');
  await expect.element(code).toHaveFocus();
  await expectFair('a backup code as the second step');
  answer({
    [signIn]: refusal(400, 'invalid', 'fields', { fields: [{ field: 'code', reason: 'wrong_code' }] }),
  });
  await userEvent.keyboard('AAAA{Enter}');
  await expect.element(page.getByText('This code is wrong or was already used.')).toBeVisible();
  answer({
    [signIn]: () => {
      answer(recordedFor('client'));
      return { signedIn: true };
    },
  });
  await userEvent.keyboard('{Control>}a{/Control}AAAA-BBBB-0001{Enter}');
  await expect.poll(address).toBe('/about');
  expect(askedFor(signIn).at(-1)).toMatchObject({ code: 'AAAA-BBBB-0001' });
});
