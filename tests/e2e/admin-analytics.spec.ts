import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { becomeSpecialist, bookDirectly, offeredTimes } from './support/booking.ts';
import { expect, forgetSession, signIn, someone, test } from './support/fixtures.ts';

test.use({ reducedMotion: 'reduce' });

const day = (date: Temporal.PlainDate) => date.toString();

/** The site's day: its time zone is the setting's. */
const siteToday = () => Temporal.Now.plainDateISO('America/New_York');

function figure(page: Page, region: string, name: string) {
  return page
    .getByRole('region', { name: region })
    .locator('dl > div')
    .filter({ has: page.getByRole('term').filter({ hasText: name }) })
    .getByRole('definition');
}

test('the overview welcomes, counts, tells what is done as it happens, and leads on', async ({
  page,
  open,
  product,
}) => {
  await signIn(page, 'admin');
  await page.goto('/admin/settings');
  await expect(page.getByRole('heading', { level: 2, name: /^Welcome, / })).toBeVisible();
  const figures = page.getByRole('region', { name: 'Figures of the place' });
  await expect(figures.getByRole('term')).toHaveText([
    'Total Users',
    'Active Providers',
    'Pending Approvals',
    'Active Sessions',
  ]);
  for (const name of ['Total Users', 'Active Providers', 'Pending Approvals', 'Active Sessions'])
    await expect(figure(page, 'Figures of the place', name).nth(1)).toHaveText(/last month/);
  const [held] = await product.query<{ providers: number; pending: number }>(
    `select (select count(*)::int from providers where listed) as providers,
       (select count(*)::int from provider_applications where status = 'pending') as pending`,
  );
  await expect(figure(page, 'Figures of the place', 'Active Providers').first()).toHaveText(
    String(held!.providers),
  );
  await expect(figure(page, 'Figures of the place', 'Pending Approvals').first()).toHaveText(
    String(held!.pending),
  );

  // Somebody signs in elsewhere, and it stands here by itself.
  const recent = page.getByRole('region', { name: 'Recent Activity' });
  await expect(recent.getByRole('listitem').first()).toBeVisible();
  const [name, email] = [`Priscilla ${Date.now().toString(36)}`, someone('priscilla')];
  const theirs = await open();
  await signIn(theirs, email);
  await product.query(
    'update profiles set full_name = $2 from users where users.id = profiles.id and email = $1',
    [email, name],
  );
  await expect(recent.getByRole('listitem').filter({ hasText: name }).first()).toBeVisible({
    timeout: 20_000,
  });

  const actions = page.getByRole('region', { name: 'Quick Actions' });
  await actions.getByRole('link', { name: 'View Analytics' }).click();
  await expect(page).toHaveURL('/admin/analytics');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analytics');
});

