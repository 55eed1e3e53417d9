import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const site = { ...recordedFor('client')['settings.site'], textedCode: true };
const own = { phone: '+12125550123', createdAt: '2026-03-02T12:00:00.000Z' };

const card = page.getByRole('region', { name: 'Sign-in by text' });
const dialog = page.getByRole('dialog');
const alert = page.getByRole('alertdialog');
const phone = dialog.getByLabelText('Mobile number', { exact: true });
const code = dialog.getByLabelText('6-digit code', { exact: true });
const add = card.getByRole('button', { name: 'Add a number' });
const toast = (title: string) => page.getByRole('listitem').filter({ hasText: title });

const open = (answers: Readonly<Record<string, unknown>> = {}) =>
  openPage('/profile?tab=settings', {
    as: 'client',
    answers: {
      'settings.site': site,
      'signInPhone.get': null,
      'signInPhone.begin': { phone: own.phone },
      'signInPhone.add': () => {
        answer({ 'signInPhone.get': own });
        return own;
      },
      ...answers,
    },
  });

const fault = (field: string, reason: string) =>
  refusal(400, 'invalid', reason, { fields: [{ field, reason }] });

async function texted() {
  await add.click();
  await phone.fill('(212) 555-0123');
  await userEvent.keyboard('{Enter}');
  await expect.element(code).toBeVisible();
}

test('adds a number by keyboard, with the code texted to it', { tags: ['long'] }, async () => {
  await open();
  await expect.element(add).toBeEnabled();
  await expectFair('the settings without a sign-in number');
  await press(add);
  await expect.element(phone).toBeVisible();
  await expectFair('the dialog that asks for a number');
  await tabTo(phone);
  await userEvent.keyboard('(212) 555-0123{Enter}');
  await expect.element(code).toHaveAttribute('autocomplete', 'one-time-code');
  await expect.element(dialog).toMatchTextContent('We texted a 6-digit code to +12125550123.');
  await expectFair('the dialog that asks for the texted code');
  await tabTo(code);
  await userEvent.keyboard('123 456{Enter}');
  await expect.element(toast('Number added')).toBeVisible();
  await expect.element(card).toMatchTextContent('+12125550123');
  await expect.element(add).not.toBeInTheDocument();
  expect(askedFor('signInPhone.begin')).toEqual([{ phone: '(212) 555-0123' }]);
  expect(askedFor('signInPhone.add')).toEqual([{ phone: '+12125550123', code: '123 456' }]);
  await expect.element(card.getByRole('heading')).toHaveFocus();
});

test.each([
  [fault('phone', 'country'), 'We can’t text numbers in that country.'],
  [fault('phone', 'refused'), 'We couldn’t text this number. Check it, or use another one.'],
])('names the number’s fault at its field: %#', async (refused, sentence) => {
  await open({ 'signInPhone.begin': refused });
  await add.click();
  await dialog.getByRole('button', { name: 'Text me a code' }).click();
  await expect.element(phone).toHaveAccessibleDescription('Enter your mobile number.');
  await phone.fill('(212) 555-0123');
  await userEvent.keyboard('{Enter}');
  await expect.element(phone).toHaveAccessibleDescription(sentence);
  await expect.element(phone).toHaveValue('(212) 555-0123');
});

test.each([
  [refusal(503, 'unavailable', 'texts_down'), 'We couldn’t send the text. Try again in a few minutes.'],
  [refusal(429, 'rate_limited', 'too_many_texts'), 'We can’t send more texts now.'],
  [refusal(412, 'precondition', 'password_missing'), 'Set a password first.'],
])('says why no text was sent, and keeps the number: %#', async (refused, sentence) => {
  await open({ 'signInPhone.begin': refused });
  await add.click();
  await phone.fill('(212) 555-0123');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(sentence);
  await expect.element(phone).toHaveValue('(212) 555-0123');
});

test('names a wrong code, and says when the number can’t be added', { tags: ['long'] }, async () => {
  await open({ 'signInPhone.add': fault('code', 'wrong_code') });
  await texted();
  await code.fill('123456');
  await userEvent.keyboard('{Enter}');
  await expect.element(code).toHaveAccessibleDescription(/^That code isn’t right\./);
  answer({ 'signInPhone.add': refusal(409, 'conflict', 'phone_taken') });
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('This number can’t be added.');
  await expectFair('a number that can’t be added');
});

test('removes the number after asking', async () => {
  await open({ 'signInPhone.get': own, 'signInPhone.remove': null });
  await expectFair('the settings with a sign-in number');
  await card.getByRole('button', { name: 'Remove' }).click();
  await expect.element(alert).toMatchTextContent('Remove +12125550123?');
  await alert.getByRole('button', { name: 'Remove' }).click();
  await expect.element(toast('Number removed')).toBeVisible();
  await expect.element(add).toBeVisible();
  await expect.element(card.getByRole('heading')).toHaveFocus();
});

test('says when the number can’t be loaded, and hides where texts are off', async () => {
  await open({ 'signInPhone.get': refusal(503, 'unavailable', 'busy') });
  await expect.element(card.getByRole('alert')).toMatchTextContent('We couldn’t load your number');
  await openPage('/profile?tab=settings', { as: 'client' });
  await expect.element(page.getByRole('heading', { name: 'Password', exact: true })).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
});

test('removes the number even while the site sends no texts', async () => {
  await open({
    'settings.site': { ...site, textedCode: false },
    'signInPhone.get': own,
    'signInPhone.remove': () => {
      answer({ 'signInPhone.get': null });
      return null;
    },
  });
  await card.getByRole('button', { name: 'Remove' }).click();
  await alert.getByRole('button', { name: 'Remove' }).click();
  await expect.element(toast('Number removed')).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
});
