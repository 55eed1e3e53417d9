import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';

const waiting = {
  address: 'hannah@home.example',
  formerConfirmed: false,
  newConfirmed: false,
  expiresAt: '2026-11-25T08:00:00.000Z',
};

const card = page.getByRole('region', { name: 'Email', exact: true });
const dialog = page.getByRole('dialog');
const field = dialog.getByLabelText('New email');
const change = card.getByRole('button', { name: 'Change email' });
const resend = card.getByRole('button', { name: 'Resend links' });
const cancel = card.getByRole('button', { name: 'Cancel change' });
const toast = (title: string) => page.getByRole('listitem').filter({ hasText: title });

const open = (answers: Readonly<Record<string, unknown>> = {}, as: 'client' | 'admin' = 'client') =>
  openPage('/profile?tab=settings', {
    as,
    answers: {
      'emailChange.request': () => {
        answer({ 'emailChange.get': waiting });
        return waiting;
      },
      ...answers,
    },
  });

test('asks for another email by keyboard, and says where the links went', { tags: ['long'] }, async () => {
  await open();
  await expect.element(card).toMatchTextContent('client@italk.example');
  await expect.element(change).toBeEnabled();
  await press(change);
  await expect.element(field).toHaveAttribute('autocomplete', 'email');
  await expectFair('the dialog that asks for another email');
  await tabTo(field);
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveAccessibleDescription('Enter your email.');
  await userEvent.keyboard('hannah@home.example{Enter}');
  await expect
    .element(card)
    .toMatchTextContent('We sent a link to client@italk.example and to hannah@home.example.');
  expect(askedFor('emailChange.request')).toEqual([{ email: 'hannah@home.example' }]);
  await expectFair('an email change that waits for both addresses');
});

test.each([
  [
    refusal(400, 'invalid', 'same_address', { fields: [{ field: 'email', reason: 'same_address' }] }),
    'This is already your email.',
  ],
  [
    refusal(400, 'invalid', 'bad_format', { fields: [{ field: 'email', reason: 'bad_format' }] }),
    'Enter an email address, such as name@example.com.',
  ],
])('names the address’s fault at its field: %#', async (refused, sentence) => {
  await open({ 'emailChange.request': refused });
  await change.click();
  await field.fill('client@italk.example');
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveAccessibleDescription(new RegExp(sentence));
  await expect.element(field).toHaveValue('client@italk.example');
});

test.each([
  [refusal(429, 'rate_limited', 'too_many_tries'), 'Too many attempts.'],
  [refusal(412, 'precondition', 'email_unverified'), 'Verify your current email first.'],
  [refusal(412, 'precondition', 'administrator_address'), 'An administrator’s email can’t be changed here.'],
  [unreachable, 'We couldn’t reach the server'],
])('says why no links were sent, and keeps the address: %#', async (refused, sentence) => {
  await open({ 'emailChange.request': refused });
  await change.click();
  await field.fill('hannah@home.example');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(sentence);
  await expect.element(field).toHaveValue('hannah@home.example');
});

test('asks who it is before the links are sent', async () => {
  await open({ 'emailChange.request': refusal(412, 'precondition', 'reauthentication_required') });
  await change.click();
  await field.fill('hannah@home.example');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('dialog', { name: 'Confirm it’s you' })).toBeVisible();
});

test('names the address that hasn’t confirmed', async () => {
  await open({ 'emailChange.get': { ...waiting, formerConfirmed: true } });
  await expect
    .element(card)
    .toMatchTextContent('Now open the link we sent to hannah@home.example. Your email changes then.');
  await open({ 'emailChange.get': { ...waiting, newConfirmed: true } });
  await expect
    .element(card)
    .toMatchTextContent(
      'Now open the link we sent to client@italk.example. Your email then changes to hannah@home.example.',
    );
});

test('sends the links again, and cancels', async () => {
  await open({
    'emailChange.get': waiting,
    'emailChange.resend': refusal(429, 'rate_limited', 'too_many_tries'),
    'emailChange.cancel': () => {
      answer({ 'emailChange.get': null });
      return null;
    },
  });
  await resend.click();
  await expect.element(card.getByRole('alert')).toMatchTextContent('We couldn’t send the links');
  await pressWith(resend, { 'emailChange.resend': waiting });
  await expect.element(toast('Links sent')).toBeVisible();
  await expect.element(card.getByRole('alert')).not.toBeInTheDocument();
  await cancel.click();
  await expect.element(toast('Change canceled')).toBeVisible();
  await expect.element(cancel).not.toBeInTheDocument();
  await expect.element(card.getByRole('heading')).toHaveFocus();
});

test('says when the settings can’t be loaded, and keeps an administrator’s address', async () => {
  await open({ 'emailChange.get': refusal(503, 'unavailable', 'busy') });
  await expect.element(card.getByRole('alert')).toMatchTextContent('We couldn’t load your email settings');
  await open({}, 'admin');
  await expect.element(card).toMatchTextContent('admin@italk.example');
  await expect.element(change).not.toBeInTheDocument();
});

test('is found from the profile', async () => {
  await openPage('/profile', { as: 'client' });
  await page.getByRole('link', { name: 'Change email' }).click();
  await expect.poll(address).toBe('/profile?tab=settings');
  await expect.element(change).toBeVisible();
});
