import { readFile } from 'node:fs/promises';
import { expect, test } from './support/fixtures.ts';
import { becomeAdministrator } from './support/people.ts';

/** Today in the site's configured time zone. */
const siteToday = () => Temporal.Now.plainDateISO('America/New_York');

test(
  'opens analytics from the overview, and exports the report for spreadsheet and print',
  { tag: '@long' },
  async ({ page, product }) => {
    await becomeAdministrator(page, product);
    await page.goto('/admin/settings');
    await page
      .getByRole('region', { name: 'Quick Actions' })
      .getByRole('link', { name: 'View Analytics' })
      .click();
    await expect(page).toHaveURL('/admin/analytics');
    await expect(page.getByRole('region', { name: 'System Health' }).getByRole('listitem')).toHaveCount(8);

    const day = siteToday().subtract({ months: 1 }).with({ day: 1 }).toString();
    await page.getByLabel('First day').fill(day);
    await page.getByLabel('Last day').fill(day);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(page).toHaveURL(`/admin/analytics?from=${day}&to=${day}`);
    const save = async (item: string) => {
      await page.getByRole('button', { name: 'Export Report' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ]);
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    };
    const sheet = await save('Spreadsheet (CSV)');
    expect(sheet.name).toBe(`italk-analytics-${day}-${day}.csv`);
    const text = sheet.bytes.toString('utf8');
    expect(text).toContain(`First day,${day}\r\n`);
    expect(text).toMatch(new RegExp(`${day.slice(0, 7)},\\d+,\\d+\r\n$`));
    const paper = await save('Printable (PDF)');
    expect(paper.name).toMatch(/\.pdf$/);
    expect(paper.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  },
);
