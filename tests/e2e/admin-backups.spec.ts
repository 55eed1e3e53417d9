import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startProduct } from '../../scripts/product.ts';
import { expect, reauthenticate, signIn, test } from './support/fixtures.ts';
import { desktop, expectNoViolation, phone } from './support/look.ts';

/** Where this product's backups lie. */
let folder: string;

// Its backups are looked at on the disk, so it is nobody else's.
test.use({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      folder = await mkdtemp(join(tmpdir(), 'italk-e2e-'));
      const product = await startProduct({ env: { BACKUP_DIR: folder, LOG_LEVEL: 'fatal' } });
      await use(product);
      await product.stop();
      await rm(folder, { recursive: true });
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

const room = (page: Page) => page.getByRole('region', { name: 'Backups' });
const rows = (page: Page) => room(page).getByRole('row');
const button = (page: Page) => room(page).getByRole('button', { name: /^Back(?:ing)? up/ });

async function openRoom(page: Page): Promise<void> {
  await signIn(page, 'admin');
  await page.goto('/admin/settings?tab=settings');
  await expect(room(page).getByText('A backup is taken every day.')).toBeVisible();
}

test('an administrator sees what was backed up, has one taken now, and hears what went wrong', async ({
  page,
  product,
}) => {
  test.slow();
  await page.setViewportSize(desktop);
  await openRoom(page);
  // The first one was due at once.
  await expect(rows(page).filter({ hasText: 'By itself' }).getByText('Done')).toBeVisible();
  await expect(room(page).getByText(/^A backup is taken every day\. The next one is due /)).toBeVisible();
  await expect(room(page).getByText(folder)).toBeVisible();

  await expect(button(page)).toHaveText('Back up now');
  await button(page).press('Enter');
  await expect(rows(page).filter({ hasNotText: 'By itself' }).getByText('Done')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await expect(button(page)).toBeFocused();
  const files = async () => (await readdir(folder)).filter((name) => name.endsWith('.backup'));
  await expect.poll(files).toHaveLength(2);
  await expect(room(page).getByText((await files())[0]!)).toBeVisible();
  const audited = await product.query<{ action: string }>(
    `select action from audit_entries where action in ('backup.requested', 'backup.done') order by at, id`,
  );
  expect(audited.map(({ action }) => action)).toEqual(['backup.done', 'backup.requested', 'backup.done']);
  await expectNoViolation(page, 'the backups');

  // Only the one that was asked for can be deleted.
  const deletion = room(page).getByRole('button', { name: /^Delete the backup of / });
  await expect(deletion).toHaveCount(1);
  await deletion.click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete this backup?' });
  await expectNoViolation(page, 'the question before a backup is deleted');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(deletion).toBeFocused();
  await deletion.click();
  await reauthenticate(page);
  await dialog.getByRole('button', { name: 'Delete backup' }).click();
  await expect(dialog).toBeHidden();
  await expect(rows(page).filter({ hasNotText: 'By itself' }).getByText('Deleted')).toBeVisible();
  await expect(deletion).toHaveCount(0);
  await expect.poll(files).toHaveLength(1);

  // The folder is taken away, and something else stands in its place.
  const before = folder;
  await rm(before, { recursive: true });
  await writeFile(before, '');
  await expect(button(page)).toHaveText('Back up now');
  await button(page).click();
  const alert = room(page).getByRole('alert');
  await expect(alert).toContainText('The last backup failed');
  await expect(alert).toContainText('The folder for backups can’t be written.');
  await expect(alert).toContainText('The last whole backup was begun');
  await rm(before);
  await expect(button(page)).toHaveText('Back up now');
  await button(page).click();
  await expect(alert).toBeHidden();
  await page.setViewportSize(phone);
  await expect(rows(page).filter({ hasText: 'Failed' })).toBeVisible();
  await expectNoViolation(page, 'the backups');
});

test('whoever runs the place has no way to a backup’s file by the browser', async ({ page, product }) => {
  await openRoom(page);
  await expect(room(page).getByRole('link')).toHaveCount(0);
  await expect.poll(async () => (await readdir(folder)).some((name) => name.endsWith('.backup'))).toBe(true);
  const [name] = (await readdir(folder)).filter((one) => one.endsWith('.backup'));
  for (const path of [`/api/backups/${name}`, `/files/${name}`, `/backups/${name}`])
    expect((await page.request.get(`${product.url}${path}`)).status()).toBe(404);
});