test('the analytics count over any days; Refresh Data counts what has come since', async ({
  page,
  open,
  product,
}) => {
  const theirs = await open({ timezoneId: 'America/New_York' });
  const ada = await becomeSpecialist(theirs, product);
  await forgetSession(theirs);
  await signIn(page, 'admin');
  await page.goto('/admin/analytics');
  for (const name of ['Total Users', 'Sessions This Month', 'Provider Utilization'])
    await expect(figure(page, 'Figures of the place', name).first()).toHaveText(/^[\d,]+%?$/);
  for (const name of ['Active Providers', 'Avg Session Rating', 'Avg Session Duration', 'User Satisfaction'])
    await expect(figure(page, 'In these days', name).first()).toHaveText(/\d/);

  // The table says what the bars show: a session of a day five years ago alone, which nobody else's test has.
  const year = siteToday().year - 5;
  await signIn(theirs, someone());
  const times = await offeredTimes(theirs, product, ada);
  const id = await bookDirectly(theirs, ada, times[1]!);
  await page.getByLabel('First day').fill(`${year}-01-10`);
  await page.getByLabel('Last day').fill(`${year}-03-20`);
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page).toHaveURL(`/admin/analytics?from=${year}-01-10&to=${year}-03-20`);
  await page.getByText('Show these figures as a table').click();
  const table = page.getByRole('table', { name: 'Sessions and users by month' });
  const rows = () => table.getByRole('row').allInnerTexts();
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect
    .poll(async () => (await rows()).slice(1).map((row) => row.split('\t').slice(0, 2)))
    .toEqual([
      [`March ${year}`, '0'],
      [`February ${year}`, '0'],
      [`January ${year}`, '0'],
    ]);
  await product.query(
    `update appointments set status = 'completed', starts_at = $2, ends_at = $2::timestamptz + interval '1 hour',
       blocked_until = $2::timestamptz + interval '1 hour' where id = $1`,
    [id, new Date(`${year}-02-10T15:00Z`)],
  );
  await page.getByRole('button', { name: 'Refresh Data' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The figures are as of' })).toBeVisible();
  await expect(table.getByRole('row').nth(2)).toHaveText(`February ${year}10`);
  await expect(figure(page, 'In these days', 'Avg Session Duration').first()).toHaveText('60 min');
  await product.query('delete from participants where appointment_id = $1', [id]);

  // A range by a press; what the address says is shown after a reload, too.
  await page.getByRole('button', { name: 'Twelve months' }).click();
  await expect(table.getByRole('row')).toHaveCount(13);
  await expect(page.getByRole('button', { name: 'Twelve months' })).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Twelve months' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page).toHaveURL('/home');
});

test('the report is given out as a spreadsheet and to print, and the log says so', async ({
  page,
  product,
}) => {
  await signIn(page, 'admin');
  const last = siteToday().subtract({ months: 1 }).with({ day: 1 });
  await page.goto(`/admin/analytics?from=${day(last)}&to=${day(last)}`);
  const save = async (item: string) => {
    await page.getByRole('button', { name: 'Export Report' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const sheet = await save('As a spreadsheet (CSV)');
  expect(sheet.name).toBe(`italk-analytics-${day(last)}-${day(last)}.csv`);
  const text = sheet.bytes.toString('utf8');
  expect(text).toContain(`First day,${day(last)}\r\n`);
  expect(text).toMatch(new RegExp(`${day(last).slice(0, 7)},\\d+,\\d+\r\n$`));
  const paper = await save('To print (PDF)');
  expect(paper.name).toMatch(/\.pdf$/);
  expect(paper.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const entries = await product.query<{ details: { format: string } }>(
    `select details from audit_entries where action = 'analytics.exported' and details->>'from' = $1 order by at`,
    [day(last)],
  );
  expect(entries.map(({ details }) => details.format)).toEqual(['csv', 'pdf']);

  // Nobody else gets it, whoever knows the address.
  await forgetSession(page);
  await signIn(page, 'client');
  expect((await page.request.get('/api/analytics/report.csv')).status()).toBe(403);
});

test('the system’s health is measured: what is wrong stands in words, with what to do', async ({
  page,
  product,
}) => {
  await signIn(page, 'admin');
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  await page.goto('/admin/analytics');
  const health = page.getByRole('region', { name: 'System Health' });
  await expect(health.getByRole('listitem')).toHaveCount(7);
  for (const part of ['Database', 'Jobs', 'Email', 'Disk', 'Backups', 'Audit log', 'Errors'])
    await expect(health).toContainText(part);
  await expect(health).toContainText(/The last whole backup is .+ old|There is no whole backup yet/);
  await expect(health).toContainText(/Answers in \d+ ms/);
  await expect(health).toContainText(/of \d+ GB are free/);
  // The demo runs under an account of its own.
  await expect(health).not.toContainText('DATABASE_OWNER_URL');
  await product.query(
    `insert into failed_answers values ($1, 3) on conflict (minute) do update set count = failed_answers.count + 3`,
    [minute],
  );
  try {
    await page.getByRole('button', { name: 'Refresh Data' }).click();
    const errors = health.getByRole('listitem').filter({ hasText: 'Errors' });
    await expect(errors).toContainText(/[3-9] answers failed in the last hour\. The log says why/);
    await expect(errors).toContainText('Needs attention');
    await page.goto('/home');
    const card = figure(page, 'Your figures', 'System Health');
    await expect(card.first()).toHaveText(/^\d+%$/);
    await expect(card.nth(1)).toContainText('Needs attention: ');
    await expect(card.nth(1)).toContainText('Errors');
  } finally {
    await product.query('update failed_answers set count = count - 3 where minute = $1', [minute]);
  }
});
