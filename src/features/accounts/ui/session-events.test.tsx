import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, quiet, refusal } from '../../../../tests/components/answers.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor, type Who } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';
import { onSessionEvent, type SessionEvent } from './session-events.ts';

const client = recordedFor('client');
const me = client['accounts.me'];
const guest = recordedFor('guest');
const banner = page.getByRole('banner');
const account = banner.getByRole('button', { name: 'Sign Out' });
const main = page.getByRole('main');
const wrongCode = refusal(400, 'invalid', 'fields', { fields: [{ field: 'code', reason: 'wrong_code' }] });

function events(): SessionEvent[] {
  const emitted: SessionEvent[] = [];
  onTestFinished(onSessionEvent((event) => emitted.push(event)));
  return emitted;
}

/** Once they're all there, and no more than these. */
async function expectEmitted(emitted: SessionEvent[], expected: SessionEvent[]): Promise<void> {
  await expect.poll(() => emitted).toEqual(expected);
  await quiet();
  expect(emitted).toEqual(expected);
}

function sayElsewhere(who: string | null): void {
  const channel = new BroadcastChannel('viewer');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of our own origin, not a window
  channel.postMessage(who);
  channel.close();
}

test.each<Who>(['guest', 'client'])('a page opened by a %s emits INITIAL_SESSION, once', async (who) => {
  const emitted = events();
  await openPage('/about', { as: who });
  await expectEmitted(emitted, ['INITIAL_SESSION']);
  await banner.getByRole('link', { name: 'Services' }).first().click();
  await expect.poll(address).toBe('/services');
  await expectEmitted(emitted, ['INITIAL_SESSION']);
});

test('a sign-in emits SIGNED_IN, once, and a refused one nothing', async () => {
  await openPage('/?auth=1', {
    answers: { 'POST /api/auth/sign-in/email': refusal(401, 'unauthenticated', 'wrong_credentials') },
  });
  const emitted = events();
  const submit = page.getByRole('button', { name: 'Sign In', exact: true });
  await page.getByLabelText('Email').fill('client@italk.example');
  await page.getByLabelText('Password', { exact: true }).fill('peace-be-with-you');
  await submit.click();
  await expect.element(page.getByText('Authentication Error').first()).toBeVisible();
  expect(emitted).toEqual([]);
  await pressWith(submit, { ...client, 'POST /api/auth/sign-in/email': { signedIn: true } });
  await expectEmitted(emitted, ['SIGNED_IN']);
});

test('a sign-in in another tab emits SIGNED_IN here, once, even in place of another person', async () => {
  await openPage('/contact');
  const emitted = events();
  answer(client);
  sayElsewhere(`${me.id} client`);
  await expectEmitted(emitted, ['SIGNED_IN']);
  answer({ 'accounts.me': { ...me, id: '01a20ca3-e00b-7664-aabc-124c76e7174e', fullName: 'Ruth Amsel' } });
  sayElsewhere('01a20ca3-e00b-7664-aabc-124c76e7174e client');
  await expectEmitted(emitted, ['SIGNED_IN', 'SIGNED_IN']);
});

test('a sign-out emits SIGNED_OUT, once, and a failed one nothing', async () => {
  const signOut = 'POST /api/auth/sign-out';
  await openPage('/about', { as: 'client', answers: { [signOut]: refusal(500, 'unexpected') } });
  const emitted = events();
  await account.click();
  await expect.poll(() => askedFor(signOut)).toHaveLength(1);
  await expectEmitted(emitted, []);
  await pressWith(account, { ...guest, [signOut]: { signedIn: false } });
  await expectEmitted(emitted, ['SIGNED_OUT']);
});

test.each([
  ['in another tab', () => sayElsewhere(null)],
  ['on another device', () => tellPage({ type: 'signed_out' })],
])('a sign-out %s emits SIGNED_OUT here, once', async (_, happens) => {
  await openPage('/about', { as: 'client' });
  await expect.element(account).toBeVisible();
  const emitted = events();
  answer(guest);
  // The page listens a little later.
  await expect
    .poll(() => {
      if (emitted.length === 0) happens();
      return emitted.length;
    })
    .toBe(1);
  await expectEmitted(emitted, ['SIGNED_OUT']);
});

