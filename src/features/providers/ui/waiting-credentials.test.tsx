import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const [waiting] = recordedFor('admin')['providers.credentials.waiting'];

const entry = page.getByRole('article', { name: `${waiting!.provider.name}’s credentials` });
const dialog = page.getByRole('alertdialog');

beforeEach(() => openPage('/admin/moderation?tab=credentials', { as: 'admin' }));

test('passes accessibility checks, and shows what a new value replaces', async () => {
  await expect.element(entry.getByText('Previously December 31, 2027')).toBeVisible();
  await expectFair('credentials that wait');
});

test('requires a reason to reject', async () => {
  await entry.getByRole('button', { name: 'Reject' }).click();
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect.element(dialog.getByLabelText('Reason')).toHaveFocus();
  expect(askedFor('providers.credentials.reject')).toEqual([]);
});

test('keeps focus on the page after the last one is approved', async () => {
  answer({
    'providers.credentials.approve': () => {
      answer({ 'providers.credentials.waiting': [] });
      return { id: waiting!.id, state: 'approved' };
    },
  });
  await entry.getByRole('button', { name: 'Approve' }).click();
  await expect.element(entry).not.toBeInTheDocument();
  await expect.poll(() => page.getByRole('main').element().contains(document.activeElement)).toBe(true);
});

test('reports that another administrator already decided', async () => {
  answer({
    'providers.credentials.reject': () => {
      answer({ 'providers.credentials.waiting': [] });
      return refusal(409, 'conflict', 'decided');
    },
  });
  await entry.getByRole('button', { name: 'Reject' }).click();
  await dialog.getByLabelText('Reason').fill('No.');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect.element(page.getByText('These credentials were already decided').first()).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(entry).not.toBeInTheDocument();
});

test('drops credentials that another administrator decided, on the Providers tab too', async () => {
  await openPage('/admin/settings?tab=providers', { as: 'admin' });
  await expect.element(entry).toBeVisible();
  answer({ 'providers.credentials.waiting': [] });
  tellPage({ type: 'providers.credentials_changed', id: waiting!.id });
  await expect.element(entry).not.toBeInTheDocument();
});
