import type { Locator, Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import {
  becomeSpecialist,
  bookDirectly,
  offeredTimes,
  openDays,
  openTimes,
  storedAppointments,
  toast,
} from './support/booking.ts';
import { call, expect, signIn, someone, test } from './support/fixtures.ts';
import { press } from './support/keyboard.ts';
import { expectFair } from './support/look.ts';
import { mailsTo } from './support/mails.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

/** A client and a specialist whom only this test knows, with one session; the client's page is left signed in. */
async function booked(client: Page, provider: Page, product: Product, name: string) {
  const specialist = await becomeSpecialist(provider, product, { name: `Dr. ${name}` });
  const email = someone('seeker');
  await signIn(client, email);
  await product.query('update users set name = $2 where email = $1', [email, `Client ${name}`]);
  const [, start] = await offeredTimes(client, product, specialist);
  const id = await bookDirectly(client, specialist, start!);
  return { specialist, email, id, start: start! };
}

async function openAppointments(page: Page): Promise<Locator> {
  await page.goto('/admin/appointments');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Appointments');
  return page.getByRole('table');
}

async function find(page: Page, words: string): Promise<void> {
  await page.getByLabel('Name, email or appointment id').fill(words);
}

let made = 0;
function newName(): string {
  made += 1;
  return `Quillon${process.pid.toString(36)}${Date.now().toString(36)}${made}`;
}

test('an administrator finds a session by name, address, id, status and day, and sees nothing that was written', async ({
  page,
  product,
  open,
}) => {
  const name = newName();
  const { email, id } = await booked(await open(), await open(), product, name);
  await signIn(page, 'admin');
  await page.goto('/home');
  await page.getByRole('link', { name: /^Appointments/ }).click();
  await expect(page).toHaveURL('/admin/appointments');
  const table = page.getByRole('table');
  const row = table.getByRole('row').filter({ hasText: email });
  for (const words of [`client ${name}`, `dr. ${name}`, email, id]) {
    await find(page, words);
    await expect(table.getByRole('row')).toHaveCount(2);
    await expect(row).toBeVisible();
  }
  await expect(row).toContainText('Individual Healing');
  await expect(row).toContainText('Phone Call, 60 minutes');
  await expect(row).toContainText('Confirmed');
  // How the client called themselves in the booking is theirs.
  await expect(page.getByText('Somebody Else')).toHaveCount(0);
  await expectFair(page, 'appointments that were found', { dark: true });
  expect(page.url()).not.toContain(name);

  await page.getByLabel('Status').selectOption('Cancelled');
  await expect(page.getByText('No appointment fits')).toBeVisible();
  await expectFair(page, 'no appointments');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByLabel('Status')).toHaveValue('');
  await find(page, email);
  await expect(table.getByRole('row')).toHaveCount(2);
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await expect(page.getByText('No appointment fits')).toBeVisible();
  await page.getByLabel('From', { exact: true }).fill('2021-01-01');
  await expect(page.getByText('The last day lies before the first.')).toBeVisible();

  const [noted] = await product.query<{ details: string }>(
    `select string_agg(details::text, ' ') as details from audit_entries where action = 'booking.searched'`,
  );
  expect(noted!.details).toContain('words');
  expect(noted!.details).not.toContain(name);
});

test('an administrator moves a session by the keyboard and says why; both people read it and are mailed', async ({
  page,
  product,
  open,
}) => {
  const name = newName();
  const [client, provider] = [await open(), await open()];
  const { specialist, email, start } = await booked(client, provider, product, name);
  await signIn(page, 'admin');
  await openAppointments(page);
  await find(page, email);
  const row = page.getByRole('row').filter({ hasText: email });
  await expect(page.getByRole('row')).toHaveCount(2);
  await press(page, row.getByRole('button', { name: /^Actions for/ }));
  await page.getByRole('menuitem', { name: 'Reschedule' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Reschedule' });
  const days = await openDays(dialog);
  await expectFair(page, 'a session that is about to be moved', { dark: true, dialog });
  // In a month's last hours the one time that is left in it may be the session's own.
  await dialog.getByRole('button', { name: 'Next month' }).press('Enter');
  await days.last().press('Enter');
  const times = await openTimes(dialog);
  await times.last().press('Space');
  const chosen = (await times.last().getAttribute('value'))!;
  expect(chosen).not.toBe(start);
  await press(page, dialog.getByRole('button', { name: 'Move appointment' }));
  await expect(dialog.getByText('Please say why.')).toBeVisible();
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await dialog.getByLabel('Reason').fill('The specialist is at a funeral.');
  await press(page, dialog.getByRole('button', { name: 'Move appointment' }));
  await expect(toast(page, 'Appointment moved')).toBeVisible();
  await expect
    .poll(async () => (await storedAppointments(product, { client: email })).map((one) => one.startsAt))
    .toEqual([new Date(chosen).toISOString()]);
  await client.goto('/home');
  await expect(client.getByText('Moved by an administrator: The specialist is at a funeral.')).toBeVisible();
  await expect
    .poll(async () => {
      const mails = await Promise.all([email, specialist.email].map((to) => mailsTo(product, to)));
      return mails
        .flat()
        .filter(
          ({ subject, text }) =>
            subject.startsWith('iTalk Health session moved') && text.includes('An administrator did this'),
        ).length;
    })
    .toBe(2);
});

test('an administrator cancels a session and says why; another who was behind is told so', async ({
  page,
  product,
  open,
  expectNoise,
}) => {
  expectNoise(/409/);
  const name = newName();
  const [client, provider] = [await open(), await open()];
  const { email, id } = await booked(client, provider, product, name);
  await signIn(page, 'admin');
  await openAppointments(page);
  await find(page, id);
  const row = page.getByRole('row').filter({ hasText: email });
  await expect(page.getByRole('row')).toHaveCount(2);
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
  const question = page.getByRole('alertdialog', { name: 'Cancel this appointment?' });
  await expect(question).toContainText(`Client ${name} with Dr. ${name}`);

  const second = await open();
  await signIn(second, 'admin');
  await call(second, `/api/admin/appointments/${id}/cancel`, { sequence: 0, reason: 'The house is closed.' });

  await question.getByRole('button', { name: 'Cancel appointment' }).click();
  await expect(question.getByText('Please say why.')).toBeVisible();
  await question.getByLabel('Reason').fill('I was late.');
  await question.getByRole('button', { name: 'Cancel appointment' }).click();
  await expect(question.getByRole('alert')).toContainText('Somebody else was first');
  await expectFair(page, 'a session that another has cancelled', { dark: true, dialog: question });
  await question.getByRole('button', { name: 'Keep as it is' }).click();
  await expect(row).toContainText('Cancelled');
  await provider.goto('/schedule');
  await client.goto('/profile?tab=sessions');
  await expect(client.getByText('Cancelled by an administrator: The house is closed.')).toBeVisible();
});

test('the room of all appointments is for administrators', async ({ page }) => {
  await signIn(page, someone('curious'));
  await page.goto('/admin/appointments');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  const refused = await page.request.post('/api/admin/appointments/search', {
    headers: { origin: new URL(page.url()).origin },
    data: {},
  });
  expect(refused.status()).toBe(403);
});
