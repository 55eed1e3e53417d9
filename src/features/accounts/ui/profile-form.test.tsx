import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const stored = recordedFor('client')['accounts.profile'];
const name = page.getByLabelText('Full Name');
const tradition = page.getByLabelText('Spiritual Tradition');
const zone = page.getByRole('combobox', { name: 'Time Zone' });
const save = page.getByRole('button', { name: 'Save Changes' });
const saved = page.getByRole('listitem').filter({ hasText: 'Changes saved' });

beforeEach(() => openPage('/profile', { as: 'client', answers: { 'accounts.updateProfile': keep } }));

function keep(input: unknown): object {
  const profile = { ...stored, ...(input as object) };
  answer({
    'accounts.profile': profile,
    'accounts.me': { ...recordedFor('client')['accounts.me'], fullName: profile.fullName },
  });
  return profile;
}

async function replace(words: string): Promise<void> {
  await userEvent.keyboard('{Control>}a{/Control}');
  await userEvent.keyboard(words);
}

test('saves name, tradition and time zone by keyboard, with a fixed email', { tags: ['long'] }, async () => {
  await expect.element(tradition).toHaveValue('SDA (Seventh-day Adventist)');
  await expect.element(page.getByLabelText('Email')).toBeDisabled();
  await expect.element(page.getByLabelText('Email')).toHaveValue('client@italk.example');
  await tabTo(name);
  await replace('Ruth Amsel');
  await tabTo(tradition);
  await replace('Waldensian');
  await tabTo(zone);
  await replace('kathmandu');
  await expect.element(page.getByRole('option')).toHaveTextContent('Kathmandu (Asia)');
  await userEvent.keyboard('{Enter}');
  await expect.element(zone).toHaveValue('Kathmandu (Asia)');
  await press(save);
  await expect.element(saved).toBeVisible();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Ruth Amsel');
  await expect
    .poll(() => askedFor('accounts.updateProfile'))
    .toEqual([{ fullName: 'Ruth Amsel', spiritualTradition: 'Waldensian', timeZone: 'Asia/Kathmandu' }]);
});

test('keeps unsaved input across tabs, and asks before leaving the page', { tags: ['long'] }, async () => {
  await name.fill('Ruth Amsel');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Profile' }).click();
  await expect.element(name).toHaveValue('Ruth Amsel');
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).first().click();
  await expect.element(question).toBeVisible();
  await expectFair('the question before leaving');
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(name).toHaveValue('Ruth Amsel');
  await expect.poll(address).toBe('/profile');
  await save.click();
  await expect.element(saved).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).first().click();
  await expect.poll(address).not.toBe('/profile');
});

test('shows errors at each field, and keeps the input', { tags: ['long'] }, async () => {
  await name.fill('');
  await tradition.fill('x'.repeat(101));
  await zone.fill('nowhere at all');
  await expect.element(page.getByText('No matches.')).toBeVisible();
  await save.click();
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveAccessibleDescription('Enter your full name.');
  await expect.element(tradition).toHaveAccessibleDescription(/at most 100 characters/);
  await expectFair('the profile with problems');
  await name.fill('x'.repeat(10_000));
  await save.click();
  await expect.element(name).toHaveAccessibleDescription(/at most 200 characters/);
  await expect.element(name).toHaveValue('x'.repeat(10_000));
  expect(askedFor('accounts.updateProfile')).toEqual([]);
});

test('shows server errors at their field', async () => {
  answer({
    'accounts.updateProfile': refusal(400, 'invalid', 'invalid', {
      fields: [{ field: 'fullName', reason: 'too_large' }],
    }),
  });
  await name.fill('Ruth Amsel');
  await save.click();
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveAccessibleDescription(/at most 200 characters/);
});

test('keeps the input when the server can’t be reached, and saves it on retry', async () => {
  answer({ 'accounts.updateProfile': unreachable });
  await name.fill('Ruth Amsel');
  await save.click();
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'We couldn’t reach the server' }))
    .toBeVisible();
  await expect.element(name).toHaveValue('Ruth Amsel');
  await pressWith(save, { 'accounts.updateProfile': keep });
  await expect.element(saved).toBeVisible();
  await expect.element(name).toHaveValue('Ruth Amsel');
});
