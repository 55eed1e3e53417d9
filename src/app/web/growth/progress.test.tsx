import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { unreachable, pressWith } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const path = '/profile?tab=progress';
const recorded = recordedFor('client')['growth.progress.mine'];
const nothing = {
  ...recorded,
  sessionsCompleted: 0,
  daysActive: 0,
  resourcesUsed: 0,
  goalsAchieved: 0,
  months: recorded.months.map(({ month }) => ({ month, sessions: 0, activeDays: 0 })),
};
const panel = page.getByRole('tabpanel', { name: 'Progress' });
const figures = () =>
  panel
    .getByRole('definition')
    .elements()
    .map(({ textContent }) => textContent);

test('shows four stats and a table of the last twelve months', async () => {
  await openPage(path, { as: 'client' });
  for (const label of ['Sessions completed', 'Days active', 'Resources used', 'Goals achieved'])
    await expect.element(panel.getByText(label, { exact: true })).toBeVisible();
  await expect.poll(figures).toEqual(['5', '16', '8', '1']);
  const table = panel.getByRole('table', { name: 'Last 12 months' });
  await expect.element(table.getByRole('row', { name: 'November 2026 2 9' })).toBeInTheDocument();
  await expectFair('progress');
});

test('shows zeros and a hint before any activity', async () => {
  await openPage(path, { as: 'client', answers: { 'growth.progress.mine': nothing } });
  await expect
    .element(page.getByText('Your first session, journal entry, or step will appear here.'))
    .toBeVisible();
  await expect.poll(figures).toEqual(['0', '0', '0', '0']);
  await expectFair('no progress yet');
});

test('shows a retry when progress can’t be loaded', { tags: ['long'] }, async () => {
  await openPage('/growth?tab=progress', { as: 'client', answers: { 'growth.progress.mine': unreachable } });
  const failed = page.getByText('We couldn’t load this.');
  await expect.element(failed).toBeVisible();
  await expectFair('progress that can’t be loaded');
  await pressWith(page.getByRole('button', { name: 'Try again' }), { 'growth.progress.mine': recorded });
  await expect.poll(figures).toEqual(['5', '16', '8', '1']);
  await expect.element(failed).not.toBeInTheDocument();
});
