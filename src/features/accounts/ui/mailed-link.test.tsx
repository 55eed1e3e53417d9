import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal, unreachable, pressWith } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const verify = 'POST /api/auth/verify-email';
const unlock = 'POST /api/auth/unlock';
const title = page.getByRole('heading', { level: 1 });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const expired = refusal(412, 'precondition', 'link_expired');
const change = {
  address: 'ta***',
  changedAt: '2026-11-23T08:00:00Z',
  undoUntil: '2026-11-26T08:00:00Z',
  byOwner: false,
};

test('asks to sign in when a confirmation link was already used', async () => {
  await openPage('/verify#used', { answers: { [verify]: expired } });
  await expect.element(title).toHaveTextContent('This link no longer works');
  await expect.element(button('Sign In')).toBeVisible();
  await expectFair('a link that was used');
});

test('sends signed-in people home from a used link', async () => {
  await openPage('/verify#used', { as: 'client', answers: { [verify]: expired } });
  await expect.poll(address).toBe('/home');
});

test('asks for a password when a link is followed in another browser', async () => {
  await openPage('/verify?next=/therapists#mailed', {
    answers: { [verify]: { signedIn: false, resetToken: 'chosen', asksName: true } },
  });
  await expect.poll(address).toBe('/reset-password?next=%2Ftherapists&asksName=true#chosen');
});

test('offers a retry when the server can’t be reached', async () => {
  await openPage('/verify?next=/therapists#mailed', { answers: { [verify]: unreachable } });
  await expect
    .element(page.getByText('We couldn’t reach the server', { exact: false }).first())
    .toBeVisible();
  await pressWith(button('Try again'), { ...recordedFor('client'), [verify]: { signedIn: true } });
  await expect.poll(address).toBe('/therapists');
});

test('still opens a link of an earlier release, with its token in the query', async () => {
  await openPage('/unlock?token=mailed', { answers: { [unlock]: { signedIn: false } } });
  await expect.element(page.getByText('Sign-in is unlocked')).toBeVisible();
  expect(askedFor(unlock)).toEqual([{ token: 'mailed' }]);
});

test('unlocks a locked sign-in through its link', async () => {
  await openPage('/unlock#mailed', { answers: { [unlock]: { signedIn: false } } });
  await expect.element(page.getByText('Sign-in is unlocked')).toBeVisible();
  await expect.element(page.getByLabelText('Email')).toBeVisible();
  await expectFair('an unlocked sign-in');
});

test.each([
  ['a used confirmation link', '/verify?next=/therapists#used', { [verify]: expired }, '/therapists'],
  ['an unlocked sign-in', '/unlock#mailed', { [unlock]: { signedIn: false } }, '/home'],
])('signs in by keyboard alone after %s', async (_, path, answers, next) => {
  await openPage(path, { answers });
  await tabTo(page.getByLabelText('Email'));
  await userEvent.keyboard('client@italk.example');
  await tabTo(page.getByLabelText('Password', { exact: true }));
  answer({ ...recordedFor('client'), 'POST /api/auth/sign-in/email': { signedIn: true } });
  await userEvent.keyboard('peace-be-with-you{Enter}');
  await expect.poll(address).toBe(next);
});

test('tries a link again by keyboard alone', async () => {
  await openPage('/unlock#mailed', { answers: { [unlock]: unreachable } });
  await expect.element(button('Try again')).toBeVisible();
  answer({ [unlock]: { signedIn: false } });
  await press(button('Try again'));
  await expect.element(page.getByText('Sign-in is unlocked')).toBeVisible();
});

test('explains a locked sign-in, and points to the emailed link', async () => {
  await openPage('/?auth=1', {
    answers: {
      'POST /api/auth/sign-in/email': refusal(429, 'rate_limited', 'sign_in_locked'),
    },
  });
  await page.getByLabelText('Email').fill('client@italk.example');
  await page.getByLabelText('Password', { exact: true }).fill('any-password');
  await button('Sign In').click();
  await expect
    .element(page.getByRole('listitem').filter({ hasText: 'Authentication Error' }))
    .toMatchTextContent(/If this is your account, open the link we emailed you/);
});

test('undoes an administrator’s address change, and then asks for a new password', async () => {
  await openPage('/address-change#mailed', {
    answers: { 'addressChange.get': change, 'addressChange.undo': { resetToken: 'chosen' } },
  });
  await expect.element(title).toHaveTextContent('Your email address was changed');
  await expect.element(page.getByText(/to one that begins with ta\*\*\*/)).toBeVisible();
  await expectFair('the page that undoes a change of address');
  await button('Undo this change').click();
  await expect.poll(address).toBe('/reset-password?next=%2Fhome#chosen');
});

