import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { desktop, expectFair, expectNoViolation, phone } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const directory = recordedFor('admin')['directory.list'];
const client = directory.users.find(({ email }) => email === 'client@italk.example')!;
const [session] = recordedFor('admin')['appointments.administration.find'].appointments;
const opened = {
  ...client,
  emailVerified: true,
  timeZone: 'America/Chicago',
  version: '1',
  offeredRoles: ['doctor', 'pastor'],
  hasListing: true,
  comingSessions: 0,
  heldUntil: null,
  devices: [
    {
      id: '0190a0a0-0000-7000-8000-000000000001',
      browser: 'Firefox',
      system: 'Windows',
      kind: 'computer',
      signedInAt: '2026-11-20T09:00:00Z',
      lastUsedAt: '2026-11-21T09:00:00Z',
    },
  ],
  apiTokens: [],
};
const nothing = {
  'appointments.oversight.person': { next: [], recent: [], more: false },
  'providers.status.get': { listing: null, credentials: [], application: null },
  'audit.list': { entries: [], more: false, manyPeople: false },
};
const entry = {
  id: '0190a0a0-0000-7000-8000-000000000002',
  at: '2026-11-21T09:00:00Z',
  actor: { kind: 'person', id: client.id, name: client.name, email: client.email },
  action: 'signed_in',
  category: 'security',
  subject: { kind: 'person', id: client.id, name: client.name },
  details: {},
  address: '203.0.113.7',
  success: true,
};
const administrator = {
  ...entry,
  id: '0190a0a0-0000-7000-8000-000000000003',
  actor: { ...entry.actor, id: '0190a0a0-0000-7000-8000-000000000004', name: 'Esther Chief' },
  action: 'booking.rescheduled',
  subject: { kind: 'appointment', id: session!.id, name: 'Hannah and Dr. Vale' },
};

const main = page.getByRole('main');
const acts = page.getByRole('group', { name: 'Actions' });
const dialog = page.getByRole('dialog', { name: 'Edit User' });
const saveChanges = dialog.getByRole('button', { name: 'Save Changes' });
const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' });
const confirmation = refusal(412, 'precondition', 'reauthentication_required');
const activity = page.getByRole('region', { name: 'Activity' });
const appointments = page.getByRole('region', { name: 'Appointments' });

async function openPerson(answers: Readonly<Record<string, unknown>> = {}, id = client.id): Promise<void> {
  await openPage(`/admin/people/${id}`, {
    as: 'admin',
    answers: { 'directory.open': opened, ...nothing, ...answers },
  });
}

async function choose(item: string): Promise<void> {
  await acts.getByRole('button', { name: item, exact: true }).click();
}

test('shows the account’s status, sessions and history, newest first', { tags: ['long'] }, async () => {
  await openPerson({
    'appointments.oversight.person': { next: [session], recent: [], more: true },
    'audit.list': { entries: [administrator, entry], more: true, manyPeople: false },
  });
  await expect.element(main.getByRole('heading', { level: 1 })).toMatchTextContent(client.name);
  for (const said of [client.email, 'Active', 'Firefox on Windows', 'Verified'])
    await expect.element(main).toMatchTextContent(said);
  await expect
    .element(appointments.getByRole('link', { name: /2026/ }))
    .toHaveAttribute('href', `/admin/appointments/${session!.id}`);
  await expect
    .element(appointments.getByRole('link', { name: 'All appointments' }))
    .toHaveAttribute('href', `/admin/appointments?person=${client.id}`);
  await expect
    .element(activity.getByRole('link', { name: 'Esther Chief' }))
    .toHaveAttribute('href', `/admin/people/${administrator.actor.id}`);
  await expect
    .element(activity.getByRole('link', { name: /^Appointment/ }))
    .toHaveAttribute('href', `/admin/appointments/${session!.id}`);
  expect(activity.getByRole('listitem').elements()).toHaveLength(2);
  expect(activity.getByRole('link', { name: client.name }).query()).toBe(null);
  await expectFair('a person’s page');
  await pressWith(activity.getByRole('button', { name: 'Show more' }), {
    'audit.list': nothing['audit.list'],
  });
  await expect
    .poll(() => askedFor('audit.list').at(-1))
    .toMatchObject({ about: [client.id], beforeId: entry.id });
});

