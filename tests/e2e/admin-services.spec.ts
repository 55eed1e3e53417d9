import type { Locator, Page } from '@playwright/test';
import { becomeSpecialist, bookDirectly, offeredTimes, openBooking, toast } from './support/booking.ts';
import { call, expect, signIn, someone, test } from './support/fixtures.ts';
import { press } from './support/keyboard.ts';
import { expectFair } from './support/look.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

let made = 0;
/** A name that no service has yet. */
function newName(): string {
  made += 1;
  return `Evening Circle ${process.pid.toString(36)}${Date.now().toString(36)}${made}`;
}

async function openServices(page: Page): Promise<Locator> {
  await page.goto('/admin/settings?tab=services');
  await expect(page.getByRole('heading', { name: 'Service Management', level: 2 })).toBeVisible();
  return page.getByRole('table');
}

function rowOf(table: Locator, name: string): Locator {
  return table.getByRole('row').filter({ hasText: name });
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Adds a service past the screens; answers its id. */
async function add(page: Page, title: string): Promise<string> {
  const { id } = await call<{ id: string }>(page, '/api/admin/services', {
    title,
    category: 'Community Support',
    description: 'An evening for everybody.',
    durationMinutes: 60,
    priceCents: 4_000,
  });
  return id;
}

test('an administrator adds a service by the keyboard; a guest finds it, a client books it, and it leaves once it is deactivated', async ({
  page,
  product,
  open,
}) => {
  const name = newName();
  await signIn(page, 'admin');
  const table = await openServices(page);
  await expect(table.getByRole('row').first()).toBeVisible();
  await expectFair(page, 'the services', { dark: true });

  await press(page, page.getByRole('button', { name: 'Add Service' }));
  const form = page.getByRole('dialog', { name: 'Add Service' });
  await expect(form.getByLabel('Duration (minutes)')).toHaveValue('60');
  await expect(form.getByLabel('Price (dollars)')).toHaveValue('0');
  await press(page, form.getByRole('button', { name: 'Add Service' }));
  await expect(toast(page, 'Missing Information')).toBeVisible();
  await expect(toast(page, 'Please fill in all required fields.')).toBeVisible();
  await expect(form.getByLabel('Name')).toBeFocused();
  await expect(form.getByText('Please fill this in.')).toHaveCount(3);
  await expectFair(page, 'a service that lacks what is required', { dark: true, dialog: form });

  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Category').selectOption('Spiritual Guidance');
  await form.getByLabel('Description').fill('An evening of quiet prayer.');
  // What can't be read is replaced before anything is saved, and said.
  await form.getByLabel('Duration (minutes)').fill('abc');
  await form.getByLabel('Duration (minutes)').press('Enter');
  await expect(form.getByLabel('Duration (minutes)')).toHaveValue('60');
  await expect(form.getByText(/couldn’t be read as a number, so 60 minutes/)).toBeVisible();
  await form.getByLabel('Duration (minutes)').fill('0');
  await form.getByLabel('Price (dollars)').fill('-5');
  await press(page, form.getByRole('button', { name: 'Add Service' }));
  await expect(form.getByLabel('Duration (minutes)')).toBeFocused();
  await expect(form.getByText('A session lasts 15 to 240 whole minutes.')).toBeVisible();
  await expect(form.getByText('A price is $0 to $10,000.')).toBeVisible();
  await form.getByLabel('Duration (minutes)').fill('80');
  await form.getByLabel('Price (dollars)').fill('$62.5');
  await form.getByLabel('Name').focus();
  await expect(form.getByLabel('Price (dollars)')).toHaveValue('62.50');
  await form.getByLabel('Price for 90 minutes').fill('65');
  await press(page, form.getByRole('button', { name: 'Add Service' }));
  await expect(toast(page, 'Service Added')).toBeVisible();
  const row = rowOf(table, name);
  await expect(row).toContainText('Spiritual Guidance');
  await expect(row).toContainText('80 min');
  await expect(row).toContainText('$62.50');
  await expect(row).toContainText('Active');

  const guest = await open();
  await guest.goto('/services');
  await guest.getByRole('link', { name, exact: true }).first().click();
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(guest.getByText('An evening of quiet prayer.')).toBeVisible();
  // What nobody has written yet has no heading either.
  await expect(guest.getByRole('heading', { name: 'Spiritual Themes' })).toHaveCount(0);
  await expectFair(guest, 'the page of an added service', { dark: true });
  const address = new URL(guest.url()).pathname;
  const id = address.split('/').at(-1)!;

  const specialist = await becomeSpecialist(await open(), product);
  await product.query('insert into provider_services values ($1, $2)', [specialist.id, id]);
  await product.query('notify pages');
  const client = await open();
  await signIn(client, someone('circle'));
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
  // Where an hour can begin half an hour later as well, there is room for 80 minutes; the first may be too soon by now.
  const start = starts.find(
    (one, index) => index > 0 && Date.parse(starts[index + 1] ?? one) - Date.parse(one) === 30 * 60_000,
  );
  await bookDirectly(client, specialist, start!, { serviceId: id, durationMinutes: 80 });
  await openServices(page);
  await expect(row.getByRole('cell', { name: '1', exact: true })).toBeVisible();

  await choose(page, name, 'Deactivate');
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('What is booked already stays.');
  await question.getByRole('button', { name: 'Deactivate' }).click();
  await expect(toast(page, 'Service Updated')).toBeVisible();
  await expect(row).toContainText('Inactive');
  await expect.poll(async () => (await guest.request.get(address)).status(), { timeout: 10_000 }).toBe(404);
  await guest.goto('/services');
  await expect(guest.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(guest.getByText(name)).toHaveCount(0);
  await client.goto('/home');
  await expect(client.getByText(name).first()).toBeVisible();
});

test('a service that an appointment needs can’t be deleted, and is deactivated instead; one that nothing needs goes', async ({
  page,
  product,
  open,
  expectNoise,
}) => {
  expectNoise(/409/);
  const [kept, gone] = [newName(), newName()];
  await signIn(page, 'admin');
  const id = await add(page, kept);
  const other = await add(page, gone);
  const specialist = await becomeSpecialist(await open(), product);
  await product.query('insert into provider_services values ($1, $2), ($1, $3)', [specialist.id, id, other]);
  const client = await open();
  await signIn(client, someone('kept'));
  const [, start] = await offeredTimes(client, product, specialist);
  await bookDirectly(client, specialist, start!, { serviceId: id });

  const table = await openServices(page);
  await choose(page, kept, 'Delete');
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('one specialist who offers it won’t offer it any more');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(question.getByRole('alert')).toContainText('It can’t be deleted');
  await expectFair(page, 'a service that can’t be deleted', { dark: true, dialog: question });
  await question.getByRole('button', { name: 'Deactivate it instead' }).click();
  await expect(toast(page, 'Service Updated')).toBeVisible();
  await expect(rowOf(table, kept)).toContainText('Inactive');

  await choose(page, gone, 'Delete');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page, 'Service Deleted')).toBeVisible();
  await expect(rowOf(table, gone)).toHaveCount(0);

  await choose(page, kept, 'Activate');
  await expect(rowOf(table, kept).getByText('Active', { exact: true })).toBeVisible();
});

