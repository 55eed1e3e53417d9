import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { desktop, expectFair, phone } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const flags = recordedFor('admin')['flags.list'];
const flagsWith = (id: string, changed: object) =>
  flags.map((flag) => (flag.id === id ? { ...flag, version: flag.version + 1, ...changed } : flag));

const feature = (name: string) => page.getByRole('article', { name, exact: true });
const toggle = (name: string) => page.getByRole('switch', { name: new RegExp(`^${name}`) });
const toast = (text: string) => page.getByText(text, { exact: true }).first();
const bulk = (name: string) => page.getByRole('button', { name, exact: true });
const question = page.getByRole('alertdialog');
const change = question.getByRole('button', { name: 'Apply changes' });

async function openFlags(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await openPage('/admin/settings?tab=features', { as: 'admin', answers });
}

test('reports a loading error and retries', { tags: ['long'] }, async () => {
  await openFlags({ 'flags.list': unreachable });
  await expect.element(page.getByText('We couldn’t load the features')).toBeVisible();
  await pressWith(page.getByRole('button', { name: 'Try again' }), { 'flags.list': flags });
  await expect.element(toggle('Wellness Tracking')).toBeVisible();
});

test(
  'shows features by category with enabled counts, and passes accessibility checks',
  { tags: ['long'] },
  async () => {
    await openFlags();
    await expect.element(page.getByRole('heading', { name: 'Feature Flags', level: 2 })).toBeVisible();
    const figures = page.getByRole('main').getByRole('definition');
    await expect.poll(() => figures.elements().map((one) => one.textContent)).toEqual(['8', '6', '2']);
    const sessions = page.getByRole('region', { name: 'Sessions', exact: true });
    await expect.element(sessions).toMatchTextContent('2 of 3 enabled');
    for (const words of ['Role-based', 'Doctor', 'Never modified'])
      await expect.element(feature('Video Sessions')).toMatchTextContent(words);
    for (const later of ['Calendar Integration', 'Push Notifications'])
      await expect.element(feature(later)).toMatchTextContent('Not available yet');
    await expect.element(feature('Two-Factor Authentication')).not.toMatchTextContent('Not available yet');
    await expectFair('the features');
  },
);

test('says on phones that a feature was never modified', async () => {
  await page.viewport(phone.width, phone.height);
  try {
    await openFlags();
    await expect
      .element(feature('Video Sessions').getByText('Never modified', { exact: true }))
      .toBeVisible();
  } finally {
    await page.viewport(desktop.width, desktop.height);
  }
});

test('reports what a switch did', { tags: ['long'] }, async () => {
  const at = '2026-11-24T08:15:00Z';
  const { id, email, role, fullName: name } = recordedFor('admin')['accounts.me'];
  await openFlags({
    'flags.turn': flagsWith('group_sessions', { enabled: false, modified: { at, byId: id } }),
    'names.of': [{ id, name, email, role }],
  });
  await press(toggle('Group Sessions'), ' ');
  await expect.element(toast('Feature Disabled')).toBeVisible();
  await expect.element(toast('Group Sessions has been disabled successfully.')).toBeVisible();
  await expect
    .element(page.getByRole('region', { name: 'Sessions', exact: true }))
    .toMatchTextContent('1 of 3 enabled');
  await expect
    .element(feature('Group Sessions'))
    .toMatchTextContent(/Last modified .+ · iTalk Administrator/);
  await expect
    .poll(() => askedFor('flags.turn'))
    .toMatchObject([{ flagId: 'group_sessions', enabled: false, version: 1 }]);
});

test('requires a role or person before saving a scope', { tags: ['long'] }, async () => {
  await openFlags();
  await feature('Wellness Tracking').getByRole('button', { name: 'Edit scope' }).click();
  const dialog = page.getByRole('dialog', { name: 'Scope of Wellness Tracking' });
  const save = dialog.getByRole('button', { name: 'Save scope' });
  await dialog.getByRole('radio', { name: 'Role-based' }).click();
  await save.click();
  await expect.element(dialog.getByText('Choose at least one role.')).toBeVisible();
  await dialog.getByRole('radio', { name: 'User-specific' }).click();
  await save.click();
  await expect.element(dialog.getByText('Choose at least one person.')).toBeVisible();
  expect(askedFor('flags.setScope')).toEqual([]);
  await expectFair('the scope of a feature');
  await dialog.getByRole('radio', { name: 'Role-based' }).click();
  await dialog.getByRole('checkbox', { name: 'Doctor' }).click();
  await pressWith(save, {
    'flags.setScope': flagsWith('wellness_tracking', { scope: 'role_based', roles: ['doctor'] }),
  });
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(feature('Wellness Tracking')).toMatchTextContent('Doctor');
});

test('says that no features are left to change', async () => {
  await openFlags();
  await bulk('Enable All Communication Features').click();
  await expect.element(toast('All communication features are already enabled.')).toBeVisible();
  await expect.element(question).not.toBeInTheDocument();
});

test('previews a bulk change, and reports a concurrent edit', { tags: ['long'] }, async () => {
  const off = flagsWith('direct_messaging', { enabled: false });
  await openFlags({
    'flags.list': off,
    'flags.changeMany': refusal(409, 'conflict', 'flag_changed'),
  });
  await bulk('Enable All Communication Features').click();
  await expect.element(question).toMatchTextContent('Direct Messaging');
  await expect.element(question).toMatchTextContent('off (for everyone) → on (for everyone)');
  await expectFair('the question before several features change');
  await pressWith(change, { 'flags.list': flagsWith('direct_messaging', { enabled: false, version: 9 }) });
  await expect.element(question).toMatchTextContent('Someone else changed a feature while you were editing.');
  await pressWith(change, { 'flags.changeMany': flags, 'flags.list': flags });
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(toggle('Direct Messaging')).toBeChecked();
  await expect
    .poll(() => askedFor('flags.changeMany'))
    .toMatchObject([
      { expected: [{ flagId: 'direct_messaging', version: 2 }] },
      { expected: [{ flagId: 'direct_messaging', version: 9 }] },
    ]);
});

test('resets only flags that differ from the default', { tags: ['long'] }, async () => {
  await openFlags({
    'flags.list': flagsWith('wellness_tracking', { enabled: false }),
    'flags.changeMany': flags,
  });
  await expect.element(toggle('Wellness Tracking')).not.toBeChecked();
  await press(bulk('Reset to Default Configuration'));
  await expect.element(question.getByRole('listitem')).toMatchTextContent('Wellness Tracking');
  await pressWith(change, { 'flags.list': flags });
  await expect.element(toggle('Wellness Tracking')).toBeChecked();
});
