import { expect, reauthenticate, test } from './support/fixtures.ts';
import { becomeAdministrator } from './support/people.ts';

test('requests a backup, sees it finish and deletes it', { tag: '@long' }, async ({ page, product }) => {
  await becomeAdministrator(page, product, 'Lydia Keeper');
  await reauthenticate(page);
  await page.goto('/admin/settings?tab=settings');
  const panel = page.getByRole('region', { name: 'Backups' });
  const rows = panel.getByRole('row');
  await panel.getByText(/^\d+ backups?, (from|latest) /).click();
  // The first backup runs automatically.
  await expect(rows.filter({ hasText: 'Automatic' }).getByText('Done')).toBeVisible();
  await panel.getByRole('button', { name: 'Back up now' }).click();
  const own = rows.filter({ hasText: 'Lydia Keeper' });
  await expect(own.getByText('Done')).toBeVisible();

  // Backup files have no public URL.
  const name = /italk-[\w-]+\.backup/.exec((await own.textContent())!)![0];
  for (const path of [`/api/backups/${name}`, `/files/${name}`, `/backups/${name}`])
    expect((await page.request.get(path)).status()).toBe(404);

  await own.getByRole('button', { name: /^Delete the backup from / }).click();
  await page
    .getByRole('alertdialog', { name: 'Delete this backup?' })
    .getByRole('button', { name: 'Delete backup' })
    .click();
  await expect(own.getByText('Deleted')).toBeVisible();
});
