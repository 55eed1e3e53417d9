import type { Locator, Page } from '@playwright/test';
import {
  becomeSpecialist,
  bookDirectly,
  offeredTimes,
  readToast,
  storedAppointments,
  toast,
} from './support/booking.ts';
import { expect, reauthenticate, signIn, someone, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';
import { mailsTo } from './support/mails.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

/** Opens what the directory's menu offers for a person. */
async function choose(page: Page, email: string, item: string): Promise<Locator> {
  await page.goto('/admin/settings?tab=users');
  await page.getByRole('main').getByLabel('Search users').fill(email);
  await expect(page.getByText('Users found: 1', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
  return page.getByRole('alertdialog');
}

test('an administrator suspends a specialist: one session goes to another specialist, one is canceled', async ({
  page,
  open,
  product,
}) => {
  const colleague = await becomeSpecialist(await open(), product, { name: 'Dr. Boaz Field' });
  const leaving = await becomeSpecialist(await open(), product, { name: 'Dr. Ada Winter' });
  const email = someone('client');
  const client = await open();
  await signIn(client, email);
  const times = await offeredTimes(client, product, leaving);
  const later = times.find((time) => time.slice(0, 10) > times[0]!.slice(0, 10))!;
  const [first, second] = [times[0]!, later].map((time) => new Date(time).toISOString()) as [string, string];
  await bookDirectly(client, leaving, first);
  await bookDirectly(client, leaving, second);

  await signIn(page, 'admin');
  await reauthenticate(page);
  const dialog = await choose(page, leaving.email, 'Suspend');
  await expect(dialog.getByText('What happens to their upcoming sessions? (2)')).toBeVisible();
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await expect(dialog.getByText('Choose what happens to the sessions.')).toBeVisible();
  await dialog.getByRole('radio', { name: /^Cancel all/ }).check();
  const each = dialog.getByRole('combobox', { name: /^Person|, / });
  await expect(each).toHaveCount(2);
  await each.first().selectOption({ label: 'Reassign to Dr. Boaz Field' });
  await expectFair(page, 'suspending a specialist', { dialog });
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await expect(toast(page, 'User Suspended')).toBeVisible();

  expect(await storedAppointments(product, { client: email, specialist: leaving.email })).toMatchObject([
    { startsAt: first, status: 'cancelled' },
    { startsAt: second, status: 'cancelled' },
  ]);
  expect(await storedAppointments(product, { client: email, specialist: colleague.email })).toMatchObject([
    { startsAt: first, status: 'confirmed' },
  ]);
  const textWith = async (words: string) =>
    (await mailsTo(product, email)).find(({ text }) => text.includes(words))?.text ?? '';
  await expect.poll(() => textWith('Another specialist will meet you instead')).toContain('same price');
  await expect.poll(() => textWith('so we had to cancel')).toContain('/therapists');
  await client.goto('/home');
  await expect(client.getByText('Dr. Boaz Field').first()).toBeVisible();
});

test('an administrator revokes an approval, the specialist reads why, and is approved again', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 404/);
  const theirs = await open();
  const specialist = await becomeSpecialist(theirs, product, { name: 'Dr. Miriam Stone' });
  await signIn(page, 'admin');
  await reauthenticate(page);
  const dialog = await choose(page, specialist.email, 'Provider approval');
  await expect(dialog.getByText('They have no upcoming sessions.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Revoke approval' }).click();
  await expect(dialog.getByText('Please give a reason.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('The board withdrew the license.');
  await expectFair(page, 'revoking an approval', { dialog });
  await dialog.getByRole('button', { name: 'Revoke approval' }).click();
  await readToast(page, 'Approval revoked');

  const guest = await open();
  const answer = await guest.goto(`${product.url}/therapists/specialist-${specialist.id}`);
  expect(answer!.status()).toBe(404);
  await theirs.goto('/practice');
  await expect(theirs.getByText('Reason: The board withdrew the license.')).toBeVisible();
  await expectFair(theirs, 'a practice whose approval was revoked');

  const again = await choose(page, specialist.email, 'Provider approval');
  await expect(again.getByText('Reason: The board withdrew the license.')).toBeVisible();
  await expectFair(page, 'approving again', { dialog: again });
  await again.getByRole('button', { name: 'Approve again' }).click();
  await expect(toast(page, 'Approved again')).toBeVisible();
  expect((await guest.goto(`${product.url}/therapists/specialist-${specialist.id}`))!.status()).toBe(200);
});
