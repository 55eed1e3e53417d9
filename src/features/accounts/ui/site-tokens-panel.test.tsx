import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';
import type { SiteTokenView } from '../site-tokens/contract.ts';

const monitoring: SiteTokenView = {
  id: '01a20c00-0000-7000-8000-000000000001',
  name: 'Monitoring',
  scopes: ['health:read'],
  createdAt: '2026-03-02T12:00:00.000Z',
  expiresAt: '2027-03-02T12:00:00.000Z',
  usedAt: null,
  madeBy: { id: '01a20c00-0000-7000-8000-00000000000a', name: 'Naomi Weiss' },
};
const orphan: SiteTokenView = {
  ...monitoring,
  id: '01a20c00-0000-7000-8000-000000000002',
  name: 'A-program-with-a-name-that-is-as-long-as-sixty-letters-allow',
  scopes: ['users:read', 'bookings:read', 'reports:read', 'health:read', 'audit:read'],
  usedAt: '2026-03-04T12:00:00.000Z',
  madeBy: null,
};
const secret = `italk_${'0123456789-'.repeat(3)}abcdefghij`;

const panel = page.getByRole('region', { name: 'Site API tokens' });
const dialog = page.getByRole('dialog');
const nameField = dialog.getByRole('textbox', { name: 'Name' });
const alert = page.getByRole('alertdialog');
const create = panel.getByRole('button', { name: 'Create token' });
const rows = panel.getByRole('listitem');
const toast = (title: string) => page.getByRole('listitem').filter({ hasText: title });

const open = (tokens: readonly SiteTokenView[], answers: Readonly<Record<string, unknown>> = {}) =>
  openPage('/admin/settings?tab=settings', {
    as: 'admin',
    answers: { 'siteTokens.list': tokens, ...answers },
  });

test('creates one by keyboard, and shows it once', { tags: ['long'] }, async () => {
  await open([], {
    'siteTokens.create': () => {
      answer({ 'siteTokens.list': [monitoring] });
      return { ...monitoring, token: secret };
    },
  });
  await expect.element(panel).toMatchTextContent('No tokens yet.');
  await expectFair('the site settings without an API token');
  await press(create);
  await tabTo(nameField);
  await userEvent.keyboard('Monitoring');
  expect(dialog.getByRole('checkbox').all()).toHaveLength(5);
  await press(dialog.getByLabelText('View system health'), ' ');
  await expect.element(dialog.getByLabelText('View system health')).toBeChecked();
  await expectFair('creating an API token for the site');
  await press(dialog.getByRole('button', { name: 'Create token' }));
  await expect.element(dialog.getByLabelText('Monitoring')).toHaveValue(secret);
  expect(askedFor('siteTokens.create')).toMatchObject([
    { name: 'Monitoring', scopes: ['health:read'], days: 90 },
  ]);
  await expectFair('a new API token of the site');
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press(dialog.getByRole('button', { name: 'Copy' }));
  expect(written).toHaveBeenCalledExactlyOnceWith(secret);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(rows).toMatchTextContent('Created Mar 2, 2026 by Naomi Weiss');
  expect(document.body.textContent).not.toContain(secret);
  written.mockRestore();
});

test('asks to confirm who one is before creating one', async () => {
  let confirmed = false;
  await open([], {
    'siteTokens.create': () =>
      confirmed
        ? { ...monitoring, token: secret }
        : refusal(412, 'precondition', 'reauthentication_required'),
    'reauthentication.confirm': () => {
      confirmed = true;
      return {};
    },
  });
  await create.click();
  await nameField.fill('Monitoring');
  await dialog.getByText('View system health').click();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await question.getByLabelText('Your password').fill('peace-be-with-you');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByLabelText('Monitoring')).toHaveValue(secret);
  const ids = askedFor('siteTokens.create').map((input) => (input as { id?: string }).id);
  expect(ids).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), ids[0]]);
});

test('says why one can’t be created, and keeps what was typed', async () => {
  await open([monitoring], { 'siteTokens.create': refusal(412, 'precondition', 'too_many_api_tokens') });
  await create.click();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect.element(dialog).toMatchTextContent('Enter a name.');
  await expect.element(dialog).toMatchTextContent('Choose at least one.');
  await nameField.fill('Desk');
  await dialog.getByText('View all appointments').click();
  await dialog.getByText('365 days').click();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect.element(dialog).toMatchTextContent('The site has 20 tokens, the limit. Revoke one first.');
  await expect.element(nameField).toHaveValue('Desk');
  expect(askedFor('siteTokens.create')).toMatchObject([
    { name: 'Desk', scopes: ['bookings:read'], days: 365 },
  ]);
  await pressWith(dialog.getByRole('button', { name: 'Create token' }), {
    'siteTokens.create': refusal(404, 'not_found', 'feature_off'),
  });
  await expect.element(dialog).toMatchTextContent('Mobile App Access is off for administrators');
});

test('lists what each may do and who made it, and revokes one after asking', { tags: ['long'] }, async () => {
  await open([monitoring, orphan], { 'siteTokens.revoke': refusal(404, 'not_found', 'api_token') });
  await expect.poll(() => rows.elements().length).toBe(2);
  await expect.element(rows.first()).toMatchTextContent('View system health');
  await expect.element(rows.first()).toMatchTextContent('Not used yet');
  await expect.element(rows.last()).toMatchTextContent('Created Mar 2, 2026 by Deleted account');
  await expect.element(rows.last()).toMatchTextContent('View the audit log, with names and IP addresses');
  await expectFair('the site settings with two API tokens');
  await panel.getByRole('button', { name: 'Revoke Monitoring' }).click();
  await expect.element(alert).toMatchTextContent('Revoke “Monitoring”?');
  await alert.getByRole('button', { name: 'Revoke' }).click();
  await expect.element(alert).toMatchTextContent('This no longer exists.');
  await pressWith(alert.getByRole('button', { name: 'Revoke' }), { 'siteTokens.revoke': [orphan] });
  await expect.element(toast('Token revoked')).toBeVisible();
  await expect.poll(() => rows.elements().length).toBe(1);
  await expect.element(panel.getByRole('heading')).toHaveFocus();
});

test('follows what another administrator does', async () => {
  await open([monitoring]);
  await expect.poll(() => rows.elements().length).toBe(1);
  answer({ 'siteTokens.list': [] });
  tellPage({ type: 'accounts.site_tokens_changed' });
  await expect.element(panel).toMatchTextContent('No tokens yet.');
});

test('shows a retry when they can’t be loaded', async () => {
  await open([], { 'siteTokens.list': unreachable });
  await expect.element(panel).toMatchTextContent('We couldn’t load the site’s API tokens');
  await pressWith(panel.getByRole('button', { name: 'Try again' }), { 'siteTokens.list': [monitoring] });
  await expect.element(rows).toMatchTextContent('Monitoring');
});

test('only lets administrators revoke them where programs are off', async () => {
  const site = recordedFor('admin')['settings.site'];
  await open([monitoring], {
    'settings.site': { ...site, flags: site.flags.filter((flag) => flag !== 'mobile_app_access') },
  });
  await expect.element(panel).toMatchTextContent('Mobile App Access is off for administrators');
  await expect.element(panel.getByRole('button', { name: 'Revoke Monitoring' })).toBeVisible();
  await expect.element(create).not.toBeInTheDocument();
});
