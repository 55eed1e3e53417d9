import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, refusal, unreachable, pressWith } from '../../../../tests/components/answers.ts';
import { expectFair, phone } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const overview = recordedFor('admin')['backups.overview'];
const [scheduled] = overview.backups;
const asked = {
  ...scheduled!,
  id: '01a20ca4-0000-7000-8000-000000000001',
  origin: 'person',
  by: 'iTalk Administrator',
  fileName: 'italk-2026-11-24T082100Z-0b1c2d3e.backup',
  kept: true,
};
const and = (backup: object, more: object = {}) => ({
  ...overview,
  backups: [{ ...asked, ...backup }, scheduled!],
  ...more,
});
const waiting = and({
  state: 'waiting',
  startedAt: null,
  finishedAt: null,
  bytes: 0,
  fileName: null,
  kept: false,
});

const panel = page.getByRole('region', { name: 'Backups' });
const rows = panel.getByRole('row');
const unfold = () => panel.getByText(/^\d+ backups?, (from|latest) /).click();
const backUp = panel.getByRole('button', { name: /^Back(?:ing)? up/ });
const deletion = panel.getByRole('button', { name: /^Delete the backup from / });
const question = page.getByRole('alertdialog', { name: 'Delete this backup?' });

async function openPanel(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await openPage('/admin/settings?tab=settings', { as: 'admin', answers });
}

test('shows when backups run and where they are stored, without links to their files', async () => {
  await openPanel();
  await expect.element(panel).toMatchTextContent(/Backups run every day\. The next one is due /);
  await unfold();
  await expect.element(panel).toMatchTextContent(overview.folder);
  await expect.element(panel).toMatchTextContent(scheduled!.fileName);
  await expect.element(rows.filter({ hasText: 'Automatic' })).toMatchTextContent('Done');
  await expect.element(deletion).not.toBeInTheDocument();
  await expect.element(panel.getByRole('link')).not.toBeInTheDocument();
  await expectFair('the backups');
});

test('shows a retry when backups can’t be loaded', async () => {
  await openPanel({ 'backups.overview': unreachable });
  const again = panel.getByRole('button', { name: 'Try again' });
  await expect.element(again).toBeVisible();
  await pressWith(again, { 'backups.overview': overview });
  await unfold();
  await expect.element(rows.filter({ hasText: 'Automatic' })).toBeVisible();
});

test('takes one by keyboard, shows progress, and keeps the focus', { tags: ['long'] }, async () => {
  await openPanel({
    'backups.request': () => {
      answer({ 'backups.overview': waiting });
      return waiting.backups[0];
    },
  });
  await expect.element(backUp).toHaveTextContent('Back up now');
  await press(backUp);
  await expect.element(panel.getByRole('status')).not.toBeEmptyDOMElement();
  answer({ 'backups.overview': and({}) });
  tellPage({ type: 'backups.changed' });
  await expect.element(backUp).toHaveTextContent('Back up now');
  await expect.element(backUp).toHaveFocus();
  await unfold();
  await expect.element(rows.filter({ hasText: 'iTalk Administrator' })).toMatchTextContent('Done');
});

test('shows progress of a backup another administrator just started', async () => {
  await openPanel({
    'backups.request': () => {
      answer({ 'backups.overview': waiting });
      return refusal(409, 'conflict', 'backup_under_way');
    },
  });
  await backUp.click();
  await expect.element(panel.getByRole('status')).not.toBeEmptyDOMElement();
});

test('asks before deleting a requested backup', { tags: ['long'] }, async () => {
  await openPanel({ 'backups.overview': and({}) });
  await unfold();
  await deletion.click();
  await expect.element(question).toBeVisible();
  await expectFair('the question before a backup is deleted');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(deletion).toHaveFocus();
  expect(askedFor('backups.remove')).toEqual([]);
  const removed = and({ removed: true, kept: false });
  answer({
    'backups.remove': () => {
      answer({ 'backups.overview': removed });
      return removed.backups[0];
    },
  });
  await deletion.click();
  await question.getByRole('button', { name: 'Delete backup' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(rows.filter({ hasText: 'iTalk Administrator' })).toMatchTextContent('Deleted');
  await expect.poll(() => askedFor('backups.remove')).toMatchObject([{ backupId: asked.id }]);
});

test('shows why the last one failed, and when the last complete one was taken', async () => {
  const failed = { state: 'failed', reason: 'folder', fileName: null, kept: false };
  await openPanel({ 'backups.overview': and(failed, { failures: 1 }) });
  const alert = panel.getByRole('alert');
  for (const said of [
    'The last backup failed',
    'We can’t write to the backup folder.',
    'The last complete backup started',
  ])
    await expect.element(alert).toMatchTextContent(said);
  await expectFair('a backup that failed');
});

test('folds the list on phones to the number of backups and the latest', async () => {
  await page.viewport(phone.width, phone.height);
  await openPanel({ 'backups.overview': and({}) });
  const fold = panel.getByText(/^2 backups, latest /);
  await expect.element(fold).toBeVisible();
  await expect.element(panel.getByText(asked.fileName)).not.toBeVisible();
  await fold.click();
  await expect.element(panel.getByText(asked.fileName)).toBeVisible();
});