test('two administrators can’t overwrite each other unseen, and the second keeps what they typed', async ({
  page,
  open,
  expectNoise,
}) => {
  expectNoise(/409/);
  const name = newName();
  await signIn(page, 'admin');
  await add(page, name);
  const table = await openServices(page);
  await choose(page, name, 'Edit');
  const form = page.getByRole('dialog', { name: 'Edit Service' });
  await form.getByLabel('Description').fill('What I think it is.');

  const second = await open();
  await signIn(second, 'admin');
  await openServices(second);
  await choose(second, name, 'Edit');
  const other = second.getByRole('dialog', { name: 'Edit Service' });
  await other.getByLabel('Price (dollars)').fill('55');
  await other.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toast(second, 'Service Updated')).toBeVisible();
  // The list below the open form follows by itself; the form keeps what it was opened with.
  await expect(page.locator('tr', { hasText: name })).toContainText('$55');

  await form.getByRole('button', { name: 'Save Changes' }).click();
  await expect(form.getByRole('alert')).toContainText('Somebody else has changed this service meanwhile');
  await expect(form.getByLabel('Description')).toHaveValue('What I think it is.');
  await page.keyboard.press('Escape');
  await choose(page, name, 'Edit');
  await expect(form.getByLabel('Price (dollars)')).toHaveValue('55');
  await form.getByLabel('Description').fill('What I think it is.');
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toast(page, 'Service Updated')).toBeVisible();
  await expect(rowOf(table, name)).toContainText('What I think it is.');
});

test('services that can’t be loaded say so and can be tried again', async ({ page, expectNoise }) => {
  expectNoise(/Failed to load resource/);
  await signIn(page, 'admin');
  await page.route('**/api/admin/services', (route) => route.abort());
  await page.goto('/admin/settings?tab=services');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.unroute('**/api/admin/services');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('table')).toBeVisible();
});
