import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { desktop, expectFair, expectNoViolation, phone } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const directory = recordedFor('admin')['directory.list'];
const client = directory.users.find(({ email }) => email === 'client@italk.example')!;
const opened = {
  ...client,
  emailVerified: true,
  timeZone: 'America/Chicago',
  version: '1',
  offeredRoles: ['doctor', 'pastor'],
  hasListing: true,
  comingSessions: 0,
  heldUntil: null,
};

const main = page.getByRole('main');
const table = page.getByRole('table', { name: 'User directory' });
const row = page.getByRole('row').filter({ hasText: client.email });
const dialog = page.getByRole('dialog', { name: 'Edit User' });
const saveChanges = dialog.getByRole('button', { name: 'Save Changes' });
const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' });
const confirmation = refusal(412, 'precondition', 'reauthentication_required');

async function openDesk(answers: Readonly<Record<string, unknown>> = {}, query = ''): Promise<void> {
  await openPage(`/admin/settings?tab=users${query}`, {
    as: 'admin',
    answers: { 'directory.open': opened, ...answers },
  });
}

async function choose(item: string): Promise<void> {
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('shows a retry when users can’t be loaded', async () => {
  await openDesk({ 'directory.list': unreachable });
  const again = main.getByRole('button', { name: 'Try again' });
  await expect.element(again).toBeVisible();
  answer({ 'directory.list': directory });
  await again.click();
  await expect.element(table).toBeVisible();
});

test('stores sorting and filters in the URL, but never the search text', async () => {
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

test('loads more users after the last one shown', async () => {
  await openDesk();
  await expect.element(row).toBeVisible();
  const next = { ...client, id: '01a20ca3-0000-7000-8000-000000000001', name: 'Zoe Adams' };
  answer({ 'directory.list': { ...directory, users: [next], beyond: null } });
  await main.getByRole('button', { name: 'Show more' }).click();
  await expect.element(table).toMatchTextContent('Zoe Adams');
  await expect.poll(() => askedFor('directory.list').at(-1)).toMatchObject({ beyond: directory.beyond });
});

test('keeps unsaved input until the administrator confirms their identity', async () => {
  await openDesk({ 'directory.edit': confirmation });
  await choose('Edit User');
  const field = dialog.getByLabelText('Name');
  await expect.element(field).toHaveValue(client.name);
  await field.fill('');
  await saveChanges.click();
  await expect.element(field).toHaveFocus();
  await expect.element(dialog.getByText('Enter a name.')).toBeVisible();
  await field.fill('Hannah Wells');
  await saveChanges.click();
  answer({
    'reauthentication.confirm': refusal(400, 'invalid', 'wrong_password', {
      fields: [{ field: 'password', reason: 'wrong_password' }],
    }),
  });
  await confirm.getByLabelText('Your password').fill('not the password');
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(confirm.getByText('That password isn’t right.')).toBeVisible();
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  await expect
    .element(dialog.getByText('Nothing changed, because you didn’t confirm it’s you.'))
    .toBeVisible();
  await expect.element(field).toHaveValue('Hannah Wells');
  await saveChanges.click();
  await expect.element(confirm).toBeVisible();
  for (const { width, height } of [desktop, phone, desktop]) {
    await page.viewport(width, height);
    await expectNoViolation(`confirming who one is at ${width}`);
  }
  answer({
    'reauthentication.confirm': {},
    'directory.edit': refusal(409, 'conflict', 'address_taken', {
      fields: [{ field: 'email', reason: 'address_taken' }],
    }),
  });
  await confirm.getByLabelText('Your password').fill('the password');
  await userEvent.keyboard('{Enter}');
  await expect.element(confirm).not.toBeInTheDocument();
  await expect.element(dialog.getByText('Another account uses this email.')).toBeVisible();
  await expect.element(dialog.getByLabelText('Email')).toHaveFocus();
});

test('reports a concurrent change, and shows the stored values on request', async () => {
  await openDesk({ 'directory.edit': refusal(409, 'conflict', 'changed_meanwhile') });
  await choose('Edit User');
  const field = dialog.getByLabelText('Name');
  await field.fill('Hannah Wells');
  await saveChanges.click();
  await expect
    .element(dialog.getByText('Someone else changed this user while you were editing.'))
    .toBeVisible();
  await expect.element(field).toHaveValue('Hannah Wells');
  answer({
    'directory.open': { ...opened, name: 'Hannah Stone', version: '2' },
    'directory.edit': { ...opened, name: 'Hannah Stone' },
  });
  await dialog.getByRole('button', { name: 'Show saved version' }).click();
  await expect.element(field).toHaveValue('Hannah Stone');
  await saveChanges.click();
  await expect.element(page.getByText('User Updated').first()).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .poll(() => askedFor('directory.edit').at(-1))
    .toMatchObject({ version: '2', fullName: 'Hannah Stone' });
});

test('offers only roles that a user can have, and requires a choice', async () => {
  await openDesk();
  await choose('Change Role');
  const roles = page.getByRole('dialog', { name: /^Change .+’s role$/ });
  await expect.element(roles.getByRole('radio', { name: /Administrator/ })).toBeDisabled();
  await roles.getByRole('button', { name: 'Change Role' }).click();
  await expect.element(roles.getByText('Choose a role.')).toBeVisible();
  await roles.getByRole('radio', { name: /Doctor/ }).click();
  answer({ 'directory.changeRole': { ...opened, role: 'doctor' } });
  await roles.getByRole('button', { name: 'Change Role' }).click();
  await expect.element(page.getByText('Role Changed').first()).toBeVisible();
  await expect
    .poll(() => askedFor('directory.changeRole'))
    .toEqual([{ userId: client.id, from: 'client', to: 'doctor' }]);
});

test('deletes an account once its address is typed, by keyboard alone', async () => {
  await openDesk();
  await press(row.getByRole('button', { name: /^Actions for/ }));
  await expect.element(page.getByRole('menuitem', { name: 'Edit User' })).toHaveFocus();
  await userEvent.keyboard('{End}');
  await expect.element(page.getByRole('menuitem', { name: 'Delete User' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  const deleting = page.getByRole('dialog', { name: /^Delete/ });
  const field = deleting.getByLabelText(`Type ${client.email} to confirm`);
  await tabTo(field);
  await userEvent.keyboard('somebody@else.example{Enter}');
  await expect.element(deleting.getByText('This isn’t the account’s email.')).toBeVisible();
  await expect.element(field).toHaveFocus();
  expect(askedFor('directory.remove')).toEqual([]);
  answer({ 'directory.remove': { id: client.id } });
  await userEvent.keyboard(`{Control>}a{/Control}${client.email}{Enter}`);
  await expect.element(page.getByText('User Deleted').first()).toBeVisible();
});

test('offers administrators only Edit User on their own account', async () => {
  await openDesk();
  const own = page.getByRole('row').filter({ hasText: 'admin@italk.example' });
  await own.getByRole('button', { name: /^Actions for/ }).click();
  await expect.element(page.getByRole('menuitem')).toHaveTextContent('Edit User');
});

test('passes accessibility checks in the directory', async () => {
  await openDesk();
  await expect.element(row).toBeVisible();
  await expectFair('the directory');
});

for (const [item, role] of [
  ['Edit User', 'dialog'],
  ['Change Role', 'dialog'],
  ['Suspend', 'alertdialog'],
  ['Delete User', 'dialog'],
] as const)
  test(`passes accessibility checks in ${item}`, async () => {
    await openDesk();
    await choose(item);
    await expect
      .element(
        page
          .getByRole(role)
          .getByRole('button', { name: /^(Save Changes|Change Role|Suspend|Delete User)$/ }),
      )
      .toBeEnabled();
    await expectFair(item);
  });
