import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { askedFor, unreachable } from '../../../../tests/components/answers.ts';
import { desktop, expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const ask = 'POST /api/auth/request-password-reset';
const me = recordedFor('client')['accounts.me'];
const card = page.getByRole('region', { name: 'Password', exact: true });
const set = card.getByRole('button', { name: 'Set a password' });

const openWithoutPassword = (answer: unknown) =>
  openPage('/profile?tab=settings', {
    as: 'client',
    answers: { 'accounts.me': { ...me, hasPassword: false }, [ask]: answer },
  });

test('emails a link to set a password when there is none, by keyboard', async () => {
  await openWithoutPassword({ status: true });
  await press(set);
  await expect.element(card).toMatchTextContent(`A link is on its way to ${me.email}.`);
  expect(askedFor(ask)).toMatchObject([{ email: me.email, next: expect.any(String) as string }]);
  expect(card.getByRole('button', { name: 'Change Password' }).query()).toBe(null);
  await expectFair('an account without a password');
});

test('centers a setting without a text on its button', async () => {
  await page.viewport(desktop.width, desktop.height);
  await openPage('/profile?tab=settings', { as: 'client' });
  const middleOf = (one: Locator) => {
    const { top, bottom } = one.element().getBoundingClientRect();
    return (top + bottom) / 2;
  };
  const title = card.getByRole('heading');
  const button = card.getByRole('button', { name: 'Change Password' });
  await expect.element(button).toBeVisible();
  await expect.poll(() => Math.abs(middleOf(title) - middleOf(button))).toBeLessThan(2);
});

test('shows an error when the link can’t be requested, and allows a retry', async () => {
  await openWithoutPassword(unreachable);
  await set.click();
  await expect
    .element(
      page
        .getByRole('listitem')
        .getByText(/couldn’t|can’t/i)
        .first(),
    )
    .toBeVisible();
  await expect.element(set).toBeEnabled();
});
