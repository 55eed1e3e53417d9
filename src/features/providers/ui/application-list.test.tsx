import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { askedFor, pressWith } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const listed = recordedFor('admin')['providers.applications.list'];
const waiting = listed.applications.find(({ documents }) => documents.length === 2)!;
const approved = { ...waiting, status: 'approved', decidedAt: '2026-11-24T08:19:00Z' };
const none = { applications: [], more: false };
const entry = page.getByRole('article', { name: `${waiting.name}’s application` });
const dialog = page.getByRole('alertdialog');
const approve = dialog.getByRole('button', { name: 'Approve' });

/** The application with this many documents opened. */
const checked = (opened: number) => ({
  ...waiting,
  expired: false,
  documents: waiting.documents.map((one, index) => ({
    ...one,
    openedAt: index < opened ? '2026-11-24T08:15:00Z' : null,
  })),
});

async function ask(opened: number): Promise<void> {
  await openPage('/admin/settings?tab=providers', {
    as: 'admin',
    answers: { 'providers.applications.check': checked(opened) },
  });
  await entry.getByRole('button', { name: 'Approve' }).click();
}

test('blocks approval until every document was opened', async () => {
  await ask(1);
  await expect.element(dialog.getByText('You haven’t opened it yet')).toBeVisible();
  await expect.element(dialog.getByText(/^You opened it on/)).toBeVisible();
  await approve.click();
  await expect.element(dialog.getByText('Open every document first')).toBeVisible();
  expect(askedFor('providers.applications.approve')).toEqual([]);
  await expectFair('approving an application');
});

test('shows credentials first, and the rest of an application on request', async () => {
  await openPage('/admin/settings?tab=providers', { as: 'admin' });
  await expect.element(entry.getByText(waiting.credential.issuer)).toBeVisible();
  await expect.element(entry.getByText(waiting.bio)).not.toBeVisible();
  await entry.getByText('Show details').click();
  await expect.element(entry.getByText(waiting.bio)).toBeVisible();
  await expectFair('an application with its details');
});

test('moves an approved application to the Approved tab, where it can be revoked', async () => {
  await ask(2);
  await expect.element(dialog.getByText(/^You opened it on/).first()).toBeVisible();
  expect(dialog.getByText('You haven’t opened it yet').query()).toBe(null);
  await pressWith(approve, {
    'providers.applications.approve': { id: waiting.id, status: 'approved' },
    'providers.applications.list': ({ status }: { status: string }) => ({
      ...none,
      applications: status === 'approved' ? [approved] : [],
      counts: { pending: 0, approved: 1, rejected: 0 },
    }),
  });
  await expect.element(page.getByText('Provider Approved', { exact: true }).first()).toBeVisible();
  await expect
    .element(page.getByText('The provider has been approved and can now access the platform.').first())
    .toBeVisible();
  await expect.element(entry).not.toBeInTheDocument();
  await page.getByRole('tab', { name: 'Approved (1)' }).click();
  await expect.element(entry).toMatchTextContent('Approved');
  await expect.element(entry.getByRole('button', { name: /^Revoke approval/ })).toBeVisible();
  await expectFair('applications that were approved');
  await expect
    .poll(() => askedFor('providers.applications.approve'))
    .toMatchObject([{ applicationId: waiting.id }]);
});
