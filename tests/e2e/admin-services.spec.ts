import type { Locator, Page } from '@playwright/test';
import { becomeSpecialist, bookDirectly, offeredTimes, openBooking, toast } from './support/booking.ts';
import { expect, test } from './support/fixtures.ts';
import { becomeAdministrator, becomeClient } from './support/people.ts';

const name = 'An Evening Circle';

async function openServices(page: Page): Promise<Locator> {
  await page.goto('/admin/settings?tab=services');
  return page.getByRole('table').getByRole('row').filter({ hasText: name });
}

test(
  'adds a service guests find and clients book, and hides it once deactivated',
  { tag: '@long' },
  async ({ page, product, open }) => {
    await becomeAdministrator(page, product);
    const row = await openServices(page);
    await page.getByRole('button', { name: 'Add Service' }).click();
    const form = page.getByRole('dialog', { name: 'Add Service' });
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Category').selectOption('Spiritual Guidance');
    await form.getByLabel('Description').fill('An evening of quiet prayer.');
    await form.getByLabel('Duration (minutes)').fill('80');
    await form.getByLabel('Price (dollars)').fill('62.50');
    await form.getByLabel('Price for 90 minutes').fill('65');
    await form.getByRole('button', { name: 'Add Service' }).click();
    await expect(toast(page, 'Service Added')).toBeVisible();
    await expect(row).toContainText('Spiritual Guidance');
    await expect(row).toContainText('80 min');
    await expect(row).toContainText('$62.50');
    await expect(row).toContainText('Active');

    const guest = await open();
    await guest.goto(`${product.url}/services`);
    await guest.getByRole('link', { name, exact: true }).first().click();
    await expect(guest.getByRole('heading', { level: 1 })).toHaveText(name);
    await expect(guest.getByText('An evening of quiet prayer.')).toBeVisible();
    // Empty sections have no heading.
    await expect(guest.getByRole('heading', { name: 'Spiritual Themes' })).toHaveCount(0);
    const address = new URL(guest.url()).pathname;
    const id = address.split('/').at(-1)!;

    const specialist = await becomeSpecialist(await open(), product);
    await product.query('insert into provider_services values ($1, $2)', [specialist.id, id]);
    await product.query('notify pages');
    const client = await open();
    await becomeClient(client, product);
    const dialog = await openBooking(client, specialist, id);
    await expect(dialog.getByText(name, { exact: true })).toBeVisible();
    await expect(dialog.getByRole('radio', { name: '80 minutes' })).toBeChecked();
    await expect(dialog.getByRole('radiogroup', { name: /^Duration/ }).locator('label')).toHaveText([
      '30 minutes · $23.44',
      '60 minutes · $46.88',
      '80 minutes · $62.50',
      '90 minutes · $65',
    ]);
    const starts = await offeredTimes(client, product, specialist);
    // Two starts half an hour apart leave room for 80 minutes. Skips the first, which may already be too soon.
    const start = starts.find(
      (one, index) => index > 0 && Date.parse(starts[index + 1] ?? one) - Date.parse(one) === 30 * 60_000,
    );
    await bookDirectly(client, specialist, start!, { serviceId: id, durationMinutes: 80 });
    await openServices(page);
    await expect(row.getByRole('cell', { name: '1', exact: true })).toBeVisible();

    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Deactivate' }).click();
    await expect(toast(page, 'Service Updated')).toBeVisible();
    await expect(row).toContainText('Inactive');
    await expect.poll(async () => (await guest.request.get(address)).status()).toBe(404);
    await guest.goto(`${product.url}/services`);
    await expect(guest.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(guest.getByText(name)).toHaveCount(0);
    await client.goto('/home');
    await expect(client.getByText(name).first()).toBeVisible();
  },
);