test('shows a provider’s listing, licenses and application', async () => {
  const license = {
    id: '0190a0a0-0000-7000-8000-000000000005',
    kind: 'licence',
    number: 'PSY 12345',
    issuer: 'Board of Psychology',
    region: 'New York',
    expiresOn: '2027-06-30',
    reason: null,
    replaces: null,
    submittedAt: '2026-11-20T09:00:00Z',
  };
  await openPerson({
    'directory.open': { ...opened, role: 'doctor' },
    'providers.status.get': {
      listing: { slug: 'dr-vale', title: 'Psychologist', listed: true, revokedAt: null },
      credentials: [
        { ...license, state: 'approved', expired: true },
        { ...license, id: client.id, state: 'pending', expired: false },
      ],
      application: { id: session!.id, status: 'approved', submittedAt: '2026-11-20T09:00:00Z' },
    },
  });
  const provider = page.getByRole('region', { name: 'Provider' });
  for (const said of ['Psychologist', 'Listed', 'PSY 12345', 'Expired', 'To review'])
    await expect.element(provider).toMatchTextContent(said);
  for (const [name, href] of [
    ['Public profile', '/therapists/dr-vale'],
    ['Approved', `/admin/applications/${session!.id}`],
    ['Review it', '/admin/moderation?tab=credentials'],
  ] as const)
    await expect.element(provider.getByRole('link', { name })).toHaveAttribute('href', href);
  await expect.element(acts.getByRole('button', { name: 'Provider approval' })).toBeVisible();
  await expectFair('a provider’s page');
});

test('says what a new account doesn’t have yet', async () => {
  await openPerson({ 'directory.open': { ...opened, devices: [], lastActiveAt: null } });
  await expect.element(appointments).toMatchTextContent('No appointments yet');
  await expect.element(activity).toMatchTextContent('No entries yet');
  await expect.element(main).toMatchTextContent('None right now');
  expect(page.getByRole('region', { name: 'Provider' }).query()).toBe(null);
  await expectFair('a new person’s page');
});

test('revokes an API token by keyboard, with a reason for the log', { tags: ['long'] }, async () => {
  const apiToken = {
    id: '0190a0a0-0000-7000-8000-000000000005',
    name: 'Front desk',
    scopes: ['appointments:read'],
    createdAt: '2026-11-20T09:00:00Z',
    expiresAt: '2027-02-18T09:00:00Z',
    usedAt: null,
  };
  await openPerson({
    'directory.open': { ...opened, apiTokens: [apiToken] },
    'directory.revokeApiToken': () => {
      answer({ 'directory.open': opened });
      return client;
    },
  });
  const tokens = page.getByRole('region', { name: 'API tokens' });
  await expect.element(tokens).toMatchTextContent('View appointments');
  await expect.element(tokens).toMatchTextContent('Not used yet');
  await expectFair('a person with an API token');
  await press(tokens.getByRole('button', { name: 'Revoke Front desk' }));
  const asked = page.getByRole('alertdialog', { name: 'Revoke “Front desk”?' });
  await asked.getByLabelText('Reason').selectOptions('misuse');
  await press(asked.getByRole('button', { name: 'Revoke' }));
  await expect.element(asked).not.toBeInTheDocument();
  expect(askedFor('directory.revokeApiToken')).toEqual([
    { userId: client.id, tokenId: apiToken.id, reason: 'misuse' },
  ]);
  await expect.element(tokens).not.toBeInTheDocument();
});

test('retries the part that couldn’t be loaded, and keeps the others', async () => {
  await openPerson({ 'appointments.oversight.person': unreachable });
  await expect.element(appointments).toMatchTextContent('We couldn’t load the appointments');
  await expect.element(activity).toMatchTextContent('No entries yet');
  await pressWith(appointments.getByRole('button', { name: 'Try again' }), nothing);
  await expect.element(appointments).toMatchTextContent('No appointments yet');
});

for (const [what, id, error] of [
  ['an unknown id', client.id, refusal(404, 'not_found', 'person')],
  ['a malformed id', 'hannah', refusal(400, 'invalid')],
] as const)
  test(`says that the person wasn’t found for ${what}`, async () => {
    await openPerson({ 'directory.open': error }, id);
    await expect
      .element(main.getByRole('heading', { level: 1 }))
      .toHaveTextContent('We couldn’t find this person');
    await expect
      .element(main.getByRole('link', { name: 'User Management' }))
      .toHaveAttribute('href', '/admin/settings?tab=users');
    expect(askedFor('audit.list')).toEqual([]);
  });

test('puts status and actions first on phones', async () => {
  await page.viewport(phone.width, phone.height);
  try {
    await openPerson();
    const last = acts.getByRole('button').last();
    await expect.element(last).toBeVisible();
    expect(last.element().getBoundingClientRect().bottom).toBeLessThan(phone.height - 56);
  } finally {
    await page.viewport(desktop.width, desktop.height);
  }
});

