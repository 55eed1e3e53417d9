import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { desktop, expectFair, phone } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const log = recordedFor('admin')['audit.list'];
const none = { ...log, entries: [], more: false };

const table = page.getByRole('table', { name: 'Recent Activities' });
const nothing = page.getByText('No matching entries', { exact: true });
const to = page.getByLabelText('To', { exact: true });

async function openLog(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await openPage('/admin/settings?tab=audit', { as: 'admin', answers });
}

test('is accessible with and without entries', { tags: ['long'] }, async () => {
  await openLog();
  await expect.element(table).toBeVisible();
  await expectFair('the audit log');
  answer({ 'audit.list': none });
  await to.fill('2020-01-01');
  await expect.element(nothing).toBeVisible();
  await expectFair('a filter that nothing fits');
});

test('counts actions in cards and by category', async () => {
  await openLog();
  const columns = table.getByRole('columnheader');
  await expect
    .poll(() => columns.elements().map((one) => one.textContent))
    .toEqual(['Timestamp', 'User', 'Action', 'Category', 'Details', 'IP Address', 'Status']);
  const figures = recordedFor('admin')['audit.figures'];
  const counts = [
    figures.total,
    figures.successful,
    figures.failed,
    figures.activeUsers,
    ...Object.values(figures.categories),
  ];
  await expect
    .poll(() =>
      page
        .getByRole('main')
        .getByRole('definition')
        .elements()
        .map((one) => Number(one.textContent)),
    )
    .toEqual(counts);
});

test(
  'shows entries in a few lines on phones, with the rest behind a button',
  { tags: ['long'] },
  async () => {
    await page.viewport(phone.width, phone.height);
    try {
      await openLog();
      const entry = table.getByRole('row').nth(1);
      await expect.element(entry).toBeVisible();
      expect(entry.element().getBoundingClientRect().height).toBeLessThan(90);
      await expect.poll(() => entry.getByRole('cell').elements()).toHaveLength(3);
      await press(entry.getByRole('button', { name: 'Show details' }));
      await expect.poll(() => entry.getByRole('cell').elements()).toHaveLength(6);
      await expectFair('an open entry');
    } finally {
      await page.viewport(desktop.width, desktop.height);
    }
  },
);

test('exports the filtered entries, and reports a failure', { tags: ['long'] }, async () => {
  await openLog({ 'audit.export': refusal(500, 'unexpected') });
  await page.getByLabelText('Category', { exact: true }).selectOptions('Security');
  await page.getByRole('button', { name: 'Export Logs' }).click();
  await page.getByRole('menuitem', { name: 'JSON for programs' }).click();
  await expect.element(page.getByText('We couldn’t start the export').first()).toBeVisible();
  await expect.poll(() => askedFor('audit.export')).toMatchObject([{ category: 'security', format: 'json' }]);
});

test('shows a retry when the log can’t be loaded', { tags: ['long'] }, async () => {
  await openLog();
  await expect.element(table).toBeVisible();
  answer({ 'audit.list': unreachable });
  await page.getByPlaceholder('Search logs...').fill('something else that is asked for');
  const failed = page.getByRole('alert').filter({ hasText: 'We couldn’t load the log' });
  await expect.element(failed).toBeVisible();
  await pressWith(failed.getByRole('button', { name: 'Try again' }), { 'audit.list': none });
  await expect.element(nothing).toBeVisible();
});

test('filters by category and dates, and rejects a reversed range', async () => {
  await openLog();
  await page.getByLabelText('Category', { exact: true }).selectOptions('User management');
  await page.getByLabelText('From', { exact: true }).fill('2026-11-20');
  await expect
    .poll(() => askedFor('audit.list').at(-1))
    .toMatchObject({ category: 'user_management', from: expect.stringMatching(/^2026-11-20T/) as string });
  await to.fill('2026-11-17');
  await expect.element(page.getByText('Choose a date on or after the first day.')).toBeVisible();
});

test('loads older entries after the last one', async () => {
  await openLog();
  await expect.element(table).toBeVisible();
  const last = log.entries.at(-1)!;
  const older = { ...last, id: '01a20ca3-0000-7000-8000-000000000001', at: '2026-11-01T08:00:00Z' };
  await pressWith(page.getByRole('button', { name: 'Show more' }), {
    'audit.list': { ...log, entries: [older], more: false },
  });
  await expect
    .poll(() => askedFor('audit.list').at(-1))
    .toMatchObject({ beforeAt: last.at, beforeId: last.id });
  await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
  await expect.poll(() => table.getByRole('row').elements()).toHaveLength(log.entries.length + 2);
});

test('counts new entries, and shows them on request by keyboard', { tags: ['long'] }, async () => {
  await openLog();
  await expect.element(table).toBeVisible();
  const [first] = log.entries;
  const fresh = {
    ...first!,
    id: '01a20ca4-ffff-7000-8000-000000000001',
    at: '2026-11-24T08:30:00Z',
    address: '192.0.2.7',
  };
  answer({ 'audit.list': { ...log, entries: [fresh, ...log.entries] } });
  tellPage({ type: 'audit.sealed' });
  const news = page.getByRole('status').filter({ hasText: /new entr/ });
  await expect.element(news).toBeVisible();
  await expect.element(table).not.toMatchTextContent('192.0.2.7');
  await press(news.getByRole('button', { name: 'Show' }));
  await expect.element(table).toMatchTextContent('192.0.2.7');
  await expect.element(news).not.toBeInTheDocument();
});
