import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const recorded = recordedFor('admin');
const report = recorded['analytics.report'];

const from = page.getByLabelText('First day');
const to = page.getByLabelText('Last day');
const show = page.getByRole('button', { name: 'Show', exact: true });

test('passes accessibility checks on the analytics page', async () => {
  await openPage('/admin/analytics', { as: 'admin' });
  await expect.element(from).toBeVisible();
  await expectFair('the analytics');
});

test('reports parts that can’t be loaded, and loads them on Refresh Data', { tags: ['long'] }, async () => {
  const parts = ['overview', 'activity', 'report', 'health'].map((part) => `analytics.${part}` as const);
  await openPage('/admin/analytics', {
    as: 'admin',
    answers: Object.fromEntries(parts.map((part) => [part, unreachable])),
  });
  await expect.element(page.getByText('We couldn’t load the stats')).toBeVisible();
  await expect.element(page.getByText('We couldn’t load the recent activity')).toBeVisible();
  await expect.element(page.getByText('We couldn’t check system health')).toBeVisible();
  await pressWith(page.getByRole('button', { name: 'Refresh Data' }), {
    'analytics.overview': recorded['analytics.overview'],
    'analytics.activity': recorded['analytics.activity'],
    'analytics.report': report,
    'analytics.health': recorded['analytics.health'],
  });
  await expect.element(page.getByRole('region', { name: 'In this period' })).toBeVisible();
});

for (const [first, last, said, field] of [
  ['', '2026-11-24', 'Choose the first day.', from],
  ['2026-11-21', '', 'Choose the last day.', to],
  ['2026-11-21', '2026-11-19', 'The first day can’t be after the last.', from],
  ['2026-11-21', '2026-11-26', 'The last day can’t be in the future.', to],
  ['2022-11-24', '2026-11-24', 'Choose up to three years.', from],
  ['1999-12-31', '2000-02-01', 'Choose a first day in 2000 or later.', from],
] as const)
  test(`keeps an invalid date range and shows: ${said}`, async () => {
    await openPage('/admin/analytics', { as: 'admin' });
    await from.fill(first);
    await to.fill(last);
    await show.click();
    await expect.element(page.getByText(said)).toBeVisible();
    await expect.element(field).toHaveFocus();
    await expect.element(from).toHaveValue(first);
    await expect.element(to).toHaveValue(last);
    await expect.poll(address).toBe('/admin/analytics');
  });

test('shows the selected date range, stores it in the URL, and exports no other', async () => {
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
  const october = { from: '2026-10-01', to: '2026-10-31' };
  await openPage('/admin/analytics', { as: 'admin' });
  const exporting = page.getByRole('button', { name: 'Export Report' });
  await expect.element(exporting).toBeEnabled();
  await from.fill(october.from);
  await to.fill(october.to);
  answer({
    'analytics.report': async () => {
      await loaded;
      return { ...report, ...october };
    },
  });
  await show.click();
  await expect.poll(address).toBe('/admin/analytics?from=2026-10-01&to=2026-10-31');
  await expect.poll(() => askedFor('analytics.report').at(-1)).toMatchObject(october);
  await expect.element(exporting).toBeDisabled();
  load();
  await expect.element(exporting).toBeEnabled();
});

test('falls back to the last six months for an invalid date range in the URL', async () => {
  await openPage('/admin/analytics?from=2026-02-30&to=soon', {
    as: 'admin',
    answers: {
      'analytics.report': (input: { from?: string }) => (input.from ? refusal(400, 'invalid') : report),
    },
  });
  await expect.element(page.getByText('This link’s dates aren’t valid')).toBeVisible();
  await expect
    .element(page.getByRole('button', { name: 'Six months' }))
    .toHaveAttribute('aria-pressed', 'true');
});

test('shows stat cards, and each month beside the one before', async () => {
  await openPage('/admin/analytics', { as: 'admin' });
  const figureOf = (region: string, name: string) =>
    page.getByRole('region', { name: region }).getByRole('term').filter({ hasText: name }).element()
      .parentElement!;
  for (const [region, name, said] of [
    ['Key stats', 'Total Users', '20'],
    ['Key stats', 'Sessions This Month', '70'],
    ['Key stats', 'Provider Utilization', '4%'],
    ['In this period', 'Active Providers', '4'],
    ['In this period', 'Avg Session Rating', '4.9'],
    ['In this period', 'Avg Session Duration', '65 min'],
    ['In this period', 'User Satisfaction', '100%'],
  ] as const)
    await expect.poll(() => figureOf(region, name).textContent).toContain(said);
  const table = page.getByRole('table', { name: 'Sessions and users by month' });
  await expect.element(table.getByRole('row').nth(1)).toMatchTextContent('Nov 202670');
  await expect
    .element(page.getByRole('link', { name: 'Back to Dashboard' }))
    .toHaveAttribute('href', '/home');
});

test('selects twelve months with one click, and recounts on Refresh Data', async () => {
  const answers = {
    'analytics.report': (input: { from?: string; to?: string }) => ({ ...report, ...input }),
  };
  await openPage('/admin/analytics', { as: 'admin', answers });
  await page.getByRole('button', { name: 'Twelve months' }).click();
  await expect.poll(address).toContain('from=2025-12-01');
  await expect
    .element(page.getByRole('button', { name: 'Twelve months' }))
    .toHaveAttribute('aria-pressed', 'true');
  await pressWith(page.getByRole('button', { name: 'Refresh Data' }), {
    'analytics.report': (input: object) => ({ ...report, ...input, sessionMinutes: 50 }),
  });
  await expect.element(page.getByRole('status').filter({ hasText: 'Updated at' })).toBeInTheDocument();
  await expect.element(page.getByRole('region', { name: 'In this period' })).toMatchTextContent('50 min');
});

