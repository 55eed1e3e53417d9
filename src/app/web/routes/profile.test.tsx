import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { desktop, expectFair, expectNoViolation, phone } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const tabs = ['Profile', 'Settings', 'Progress', 'Sessions', 'My Resources', 'Privacy & Security'];
const signOut = 'POST /api/auth/sign-out';
const main = page.getByRole('main');
const tab = (name: string) => page.getByRole('tab', { name, exact: true });
const toast = (text: string) => page.getByRole('listitem').filter({ hasText: text });
const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });

function signedOut(): object {
  answer(recordedFor('guest'));
  return { signedIn: false };
}

test('asks a guest to sign in on the page, and then shows the profile', { tags: ['long'] }, async () => {
  await openPage('/profile', { answers: { 'POST /api/auth/sign-in/email': { signedIn: true } } });
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect.element(prompt).toMatchTextContent(/Sign in to access your personal profile/);
  await expectFair('the prompt before the profile');
  await prompt.getByRole('button', { name: 'Not now, continue browsing' }).click();
  await expect.element(prompt).not.toBeInTheDocument();
  await expect.poll(address).toBe('/profile');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Profile & Settings');
  await expectFair('the profile for a guest');
  await main.getByRole('button', { name: 'Sign In' }).click();
  await prompt.getByLabelText('Email').fill('client@italk.example');
  await prompt.getByLabelText('Password', { exact: true }).fill('any-password');
  answer(recordedFor('client'));
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect.element(tab('Profile')).toHaveAttribute('aria-selected', 'true');
  await expect.element(prompt).not.toBeInTheDocument();
});

test('switches its six tabs by keyboard, and stores the tab in the URL', { tags: ['long'] }, async () => {
  await page.viewport(phone.width, phone.height);
  await openPage('/profile', { as: 'client' });
  await expect.element(page.getByLabelText('Full Name')).toBeEnabled();
  expect(
    page
      .getByRole('tab')
      .elements()
      .map((one) => one.textContent),
  ).toEqual(tabs);
  await tabTo(tab('Profile'));
  for (const name of tabs) {
    await expect.element(tab(name)).toHaveFocus();
    await expect.element(tab(name)).toHaveAttribute('aria-selected', 'true');
    await expect.element(tab(name)).toBeInViewport({ ratio: 1 });
    await expect.element(page.getByRole('tabpanel', { name })).toBeVisible();
    await expect.poll(() => page.getByRole('tabpanel').elements()).toHaveLength(1);
    if (name !== tabs.at(-1)) await userEvent.keyboard('{ArrowRight}');
  }
  await expect.poll(address).toBe('/profile?tab=privacy');
  await userEvent.keyboard('{Home}');
  await expect.poll(address).toBe('/profile');
  await userEvent.keyboard('{ArrowLeft}');
  await expect.poll(address).toBe('/profile?tab=privacy');
});

test('opens the tab in the URL, and keeps it in view after a phone rotates', async () => {
  await page.viewport(phone.width, phone.height);
  await openPage('/profile?tab=privacy', { as: 'client' });
  await expect.element(tab('Privacy & Security')).toHaveAttribute('aria-selected', 'true');
  await page.viewport(desktop.width, desktop.height);
  // Rotating back before desktop was drawn would be no change of size.
  await expect.poll(() => document.querySelector('.lucide-chevron-left')?.checkVisibility()).toBe(false);
  await page.viewport(phone.width, phone.height);
  await expect.element(tab('Privacy & Security')).toBeInViewport({ ratio: 1 });
});

test('signs out at the bottom, and opens the landing page', async () => {
  await openPage('/profile', { as: 'client', answers: { [signOut]: signedOut } });
  await main.getByRole('button', { name: 'Sign Out' }).click();
  await expect.element(toast('Signed out successfully')).toBeVisible();
  await expect.poll(address).toBe('/');
});

test(
  'asks once before signing out with unsaved changes, and again after a failure',
  { tags: ['long'] },
  async () => {
    await openPage('/profile', { as: 'client', answers: { [signOut]: unreachable } });
    const name = page.getByLabelText('Full Name');
    await name.fill('Ruth Unsaved');
    const leave = async () => {
      await main.getByRole('button', { name: 'Sign Out' }).click();
      await question.getByRole('button', { name: 'Leave without saving' }).click();
      await expect.element(question).not.toBeInTheDocument();
    };
    await leave();
    await expect.element(toast('Error signing out')).toBeVisible();
    await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
    await question.getByRole('button', { name: 'Stay here' }).click();
    await expect.element(name).toHaveValue('Ruth Unsaved');
    expect(askedFor(signOut)).toHaveLength(1);
    answer({ [signOut]: signedOut });
    await leave();
    await expect.element(toast('Signed out successfully')).toBeVisible();
    await expect.poll(address).toBe('/');
    await expect.element(question).not.toBeInTheDocument();
  },
);

test('shows a retry when it can’t be loaded', { tags: ['long'] }, async () => {
  await openPage('/profile', { as: 'client', answers: { 'accounts.profile': refusal(503, 'unavailable') } });
  const failure = page.getByRole('alert').filter({ hasText: 'Try again' });
  await expect.element(failure).toBeVisible();
  await expectNoViolation('a profile that can’t be loaded');
  answer({ 'accounts.profile': recordedFor('client')['accounts.profile'] });
  await press(failure.getByRole('button', { name: 'Try again' }));
  await expect.element(page.getByLabelText('Full Name')).toHaveValue('Hannah Brooks');
});

test.for(['client', 'doctor', 'admin'] as const)('is accessible as the profile of a %s', async (who) => {
  await openPage('/profile', { as: who });
  await expect.element(page.getByLabelText('Full Name')).toBeEnabled();
  await expectFair(`the profile of a ${who}`);
});

test('offers time zones', async () => {
  await openPage('/profile', { as: 'client' });
  await page.getByRole('combobox', { name: 'Time Zone' }).click();
  await expect.element(page.getByRole('option').first()).toBeVisible();
  await expectNoViolation('the list of time zones');
});

test('hides the time zone for specialists, whose practice sets it', async () => {
  await openPage('/profile', { as: 'doctor' });
  await expect.element(page.getByRole('textbox', { name: 'Time Zone' })).toBeDisabled();
});
