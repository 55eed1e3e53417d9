import { silence } from '../support/bytes.ts';
import { becomeSpecialist } from './support/booking.ts';
import { expect, test } from './support/fixtures.ts';
import { cards, idOf } from './support/library.ts';
import { becomeAdministrator } from './support/people.ts';

test(
  'publishes an author’s recording after approval, until it is taken down',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const title = 'A minute of rain';
    await becomeSpecialist(page, product);
    await page.goto('/author/new');
    await page.getByLabel('Title').fill(title);
    await page.getByRole('radio', { name: 'Audio', exact: true }).check();
    await page.getByLabel('Category').selectOption('Spiritual Struggles');
    await page.getByLabel('Description').fill('For people who are on the way, and tired.');
    await page.getByRole('radio', { name: 'File upload' }).check();
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'rain.wav', mimeType: 'audio/wav', buffer: silence() });
    await expect(page.getByText('rain.wav uploaded')).toBeVisible();
    // Uploading creates a draft with its own URL.
    await expect(page).toHaveURL(/\/author\/[0-9a-f-]{36}$/);
    await page.reload();
    await expect(page.getByText('Current file: rain.wav')).toBeVisible();
    await page.getByRole('button', { name: 'Send for approval' }).click();
    await expect(page).toHaveURL('/author');
    const own = page.getByRole('listitem').filter({ hasText: title });
    await expect(own).toContainText('Waiting for approval');

    const admin = await open({ baseURL: product.url });
    await becomeAdministrator(admin, product);
    await admin.goto('/admin/moderation?tab=resources');
    const waiting = admin.getByRole('listitem').filter({ hasText: title });
    await waiting.getByText('View content').click();
    await waiting.getByRole('button', { name: 'Approve' }).click();
    await expect(waiting).toBeHidden();
    // The author's page updates automatically.
    await expect(own).toContainText('Published');

    const guest = await open({ baseURL: product.url });
    await guest.goto('/resources?q=rain');
    await expect(cards(guest).filter({ hasText: title })).toBeVisible();
    await admin.goto(`/resources/${await idOf(guest, title)}`);
    await admin.getByRole('button', { name: 'Add to featured' }).click();
    await expect(admin.getByText('Added to featured', { exact: true })).toBeVisible();
    await guest.goto('/resources');
    await expect(
      guest.getByRole('region', { name: 'Featured Resources' }).getByRole('link', { name: title }),
    ).toBeVisible();
    await admin.getByRole('button', { name: 'Unpublish' }).click();
    const dialog = admin.getByRole('alertdialog');
    await dialog.getByLabel('Reason').fill('Its source isn’t named.');
    await dialog.getByRole('button', { name: 'Unpublish' }).click();
    await expect(admin).toHaveURL('/resources');
    await expect(own).toContainText('Its source isn’t named.');
    await own.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(own).toBeHidden();
  },
);
