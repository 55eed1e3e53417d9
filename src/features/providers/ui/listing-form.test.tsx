import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, phone as phoneSize } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const listing = recordedFor('doctor')['providers.mine'];

const field = (name: string) => page.getByLabelText(name, { exact: true });
const save = page.getByRole('button', { name: 'Save Page' });
const saved = page.getByRole('listitem').filter({ hasText: 'Page saved' });
const specialties = page.getByRole('group', { name: 'Specialties' });
const home = page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).first();
const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });

beforeEach(() =>
  openPage('/practice', {
    as: 'doctor',
    answers: {
      'providers.saveProfile': (input: object) => ({ ...listing, ...input, version: listing.version + 1 }),
    },
  }),
);

test('passes accessibility checks', async () => {
  await expect.element(field('Title')).toBeVisible();
  await expectFair('the practice');
  await field('Title').fill('');
  await page.getByLabelText('About you').fill('x'.repeat(2_001));
  await save.click();
  await expectFair('the practice with problems');
});

test('shows errors under their fields and keeps input', async () => {
  await field('Title').fill('');
  await page.getByLabelText('About you').fill('x'.repeat(2_001));
  await save.click();
  await expect.element(field('Title')).toHaveFocus();
  await expect.element(field('Title')).toHaveAccessibleDescription(/Fill this in/);
  await expect
    .element(page.getByLabelText('About you'))
    .toHaveAccessibleDescription(/at most 2,000 characters/);
  await field('Title').fill('Psychologist');
  await page.getByLabelText('About you').fill('Listens still.');
  const phone = page.getByLabelText('Phone (optional)');
  await phone.fill('call me');
  await save.click();
  await expect.element(phone).toHaveFocus();
  await expect.element(phone).toHaveAccessibleDescription(/digits/);
  await expect.element(page.getByLabelText('About you')).toHaveValue('Listens still.');
  expect(askedFor('providers.saveProfile')).toEqual([]);
});

test('folds its sections on phones, and opens the one with an error', async () => {
  await page.getByRole('group', { name: 'Languages' }).getByRole('textbox').fill('x'.repeat(61));
  await page.viewport(phoneSize.width, phoneSize.height);
  await expect.element(field('Title')).not.toBeVisible();
  await save.click();
  await expect.element(page.getByRole('group', { name: 'Languages' }).getByRole('textbox')).toHaveFocus();
  await expect.element(field('Title')).toBeVisible();
  await expect.element(page.getByText('Your approach')).not.toBeVisible();
});

test('saves list entries that were typed but not added', async () => {
  await specialties.getByRole('textbox').fill('Sleep');
  await userEvent.keyboard('{Enter}');
  await specialties.getByRole('button', { name: 'Remove Grief' }).click();
  await page.getByRole('group', { name: 'Languages' }).getByRole('textbox').fill('Dutch');
  await save.click();
  await expect.element(saved).toBeVisible();
  await expect
    .poll(() => askedFor('providers.saveProfile'))
    .toMatchObject([
      {
        specialties: ['Anxiety', 'Depression', 'Trauma Recovery', 'Sleep'],
        languages: ['English', 'Spanish', 'Dutch'],
        version: listing.version,
      },
    ]);
});

test('keeps input when the server is unreachable, and saves on retry', async () => {
  const stored = (input: object) => ({ ...listing, ...input });
  answer({ 'providers.saveProfile': unreachable });
  await field('Title').fill('Counselor');
  await save.click();
  await expect.element(page.getByText('We couldn’t reach the server')).toBeVisible();
  await expect.element(field('Title')).toHaveValue('Counselor');
  await pressWith(save, { 'providers.saveProfile': stored });
  await expect.element(saved).toBeVisible();
});

test('asks before leaving unsaved changes', { tags: ['long'] }, async () => {
  await field('Title').fill('Counselor of couples');
  await page.getByRole('main').getByRole('link', { name: 'Change your name' }).click();
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(field('Title')).toHaveValue('Counselor of couples');
  await home.click();
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await expect.poll(address).toBe('/home');
});

test('keeps input while another tab is open', async () => {
  await field('Title').fill('Counselor of couples');
  await page.getByRole('tab', { name: 'Places' }).click();
  await expect.element(page.getByRole('tabpanel', { name: 'Places' })).toBeVisible();
  await page.getByRole('tab', { name: 'Your page' }).click();
  await expect.element(field('Title')).toHaveValue('Counselor of couples');
});

test('reports a concurrent edit, shows stored values and keeps input', async () => {
  answer({ 'providers.saveProfile': refusal(409, 'conflict', 'changed') });
  await page.getByLabelText('Experience').fill('30 years');
  await pressWith(save, { 'providers.mine': { ...listing, title: 'First', version: 2 } });
  await expect.element(page.getByText('Your page changed while you were editing')).toBeVisible();
  await expect.element(page.getByLabelText('Experience')).toHaveValue('30 years');
  await expect.element(field('Title')).toHaveValue('First');
  await pressWith(save, { 'providers.saveProfile': (input: object) => ({ ...listing, ...input }) });
  await expect.element(saved).toBeVisible();
  await expect
    .poll(() => askedFor('providers.saveProfile').at(-1))
    .toMatchObject({
      title: 'First',
      experience: '30 years',
      version: 2,
    });
});

test('follows another window’s save, except in edited fields', async () => {
  await page.getByLabelText('Experience').fill('30 years');
  answer({ 'providers.mine': { ...listing, title: 'First', experience: '2 years', version: 2 } });
  tellPage({ type: 'providers.listing_changed' });
  await expect.element(field('Title')).toHaveValue('First');
  await expect.element(page.getByLabelText('Experience')).toHaveValue('30 years');
});

test('saves changes by keyboard alone', { tags: ['long'] }, async () => {
  await tabTo(field('Title'));
  await userEvent.keyboard('{Control>}a{/Control}Counselor');
  await tabTo(specialties.getByRole('textbox'));
  await userEvent.keyboard('Anger{Enter}');
  await expect.element(specialties.getByRole('button', { name: 'Remove Anger' })).toBeVisible();
  await expect.element(specialties.getByRole('textbox')).toHaveFocus();
  await press(save);
  await expect.element(saved).toBeVisible();
  await expect.poll(() => askedFor('providers.saveProfile')).toMatchObject([{ title: 'Counselor' }]);
});
