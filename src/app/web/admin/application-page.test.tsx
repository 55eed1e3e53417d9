import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { refusal, unreachable, retryWith } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const [waiting] = recordedFor('admin')['providers.applications.list'].applications;
const checked = {
  ...waiting!,
  expired: false,
  documents: waiting!.documents.map((one) => ({ ...one, openedAt: null })),
};
const main = page.getByRole('main');

async function openApplication(shown: unknown): Promise<void> {
  await openPage(`/admin/applications/${waiting!.id}`, {
    as: 'admin',
    answers: { 'providers.applications.check': shown },
  });
}

test('shows an application with its decisions and its person', async () => {
  await openApplication(checked);
  await expect
    .element(main.getByRole('link', { name: waiting!.name }))
    .toHaveAttribute('href', `/admin/people/${waiting!.personId}`);
  await expect.element(main.getByRole('button', { name: 'Approve' })).toBeVisible();
  await expectFair('an application’s page');
});

test('says when there is no such application, and retries what couldn’t be loaded', async () => {
  await openApplication(refusal(404, 'not_found', 'application'));
  await expect
    .element(main.getByRole('heading', { level: 1 }))
    .toHaveTextContent('We couldn’t find this application');
  await openApplication(unreachable);
  const again = main.getByRole('button', { name: 'Try again' });
  await expect.element(again).toBeVisible();
  await retryWith(again, { 'providers.applications.check': { ...checked, status: 'approved' } });
  await expect.element(main.getByRole('button', { name: /^Revoke approval/ })).toBeVisible();
});
