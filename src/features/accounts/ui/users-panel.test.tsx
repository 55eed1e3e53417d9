import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { desktop, expectFair, phone } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const directory = recordedFor('admin')['directory.list'];
const client = directory.users.find(({ email }) => email === 'client@italk.example')!;

const main = page.getByRole('main');
const table = page.getByRole('table', { name: 'User directory' });
const row = page.getByRole('row').filter({ hasText: client.email });

async function openDesk(answers: Readonly<Record<string, unknown>> = {}, query = ''): Promise<void> {
  await openPage(`/admin/settings?tab=users${query}`, {
    as: 'admin',
    answers,
  });
}

test('shows a retry when users can’t be loaded', async () => {
  await openDesk({ 'directory.list': unreachable });
  const again = main.getByRole('button', { name: 'Try again' });
  await expect.element(again).toBeVisible();
  await pressWith(again, { 'directory.list': directory });
  await expect.element(table).toBeVisible();
});

test('stores sorting and filters in the URL, but never the search text', { tags: ['long'] }, async () => {
  await openDesk();
  const joined = main.getByRole('columnheader', { name: 'Joined' });
  await expect.element(joined).toHaveAttribute('aria-sort', 'none');
  await joined.getByRole('button').click();
  await expect.element(joined).toHaveAttribute('aria-sort', 'descending');
  await joined.getByRole('button').click();
  await expect.element(joined).toHaveAttribute('aria-sort', 'ascending');
  answer({ 'directory.list': { users: [], beyond: null, found: { count: 0, more: false } } });
  await main.getByLabelText('Search users').fill('nobody');
  await main.getByLabelText('Role').selectOptions('doctor');
  await expect.element(main.getByRole('heading', { name: 'No matching users' })).toBeVisible();
  await expect.poll(address).toBe('/admin/settings?tab=users&sort=joined&role=doctor');
  await expect
    .poll(() => askedFor('directory.list').at(-1))
    .toMatchObject({ search: 'nobody', role: 'doctor', order: 'joined', descending: false });
  await main.getByRole('button', { name: 'Show all users' }).click();
  await expect.element(main.getByLabelText('Search users')).toHaveValue('');
  await expect.element(main.getByLabelText('Role')).toHaveValue('');
});

test('shows each user in a few lines on phones, with everything the table says', async () => {
  await page.viewport(phone.width, phone.height);
  try {
    await openDesk();
    await expect.element(row).toBeVisible();
    expect(row.element().getBoundingClientRect().height).toBeLessThan(125);
    for (const said of [client.name, client.email, 'Client', 'Joined', 'Last Active'])
      await expect.element(row).toMatchTextContent(said);
  } finally {
    await page.viewport(desktop.width, desktop.height);
  }
});

test('leads from each name to the person’s page, without the search in the URL', async () => {
  await openDesk();
  await main.getByLabelText('Search users').fill('hannah');
  await expect.poll(() => askedFor('directory.list').at(-1)).toMatchObject({ search: 'hannah' });
  await row.getByRole('link', { name: client.name }).click();
  await expect.poll(address).toBe(`/admin/people/${client.id}`);
});

const opened = {
  ...client,
  emailVerified: true,
  timeZone: 'America/Chicago',
  version: '1',
  offeredRoles: ['doctor', 'pastor'],
  hasListing: true,
  comingSessions: 0,
  heldUntil: null,
  devices: [],
  apiTokens: [],
};

async function choose(item: string): Promise<void> {
  await row.getByRole('button', { name: `Actions for ${client.name}` }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('offers Edit User, Change Role and Delete User in each row’s menu', { tags: ['long'] }, async () => {
  await openDesk({
    'directory.open': opened,
    'directory.changeRole': { ...client, role: 'doctor' },
    'directory.remove': {},
  });
  await row.getByRole('button', { name: `Actions for ${client.name}` }).click();
  const items = page.getByRole('menuitem').elements();
  expect(items.map(({ textContent }) => textContent)).toEqual(['Edit User', 'Change Role', 'Delete User']);
  await page.getByRole('menuitem', { name: 'Edit User' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit User' });
  await expect.element(editing.getByLabelText('Name')).toHaveValue(client.name);
  await editing.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(row.getByRole('button', { name: `Actions for ${client.name}` })).toHaveFocus();

  await choose('Change Role');
  const changing = page.getByRole('dialog', { name: client.name });
  await changing.getByRole('radio', { name: /^Doctor/ }).click();
  await changing.getByRole('button', { name: 'Change Role' }).click();
  await expect.element(changing).not.toBeInTheDocument();
  expect(askedFor('directory.changeRole')).toEqual([{ userId: client.id, from: 'client', to: 'doctor' }]);

  await choose('Delete User');
  const deleting = page.getByRole('dialog', { name: client.name });
  await deleting.getByRole('textbox').fill(client.email);
  await deleting.getByRole('button', { name: 'Delete User' }).click();
  await expect.element(deleting).not.toBeInTheDocument();
  expect(askedFor('directory.remove')).toEqual([{ userId: client.id, email: client.email }]);
  await expect.poll(address).toBe('/admin/settings?tab=users');
});

test('offers administrators only Edit User for themselves', async () => {
  await openDesk();
  const own = page.getByRole('row').filter({ hasText: 'admin@italk.example' });
  await own.getByRole('button', { name: /^Actions for/ }).click();
  const items = page.getByRole('menuitem').elements();
  expect(items.map(({ textContent }) => textContent)).toEqual(['Edit User']);
});

test('says that a user’s account was deleted when an action is chosen', async () => {
  await openDesk({ 'directory.open': refusal(404, 'not_found') });
  await choose('Edit User');
  await expect
    .element(page.getByText('This account no longer exists.', { exact: true }).first())
    .toBeVisible();
});

test('loads more users after the last one shown', async () => {
  await openDesk();
  await expect.element(row).toBeVisible();
  const next = { ...client, id: '01a20ca3-0000-7000-8000-000000000001', name: 'Zoe Adams' };
  await pressWith(main.getByRole('button', { name: 'Show more' }), {
    'directory.list': { ...directory, users: [next], beyond: null },
  });
  await expect.element(table).toMatchTextContent('Zoe Adams');
  await expect.poll(() => askedFor('directory.list').at(-1)).toMatchObject({ beyond: directory.beyond });
});

test('passes accessibility checks in the directory', async () => {
  await openDesk();
  await expect.element(row).toBeVisible();
  await expectFair('the directory');
});
