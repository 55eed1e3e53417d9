import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import type { SecondFactorState } from '../second-factor/contract.ts';

const signIn = 'POST /api/auth/sign-in/email';
const off: SecondFactorState = {
  active: false,
  byPasskey: false,
  offered: true,
  demanded: false,
  codesLeft: 0,
};
const on: SecondFactorState = {
  active: true,
  byPasskey: false,
  offered: true,
  demanded: false,
  codesLeft: 10,
};
const setUp = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  // Wider than the smallest screen; must not overflow.
  address:
    'otpauth://totp/iTalk:careful.of.the.wide.world@italk.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
};
const backupCodes = Array.from({ length: 10 }, (_, index) => `AAAA-BBBB-000${index}`);
const wrong = (field: string, reason: string) =>
  refusal(400, 'invalid', 'fields', { fields: [{ field, reason }] });

const card = page.getByRole('region', { name: 'Two-factor authentication' });
const dialog = page.getByRole('dialog');
const password = dialog.getByLabelText('Password', { exact: true });
const goOn = dialog.getByRole('button', { name: 'Continue' });
const codes = dialog.getByRole('list', { name: 'Backup codes' });

const open = (state: SecondFactorState, answers: Readonly<Record<string, unknown>> = {}) =>
  openPage('/profile?tab=settings', { as: 'client', answers: { 'secondFactor.get': state, ...answers } });