test('a changed name or role emits USER_UPDATED, once, and unchanged facts nothing', async () => {
  await openPage('/about', { as: 'client' });
  const emitted = events();
  const before = askedFor('accounts.me').length;
  await expect
    .poll(() => {
      const asked = askedFor('accounts.me').length;
      if (asked === before) tellPage({ type: 'accounts.profile_changed' });
      return asked;
    })
    .toBeGreaterThan(before);
  await expectEmitted(emitted, []);
  answer({ 'accounts.me': { ...me, fullName: 'Miriam Amsel' } });
  tellPage({ type: 'accounts.profile_changed' });
  await expectEmitted(emitted, ['USER_UPDATED']);
  answer({ 'accounts.me': { ...me, fullName: 'Miriam Amsel', role: 'provider' } });
  sayElsewhere(`${me.id} provider`);
  await expectEmitted(emitted, ['USER_UPDATED', 'USER_UPDATED']);
});

const check = 'POST /api/auth/check-reset-link';

test('a link to set a password emits PASSWORD_RECOVERY, once', async () => {
  const emitted = events();
  await openPage('/reset-password#mailed', { answers: { [check]: { signedIn: false } } });
  await expectEmitted(emitted, ['INITIAL_SESSION', 'PASSWORD_RECOVERY']);
  await page.getByLabelText('New Password').fill('short');
  await page.getByRole('button', { name: 'Save and Sign In' }).click();
  await expect.element(page.getByLabelText('New Password')).toHaveFocus();
  await expectEmitted(emitted, ['INITIAL_SESSION', 'PASSWORD_RECOVERY']);
});

test.each([
  ['an expired one', '', refusal(412, 'precondition', 'link_expired'), 'This link no longer works'],
  ['one that creates an account', '?asksName=true', { signedIn: false }, 'Finish creating your account'],
])('a link to set a password emits no PASSWORD_RECOVERY: %s', async (_, query, answered, title) => {
  const emitted = events();
  await openPage(`/reset-password${query}#mailed`, { answers: { [check]: answered } });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(title);
  await expect.poll(() => askedFor(check)).toHaveLength(1);
  await expectEmitted(emitted, ['INITIAL_SESSION']);
});

test('an accepted second step emits MFA_CHALLENGE_VERIFIED, once, and a wrong code nothing', async () => {
  const signIn = 'POST /api/auth/sign-in/email';
  await openPage('/?auth=1', { answers: { [signIn]: { signedIn: false, secondStep: { setUp: null } } } });
  await page.getByLabelText('Email').fill('client@italk.example');
  await page.getByLabelText('Password', { exact: true }).fill('peace-be-with-you');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  const emitted = events();
  const code = main.getByLabelText('Code from your app');
  answer({ [signIn]: wrongCode });
  await code.fill('000000');
  await userEvent.keyboard('{Enter}');
  await expect.element(main).toMatchTextContent('This code is wrong or was already used.');
  expect(emitted).toEqual([]);
  answer({ ...client, [signIn]: { signedIn: true } });
  await code.fill('123456');
  await userEvent.keyboard('{Enter}');
  await expectEmitted(emitted, ['MFA_CHALLENGE_VERIFIED', 'SIGNED_IN']);
});

test('a backup code for a new password emits MFA_CHALLENGE_VERIFIED, and the codes left are counted again', async () => {
  const change = 'POST /api/auth/change-password';
  const on = { active: true, offered: true, demanded: false, codesLeft: 10 };
  await openPage('/profile?tab=settings', {
    as: 'client',
    answers: { 'secondFactor.get': on, [change]: wrongCode },
  });
  const card = page.getByRole('region', { name: 'Two-factor authentication' });
  await expect.element(card).toMatchTextContent('Backup codes left: 10.');
  await page.getByRole('button', { name: 'Change Password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabelText('Current Password', { exact: true }).fill('peace-be-with-you');
  await dialog.getByLabelText('Code from your app').fill('AAAA-BBBB-0000');
  await dialog.getByLabelText('New Password', { exact: true }).fill('a-third-one');
  const emitted = events();
  const save = dialog.getByRole('button', { name: 'Change Password' });
  await save.click();
  await expect.element(dialog).toMatchTextContent('This code is wrong or was already used.');
  expect(emitted).toEqual([]);
  await pressWith(save, { [change]: { signedIn: true }, 'secondFactor.get': { ...on, codesLeft: 9 } });
  await expect.element(card).toMatchTextContent('Backup codes left: 9.');
  await expectEmitted(emitted, ['MFA_CHALLENGE_VERIFIED']);
});