test('keeps unsaved input until the administrator confirms their identity', { tags: ['long'] }, async () => {
  await openPerson({ 'directory.edit': confirmation });
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

test('emails administrators without a password a link to set one', { tags: ['long'] }, async () => {
  const me = recordedFor('admin')['accounts.me'];
  const ask = 'POST /api/auth/request-password-reset';
  await openPerson({
    'directory.edit': confirmation,
    'accounts.me': { ...me, hasPassword: false },
    [ask]: { status: true },
  });
  await choose('Edit User');
  await dialog.getByLabelText('Name').fill('Hannah Wells');
  await saveChanges.click();
  await confirm.getByRole('button', { name: 'Set a password' }).click();
  await expect.element(confirm.getByText(`A link is on its way to ${me.email}.`)).toBeVisible();
  expect(askedFor(ask)).toMatchObject([{ email: me.email }]);
});

test('reports a concurrent change, and shows the stored values on request', async () => {
  await openPerson({ 'directory.edit': refusal(409, 'conflict', 'changed_meanwhile') });
  await choose('Edit User');
  const field = dialog.getByLabelText('Name');
  await field.fill('Hannah Wells');
  await saveChanges.click();
  await expect
    .element(dialog.getByText('Someone else changed this user while you were editing.'))
    .toBeVisible();
  await expect.element(field).toHaveValue('Hannah Wells');
  await pressWith(dialog.getByRole('button', { name: 'Show saved version' }), {
    'directory.open': { ...opened, name: 'Hannah Stone', version: '2' },
    'directory.edit': { ...opened, name: 'Hannah Stone' },
  });
  await expect.element(field).toHaveValue('Hannah Stone');
  await saveChanges.click();
  await expect.element(page.getByText('User Updated').first()).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .poll(() => askedFor('directory.edit').at(-1))
    .toMatchObject({ version: '2', fullName: 'Hannah Stone' });
});

test('says why the stored values can’t be shown, and keeps what was typed', async () => {
  await openPerson({ 'directory.edit': refusal(409, 'conflict', 'changed_meanwhile') });
  await choose('Edit User');
  await dialog.getByLabelText('Name').fill('Hannah Wells');
  await saveChanges.click();
  await expect.element(dialog.getByRole('button', { name: 'Show saved version' })).toBeVisible();
  await pressWith(dialog.getByRole('button', { name: 'Show saved version' }), {
    'directory.open': unreachable,
  });
  await expect.element(page.getByText(/We couldn’t reach the server/).first()).toBeVisible();
  await expect.element(dialog.getByLabelText('Name')).toHaveValue('Hannah Wells');
});

test('offers only roles that a user can have, and requires a choice', async () => {
  await openPerson();
  await choose('Change Role');
  const roles = page.getByRole('dialog', { name: /^Change .+’s role$/ });
  await expect.element(roles.getByRole('radio', { name: /Administrator/ })).toBeDisabled();
  await roles.getByRole('button', { name: 'Change Role' }).click();
  await expect.element(roles.getByText('Choose a role.')).toBeVisible();
  await roles.getByRole('radio', { name: /Doctor/ }).click();
  await pressWith(roles.getByRole('button', { name: 'Change Role' }), {
    'directory.changeRole': { ...opened, role: 'doctor' },
  });
  await expect.element(page.getByText('Role Changed').first()).toBeVisible();
  await expect
    .poll(() => askedFor('directory.changeRole'))
    .toEqual([{ userId: client.id, from: 'client', to: 'doctor' }]);
});

test('leads from Change Role to Add Provider for a client without a page', async () => {
  await openPerson({ 'directory.open': { ...opened, offeredRoles: [], hasListing: false } });
  await choose('Change Role');
  const roles = page.getByRole('dialog', { name: /^Change .+’s role$/ });
  await roles.getByRole('radio', { name: /^Pastor.*next/ }).click();
  await roles.getByRole('button', { name: 'Change Role' }).click();
  await expect.poll(address).toBe('/admin/add-provider');
  expect(askedFor('directory.changeRole')).toEqual([]);
});

test('deletes an account once its address is typed, by keyboard alone', { tags: ['long'] }, async () => {
  await openPerson();
  await press(acts.getByRole('button', { name: 'Delete User' }));
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
  await expect.poll(address).toBe('/admin/settings?tab=users');
});

test('offers administrators only Edit User on their own account', async () => {
  const own = directory.users.find(({ email }) => email === 'admin@italk.example')!;
  await openPerson({ 'directory.open': { ...opened, ...own } }, own.id);
  await expect.element(acts.getByRole('button')).toHaveTextContent('Edit User');
});

for (const [item, role] of [
  ['Edit User', 'dialog'],
  ['Change Role', 'dialog'],
  ['Suspend', 'alertdialog'],
  ['Delete User', 'dialog'],
] as const)
  test(`passes accessibility checks in ${item}`, async () => {
    await openPerson();
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