test('is set up by keyboard with the password and an app code', { tags: ['long'] }, async () => {
  await open(off, {
    'secondFactor.begin': wrong('password', 'wrong_password'),
    'secondFactor.confirm': wrong('code', 'wrong_code'),
  });
  await expect.element(card).toMatchTextContent('Off');
  card.getByRole('button', { name: 'Set up two-factor authentication' }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(password).toBeVisible();
  password.element().focus();
  await userEvent.keyboard('not-mine{Enter}');
  await expect.element(password).toHaveAttribute('aria-invalid', 'true');
  answer({ 'secondFactor.begin': setUp });
  await userEvent.keyboard('{Control>}a{/Control}peace-be-with-you{Enter}');
  await expect.element(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expectFair('the key for an app');
  const code = dialog.getByLabelText('Code from your app');
  code.element().focus();
  await userEvent.keyboard('000000{Enter}');
  await expect.element(dialog).toMatchTextContent('This code is wrong or was already used.');
  answer({ 'secondFactor.confirm': { backupCodes }, 'secondFactor.get': on });
  await userEvent.keyboard('{Control>}a{/Control}123456{Enter}');
  await expect.poll(() => codes.getByRole('listitem').elements().length).toBe(10);
  const file = dialog.getByRole('link', { name: 'Download' }).element().getAttribute('href')!;
  expect(decodeURIComponent(file)).toContain(`${backupCodes.join('\n')}\n`);
  await expectFair('the backup codes');
  dialog.getByRole('button', { name: 'I’ve saved it' }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(card).toMatchTextContent('Backup codes left: 10.');
  await expect.poll(() => askedFor('secondFactor.confirm').at(-1)).toMatchObject({ code: '123456' });
});

test('leads to backup codes after the answer to the first code was lost', { tags: ['long'] }, async () => {
  await open(off, { 'secondFactor.begin': setUp, 'secondFactor.confirm': unreachable });
  await card.getByRole('button', { name: 'Set up two-factor authentication' }).click();
  await password.fill('peace-be-with-you');
  await goOn.click();
  await dialog.getByLabelText('Code from your app').fill('123456');
  await goOn.click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/We couldn’t reach the server/);
  await pressWith(goOn, {
    'secondFactor.confirm': refusal(412, 'precondition', 'second_factor_not_begun'),
    'secondFactor.get': on,
  });
  await expect
    .element(dialog.getByRole('alert'))
    .toMatchTextContent('Two-factor authentication was just changed.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(card.getByRole('button', { name: 'New backup codes' })).toBeVisible();
});

test('returns focus to its heading once it’s on, or off', { tags: ['long'] }, async () => {
  const heading = card.getByRole('heading');
  await open(off, { 'secondFactor.begin': setUp, 'secondFactor.confirm': { backupCodes } });
  await card.getByRole('button', { name: 'Set up two-factor authentication' }).click();
  await password.fill('peace-be-with-you');
  await goOn.click();
  await dialog.getByLabelText('Code from your app').fill('123456');
  await pressWith(goOn, { 'secondFactor.get': on });
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
  await expect.element(heading).toHaveFocus();
  await pressWith(card.getByRole('button', { name: 'Turn off' }), {
    'secondFactor.remove': off,
    'secondFactor.get': off,
  });
  await password.fill('peace-be-with-you');
  await dialog.getByLabelText('Code from your app').fill(backupCodes[0]!);
  await goOn.click();
  await expect.element(heading).toHaveFocus();
});

for (const [name, procedure, answered] of [
  ['New backup codes', 'secondFactor.renewCodes', { backupCodes }],
  ['Turn off', 'secondFactor.remove', undefined],
] as const)
  test(`asks for the password and a code: ${name}`, async () => {
    await open(on, { [procedure]: wrong('password', 'wrong_password') });
    await card.getByRole('button', { name }).click();
    await password.fill('not-my-password');
    await goOn.click();
    await expect.element(dialog).toMatchTextContent('Enter the six digits from your app.');
    expect(askedFor(procedure)).toEqual([]);
    await dialog.getByLabelText('Code from your app').fill(backupCodes[0]!);
    await goOn.click();
    await expect.element(dialog).toMatchTextContent('That password isn’t right.');
    answer({ [procedure]: answered, 'secondFactor.get': answered ? on : off });
    await password.fill('peace-be-with-you');
    await goOn.click();
    await expect.element((answered ? codes : card.getByText('Off')).first()).toBeVisible();
    expect(askedFor(procedure).at(-1)).toMatchObject({
      password: 'peace-be-with-you',
      code: backupCodes[0],
    });
  });

test('can’t be turned off where the site requires it', async () => {
  await open({ ...on, demanded: true });
  await expect.element(card.getByRole('button', { name: 'New backup codes' })).toBeVisible();
  await expect.element(card.getByRole('button', { name: 'Turn off' })).not.toBeInTheDocument();
});

test(
  'asks for a code as the second step of a sign-in, and reports a wrong one',
  { tags: ['long'] },
  async () => {
    await openPage('/?auth=1', { answers: { [signIn]: { signedIn: false, secondStep: { setUp: null } } } });
    await page.getByLabelText('Email').fill('client@italk.example');
    await page.getByLabelText('Password', { exact: true }).fill('peace-be-with-you');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    const main = page.getByRole('main');
    await expect.element(main).toMatchTextContent('Enter the code from your authenticator app.');
    const code = main.getByLabelText('Code from your app');
    await expect.element(code).toHaveFocus();
    await expectFair('the second step of a sign-in');
    await userEvent.keyboard('{Enter}');
    await expect.element(main).toMatchTextContent('Enter the six digits from your app.');
    answer({ [signIn]: wrong('code', 'wrong_code') });
    await code.fill('000000');
    await userEvent.keyboard('{Enter}');
    await expect.element(main).toMatchTextContent('This code is wrong or was already used.');
    answer({ ...recordedFor('client'), [signIn]: { signedIn: true } });
    await code.fill('123456');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('Welcome back! 🙏').first()).toBeVisible();
    expect(askedFor(signIn).at(-1)).toEqual({
      email: 'client@italk.example',
      password: 'peace-be-with-you',
      code: '123456',
    });
  },
);

for (const path of ['/?auth=1', '/admin/settings'])
  test(`is set up during sign-in where the site requires it, at ${path}`, async () => {
    await openPage(path, { answers: { [signIn]: { signedIn: false, secondStep: { setUp } } } });
    const main = page.getByRole('main');
    await main.getByLabelText('Email').fill('admin@italk.example');
    await main.getByLabelText('Password', { exact: true }).fill('peace-be-with-you');
    await main.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect.element(main.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
    await expectFair('setting it up at the sign-in');
    answer({ [signIn]: { signedIn: true, backupCodes } });
    await main.getByLabelText('Code from your app').fill('123456');
    await userEvent.keyboard('{Enter}');
    const list = main.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
    await expect.poll(() => list.elements().length).toBe(10);
    answer(recordedFor('admin'));
    await main.getByRole('button', { name: 'Continue' }).click();
    const welcome = path === '/?auth=1' ? 'Welcome back! 🙏' : 'Welcome to iTalk Admin';
    await expect.element(page.getByText(welcome).first()).toBeVisible();
  });

test('is asked for beside the password to change the password', { tags: ['long'] }, async () => {
  const change = 'POST /api/auth/change-password';
  await open(on, { [change]: wrong('code', 'wrong_code') });
  await page.getByRole('button', { name: 'Change password' }).click();
  const submit = dialog.getByRole('button', { name: 'Change password' });
  await dialog.getByLabelText('Current password').fill('peace-be-with-you');
  await dialog.getByLabelText('New password').fill('another-quiet-room');
  await submit.click();
  await expect.element(dialog).toMatchTextContent('Enter the six digits from your app.');
  await expectFair('the question for a new password');
  await dialog.getByLabelText('Code from your app').fill('000000');
  await submit.click();
  await expect.element(dialog).toMatchTextContent('This code is wrong or was already used.');
  answer({ [change]: { signedIn: true } });
  await dialog.getByLabelText('Code from your app').fill('123456');
  await submit.click();
  await expect.element(dialog).not.toBeInTheDocument();
  const given = { password: 'peace-be-with-you', newPassword: 'another-quiet-room' };
  expect(askedFor(change).at(-1)).toMatchObject({ ...given, code: '123456' });
});

describe('trusted devices', () => {
  const computer = {
    id: '01a20c00-0000-7000-8000-000000000001',
    browser: 'Chrome',
    system: 'Windows',
    trustedUntil: '2026-04-01T12:00:00.000Z',
    current: true,
  };
  const phone = {
    ...computer,
    id: '01a20c00-0000-7000-8000-000000000002',
    system: 'Android',
    current: false,
  };
  const list = card.getByRole('list', { name: 'Trusted devices' });

  test('are listed with their end, and forgotten one by one, by keyboard', async () => {
    await open(on, {
      'trustedDevices.list': [computer, phone],
      'trustedDevices.forget': refusal(404, 'not_found', 'device'),
    });
    await expect.element(list).toMatchTextContent('Until April 1, 2026');
    await expect.element(list.getByRole('listitem').first()).toMatchTextContent('This device');
    await expectFair('trusted devices');
    const forget = (name: string) => list.getByRole('button', { name });
    await press(forget('Stop trusting Chrome on Android'));
    await expect.element(page.getByText('We couldn’t change this device')).toBeVisible();
    answer({ 'trustedDevices.forget': [computer], 'trustedDevices.list': [computer] });
    await expect.element(forget('Stop trusting Chrome on Android')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(list).toHaveFocus();
    expect(askedFor('trustedDevices.forget').at(-1)).toMatchObject({ id: phone.id });
    answer({ 'trustedDevices.forget': [], 'trustedDevices.list': [] });
    await press(forget('Stop trusting Chrome on Windows'));
    await expect.element(card.getByRole('heading')).toHaveFocus();
  });

  test.each([
    [true, { code: '123456', trust: true }],
    [false, { code: '123456' }],
  ])('are offered at sign-in, unless the server trusts none (%s)', async (mayTrust, sent) => {
    await openPage('/?auth=1&next=/about', {
      answers: {
        [signIn]: { signedIn: false, secondStep: { setUp: null, ...(mayTrust && { mayTrust }) } },
      },
    });
    await page.getByLabelText('Email', { exact: true }).fill('ruth@amsel.example');
    await page.getByLabelText('Password', { exact: true }).fill('a-quiet-room-42');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    const code = page.getByLabelText('Code from your app');
    await expect.element(code).toHaveFocus();
    const offer = page.getByLabelText('Don’t ask again on this device for 30 days');
    expect(offer.elements()).toHaveLength(mayTrust ? 1 : 0);
    await expectFair('the second step at sign-in');
    if (mayTrust) await offer.click();
    answer({
      [signIn]: () => {
        answer(recordedFor('client'));
        return { signedIn: true };
      },
    });
    await code.fill('123456');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect.poll(() => askedFor(signIn).length).toBe(2);
    const { code: given, trust } = askedFor(signIn).at(-1) as { code: string; trust?: boolean };
    expect({ code: given, ...(trust && { trust }) }).toEqual(sent);
  });
});