test('confirms an administrator’s address change even after the time to undo it', async () => {
  await openPage('/address-change#mailed', {
    answers: {
      'addressChange.get': { ...change, undoUntil: null },
      'addressChange.confirm': { confirmed: true },
    },
  });
  await expect.element(page.getByText('It’s too late to undo this change.')).toBeVisible();
  await expect.element(button('Undo this change')).not.toBeInTheDocument();
  await button('Confirm the new address').click();
  await expect.element(page.getByText('New address confirmed')).toBeVisible();
});

test('undoes or confirms an address change, never both at once', async () => {
  const confirmed = Promise.withResolvers<unknown>();
  const undone = Promise.withResolvers<unknown>();
  await openPage('/address-change#mailed', {
    answers: {
      'addressChange.get': change,
      'addressChange.confirm': () => confirmed.promise,
      'addressChange.undo': () => undone.promise,
    },
  });
  const [undo, confirm] = [button('Undo this change'), button('Confirm the new address')];
  await confirm.click();
  await expect.element(undo).toBeDisabled();
  confirmed.resolve(unreachable);
  await expect.element(undo).toBeEnabled();
  await undo.click();
  await expect.element(confirm).toBeDisabled();
  undone.resolve(unreachable);
  await expect.element(confirm).toBeEnabled();
});

test('undoes a person’s own change, with nothing left to confirm', async () => {
  await openPage('/address-change#mailed', {
    answers: {
      'addressChange.get': { ...change, byOwner: true },
      'addressChange.undo': { resetToken: 'chosen' },
    },
  });
  await expect
    .element(page.getByText(/your email address was changed to one that begins with ta\*\*\*/))
    .toBeVisible();
  await expect.element(page.getByText('administrator', { exact: false })).not.toBeInTheDocument();
  await expect.element(button('Confirm the new address')).not.toBeInTheDocument();
  await button('Undo this change').click();
  await expect.poll(address).toBe('/reset-password?next=%2Fhome#chosen');
});

const linked = { address: 'hannah@home.example', side: 'former' };

test('confirms an email change by a button from one address, then from the other', async () => {
  await openPage('/email-change#mailed', {
    answers: { 'emailChange.read': linked, 'emailChange.confirm': { ...linked, changed: false } },
  });
  await expect.element(title).toHaveTextContent('Confirm your email change');
  await expect
    .element(page.getByText(/The email of your account will be hannah@home\.example/))
    .toBeVisible();
  await expectFair('the page that confirms an email change');
  expect(askedFor('emailChange.confirm')).toEqual([]);
  await button('Confirm').click();
  await expect.element(page.getByText(/Now open the link we emailed to hannah@home\.example/)).toBeVisible();
  expect(askedFor('emailChange.confirm')).toEqual([{ token: 'mailed' }]);
  await expectFair('an email change that waits for the other address');

  const side = 'new';
  await openPage('/email-change#other', {
    answers: {
      'emailChange.read': { ...linked, side },
      'emailChange.confirm': { ...linked, side, changed: true },
    },
  });
  await button('Confirm').click();
  await expect.element(page.getByText('From now on, sign in with hannah@home.example.')).toBeVisible();
});

test.each([
  [refusal(409, 'conflict', 'address_taken'), 'This address isn’t available.'],
  [refusal(429, 'rate_limited', 'too_many_tries'), 'Too many attempts.'],
  [unreachable, 'We couldn’t reach the server'],
])('says why an email change isn’t confirmed, and keeps the button: %#', async (refused, sentence) => {
  await openPage('/email-change#mailed', {
    answers: { 'emailChange.read': linked, 'emailChange.confirm': refused },
  });
  await button('Confirm').click();
  await expect.element(page.getByRole('alert')).toMatchTextContent(sentence);
  await expect.element(button('Confirm')).toBeEnabled();
});

test('leads from an email-change link that no longer works to the settings', async () => {
  await openPage('/email-change#used', { answers: { 'emailChange.read': expired } });
  await expect.element(page.getByText('This link no longer works')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Open settings' })).toBeVisible();
  await expectFair('an email-change link that no longer works');
});

test('reports an address-change link that no longer works', async () => {
  await openPage('/address-change#used', {
    answers: { 'addressChange.get': refusal(404, 'not_found', 'address_change') },
  });
  await expect.element(page.getByText('This link no longer works')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Contact us' })).toBeVisible();
});

test('opens the landing page from the sign-in card when there’s no earlier page', async () => {
  await openPage('/?auth=1');
  window.history.replaceState(null, '');
  await button('Back to Home').click();
  await expect.poll(address).toBe('/');
});