test('describes system health in words, and what to do about a problem', { tags: ['long'] }, async () => {
  const health = recorded['analytics.health'];
  await openPage('/admin/analytics', {
    as: 'admin',
    answers: { 'analytics.health': { ...health, percent: 86, errors: { well: false, lastHour: 3 } } },
  });
  const parts = page.getByRole('region', { name: 'System Health' }).getByRole('listitem');
  await expect.poll(() => parts.elements()).toHaveLength(8);
  for (const [part, said] of [
    ['Database', /Responds in \d+ ms/],
    ['Disk', /of \d+ GB are free/],
    ['Backups', /The last complete backup is .+ old/],
    ['Errors', '3 requests failed in the last hour. See “a request failed” in the log.'],
    ['Errors', 'Needs attention'],
  ] as const)
    await expect.element(parts.filter({ hasText: part }).first()).toMatchTextContent(said);
  await expectFair('a system that needs attention');
});

test('shows each scheduled task with its interval, last run and failure', async () => {
  const health = recorded['analytics.health'];
  const tasks = health.schedules.tasks.map((task) =>
    task.name === 'tidy' ? { ...task, failing: true, failedAt: task.endedAt } : task,
  );
  await openPage('/admin/analytics', {
    as: 'admin',
    answers: { 'analytics.health': { ...health, percent: 88, schedules: { well: false, tasks } } },
  });
  const part = page
    .getByRole('region', { name: 'System Health' })
    .getByRole('listitem')
    .filter({ hasText: 'Scheduled tasks' });
  await expect
    .element(part)
    .toMatchTextContent('The last run failed: Cleanup. It will run again on schedule.');
  await part.getByText('Show all tasks').click();
  await expect.poll(() => part.getByRole('term').elements()).toHaveLength(tasks.length);
  await expect.element(part.getByRole('term').first()).toMatchTextContent('CleanupNeeds attention');
  const said = part.getByRole('definition');
  await expect
    .element(said.first())
    .toMatchTextContent(/^Runs every hour\. The last run failed at \d?\d:\d\d [AP]M\.$/);
  await expect
    .element(said.nth(1))
    .toMatchTextContent(/^Runs every 5 seconds\. The last run ended at \d?\d:\d\d [AP]M, after \d+ ms\.$/);
  await expectFair('scheduled tasks');
});

test(
  'welcomes on the overview with stats, and updates recent activity live',
  { tags: ['long'] },
  async () => {
    await openPage('/admin/settings', { as: 'admin' });
    await expect.element(page.getByRole('heading', { level: 2, name: /^Welcome, / })).toBeVisible();
    const figures = page.getByRole('region', { name: 'Key stats' });
    await expect
      .poll(() =>
        figures
          .getByRole('term')
          .elements()
          .map((term) => term.textContent),
      )
      .toEqual(['Total Users', 'Active Providers', 'Pending Approvals', 'Active Sessions']);
    await expect.element(figures).toMatchTextContent('last month');
    const recent = page.getByRole('region', { name: 'Recent Activity' });
    await expect.element(recent.getByRole('listitem').first()).toBeVisible();
    const [latest, ...others] = recorded['analytics.activity'];
    answer({
      'analytics.activity': [
        { ...latest!, id: crypto.randomUUID(), actor: { kind: 'person', name: 'Priscilla New' } },
        ...others,
      ],
    });
    await expect.element(recent).toMatchTextContent('Priscilla New');
  },
);

test('links to common tasks from the overview, and is accessible', async () => {
  await openPage('/admin/settings', { as: 'admin' });
  const actions = page.getByRole('region', { name: 'Quick Actions' });
  for (const [action, href] of [
    ['Review Pending Providers', '/admin/settings?tab=providers'],
    ['Manage User Roles', '/admin/settings?tab=users'],
    ['Configure Features', '/admin/settings?tab=features'],
    ['View Analytics', '/admin/analytics'],
  ] as const)
    await expect.element(actions.getByRole('link', { name: action })).toHaveAttribute('href', href);
  await expectFair('the overview');
});

test(
  'shows four stats and links on the administrator’s dashboard, and is accessible',
  { tags: ['long'] },
  async () => {
    await openPage('/home', { as: 'admin' });
    const figures = page.getByRole('region', { name: 'Your stats' });
    await expect
      .poll(() =>
        figures
          .getByRole('term')
          .elements()
          .map((term) => term.textContent),
      )
      .toEqual(['Pending Approvals', 'Active Providers', 'Total Users', 'System Health']);
    await expect.element(figures.getByRole('definition').first()).toMatchTextContent('2');
    const tiles = page.getByRole('region', { name: 'Manage', exact: true });
    for (const [tile, href] of [
      ['System Settings', '/admin/settings'],
      ['Analytics', '/admin/analytics'],
      ['Add Provider', '/admin/add-provider'],
    ] as const)
      await expect.element(tiles.getByRole('link', { name: tile })).toHaveAttribute('href', href);
    await expectFair('the administrator’s dashboard');
  },
);
