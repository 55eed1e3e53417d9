import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor, type Who } from '../../../../tests/components/recorded.ts';
import type { ApiTokenView } from '../api-tokens/contract.ts';

const desk: ApiTokenView = {
  id: '01a20c00-0000-7000-8000-000000000001',
  name: 'Front desk',
  scopes: ['appointments:read'],
  createdAt: '2026-03-02T12:00:00.000Z',
  expiresAt: '2026-05-31T12:00:00.000Z',
  usedAt: null,
};
const long: ApiTokenView = {
  ...desk,
  id: '01a20c00-0000-7000-8000-000000000002',
  name: 'A-program-with-a-name-that-is-as-long-as-sixty-letters-allow',
  scopes: ['appointments:read', 'availability:read', 'availability:write'],
  usedAt: '2026-03-04T12:00:00.000Z',
};
const secret = `italk_${'0123456789-'.repeat(3)}abcdefghij`;

const card = page.getByRole('region', { name: 'API tokens' });
const dialog = page.getByRole('dialog');
const alert = page.getByRole('alertdialog');
const create = card.getByRole('button', { name: 'Create token' });
const rows = card.getByRole('listitem');
const toast = (title: string) => page.getByRole('listitem').filter({ hasText: title });

const open = (
  tokens: readonly ApiTokenView[],
  answers: Readonly<Record<string, unknown>> = {},
  as: Who = 'doctor',
) => openPage('/profile?tab=settings', { as, answers: { 'apiTokens.list': tokens, ...answers } });

test('creates one by keyboard, and shows it once', { tags: ['long'] }, async () => {
  await open([], {
    'apiTokens.create': () => {
      answer({ 'apiTokens.list': [desk] });
      return { ...desk, token: secret };
    },
  });
  await expect.element(create).toBeVisible();
  expect(rows.elements()).toEqual([]);
  await expectFair('the settings without an API token');
  await expect.element(create).toBeEnabled();
  await press(create);
  await tabTo(dialog.getByLabelText('Name'));
  await userEvent.keyboard('Front desk');
  await press(dialog.getByLabelText('View appointments'), ' ');
  await expect.element(dialog.getByLabelText('View appointments')).toBeChecked();
  await expectFair('creating an API token');
  await press(dialog.getByRole('button', { name: 'Create token' }));
  await expect.element(dialog.getByLabelText('Front desk')).toHaveValue(secret);
  expect(askedFor('apiTokens.create')).toMatchObject([
    { name: 'Front desk', scopes: ['appointments:read'], days: 90 },
  ]);
  await expectFair('a new API token');
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press(dialog.getByRole('button', { name: 'Copy' }));
  expect(written).toHaveBeenCalledExactlyOnceWith(secret);
  await expect.element(toast('Token copied')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(rows).toMatchTextContent('Front desk');
  expect(document.body.textContent).not.toContain(secret);
  written.mockRestore();
});

test('asks for a name and something to do', async () => {
  await open([]);
  await expect.element(create).toBeEnabled();
  await create.click();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect.element(dialog).toMatchTextContent('Enter a name.');
  await expect.element(dialog).toMatchTextContent('Choose at least one.');
  expect(askedFor('apiTokens.create')).toEqual([]);
  await expectFair('an API token without a name');
});

test('says why one can’t be created, and keeps what was typed', async () => {
  await open([desk], { 'apiTokens.create': refusal(412, 'precondition', 'too_many_api_tokens') });
  await expect.element(create).toBeEnabled();
  await create.click();
  await dialog.getByLabelText('Name').fill('Till');
  await dialog.getByText('Change availability').click();
  await dialog.getByText('365 days').click();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect.element(dialog).toMatchTextContent('You have 10 tokens');
  await expect.element(dialog.getByLabelText('Name')).toHaveValue('Till');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const asked = { name: 'Till', scopes: ['availability:write'], days: 365 };
  await expect.poll(() => askedFor('apiTokens.create')).toMatchObject([asked, asked]);
  // The same one, should its answer have been lost.
  const ids = askedFor('apiTokens.create').map((input) => (input as { id?: string }).id);
  expect(ids).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), ids[0]]);
});

test('lists what each may do, and revokes one after asking', { tags: ['long'] }, async () => {
  await open([desk, long], { 'apiTokens.revoke': refusal(404, 'not_found', 'api_token') });
  await expect.poll(() => rows.elements().length).toBe(2);
  await expect.element(rows.first()).toMatchTextContent('View appointments');
  await expect.element(rows.first()).toMatchTextContent('Not used yet');
  await expect
    .element(rows.last())
    .toMatchTextContent('View appointments · View availability · Change availability');
  await expect.element(rows.last()).toMatchTextContent('Last used');
  await expectFair('the settings with two API tokens');
  await card.getByRole('button', { name: 'Revoke Front desk' }).click();
  await expect.element(alert).toMatchTextContent('Revoke “Front desk”?');
  await alert.getByRole('button', { name: 'Revoke' }).click();
  await expect.element(alert).toMatchTextContent('This no longer exists.');
  await expectFair('an API token that was revoked elsewhere');
  await pressWith(alert.getByRole('button', { name: 'Revoke' }), { 'apiTokens.revoke': [long] });
  await expect.element(toast('Token revoked')).toBeVisible();
  await expect.poll(() => rows.elements().length).toBe(1);
  await expect.element(card.getByRole('heading')).toHaveFocus();
});

test('offers clients what they have', async () => {
  await open([], {}, 'client');
  await expect.element(create).toBeEnabled();
  await create.click();
  await expect.element(dialog.getByLabelText('View appointments')).toBeInTheDocument();
  expect(dialog.getByRole('checkbox').elements()).toHaveLength(1);
});

test('says that they couldn’t be loaded', async () => {
  await open([], { 'apiTokens.list': refusal(503, 'unavailable') });
  await expect.element(card).toMatchTextContent('We couldn’t load your API tokens');
});

test('only lets people revoke theirs where programs are off', async () => {
  const site = recordedFor('doctor')['settings.site'];
  const off = {
    'settings.site': { ...site, flags: site.flags.filter((flag) => flag !== 'mobile_app_access') },
  };
  await open([desk], off);
  await expect.element(card).toMatchTextContent('This site no longer accepts API tokens.');
  await expect.element(card.getByRole('button', { name: 'Revoke Front desk' })).toBeVisible();
  await expect.element(create).not.toBeInTheDocument();
  await open([], off);
  await expect.element(page.getByRole('heading', { name: 'Password', exact: true })).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
});

test('lets administrators’ tokens read users, and nothing else', async () => {
  await open([], {}, 'admin');
  await press(create);
  await expect.element(dialog.getByLabelText('View everyone’s name, email, role, and status')).toBeVisible();
  expect(dialog.getByRole('checkbox').all()).toHaveLength(1);
  await expectFair('creating an administrator’s API token');
});
